import { listIndexes, start } from '@suite/testing';
import { crm } from './crm.ts';

listIndexes({
  contents: crm,
  serving: await start(crm),
  served: {
    'users.created_at': "copies of the workspace's users, of which it has some hundred",
    'users.updated_at': "copies of the workspace's users, of which it has some hundred",
  },
});
