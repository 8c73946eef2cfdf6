import { listIndexes, start } from '@suite/testing';
import { projects } from './projects.ts';

listIndexes({
  contents: projects,
  serving: await start(projects),
  served: {
    'users.created_at': "copies of the workspace's users, of which it has some hundred",
    'users.updated_at': "copies of the workspace's users, of which it has some hundred",
  },
});
