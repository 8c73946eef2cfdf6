import { listIndexes, start } from '@suite/testing';
import { inventory } from './inventory.ts';

listIndexes({
  contents: inventory,
  serving: await start(inventory),
  served: { 'stock_levels.value': 'the stock of one warehouse would be read from all warehouses by an index' },
});
