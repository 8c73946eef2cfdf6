import { listIndexes, start } from '@suite/testing';
import { platform } from './platform.ts';

listIndexes({
  contents: platform,
  serving: await start(platform),
});
