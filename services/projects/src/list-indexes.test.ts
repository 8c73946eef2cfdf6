import { listIndexes, start } from '@suite/testing';
import { projects } from './projects.ts';

listIndexes({
  contents: projects,
  serving: await start(projects),
  served: {
    'users.created_at': "copies of the workspace's users, which are a few hundred rows",
    'users.updated_at': "copies of the workspace's users, which are a few hundred rows",
  },
});
