import { listIndexes, start } from '@suite/testing';
import { platform } from './platform.ts';

listIndexes({
  contents: platform,
  serving: await start(platform),
  served: { 'users.name': 'lists of one kind of users would read the users of all kinds by an index' },
});
