import { listIndexes, start } from '@suite/testing';
import { hr } from './hr.ts';

listIndexes({
  contents: hr,
  serving: await start(hr),
});
