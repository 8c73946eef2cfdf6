import { listIndexes, start } from '@suite/testing';
import { support } from './support.ts';

listIndexes({
  contents: support,
  serving: await start(support),
  served: {
    'users.created_at': "copies of the workspace's users, which are a few hundred rows",
    'users.updated_at': "copies of the workspace's users, which are a few hundred rows",
    'tickets.priority': 'its rank has an index',
  },
});
