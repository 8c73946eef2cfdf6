import { listIndexes, start } from '@suite/testing';
import { inventory } from './inventory.ts';

listIndexes({
  contents: inventory,
  serving: await start(inventory),
});
