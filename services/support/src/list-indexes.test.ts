import { listIndexes, start } from '@suite/testing';
import { support } from './support.ts';

listIndexes({
  contents: support,
  serving: await start(support),
  served: {
    'users.created_at': "copies of the workspace's users, of which it has some hundred",
    'users.updated_at': "copies of the workspace's users, of which it has some hundred",
    'tickets.priority': 'its rank has an index',
  },
});
