import { listIndexes, start } from '@suite/testing';
import { platform } from './platform.ts';

listIndexes({
  contents: platform,
  serving: await start(platform),
  served: { 'users.name': 'an index over all kinds would serve lists of one kind, and read users of other kinds' },
});
