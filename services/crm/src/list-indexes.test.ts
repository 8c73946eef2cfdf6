import { listIndexes, start } from '@suite/testing';
import { crm } from './crm.ts';

listIndexes({
  contents: crm,
  serving: await start(crm),
  served: {
    'users.created_at': "copies of the workspace's users, which are a few hundred rows",
    'users.updated_at': "copies of the workspace's users, which are a few hundred rows",
  },
});
