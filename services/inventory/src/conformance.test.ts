import { conformance, seclusion } from '@suite/harness';
import { openInventory } from '../test/ground.ts';
import { inventory } from './inventory.ts';

const { serving, shop: openShop } = await openInventory();

/** A workspace with a record in every table that a path can name. */
async function furnished(): Promise<string> {
  const { boss, workspace, warehouse, other, product } = await openShop();
  await boss.post('/api/unit/create', { name: 'Piece', symbol: 'pc' });
  await boss.post('/api/tax/create', { name: 'VAT', rate: '19' });
  await boss.post('/api/product/category/create', { name: 'Furniture' });
  const product_id = await product({}, { qty: '5' });
  const lines = [{ product_id, qty: '1' }];
  await boss.post('/api/transfer/create', { from_warehouse_id: warehouse, to_warehouse_id: other, lines });
  await boss.post('/api/pos/create', { lines, payments: [] });
  return workspace;
}

const [ours, theirs] = [await furnished(), await furnished()];

conformance({ contents: inventory, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({ contents: inventory, serving, workspace: ours });
