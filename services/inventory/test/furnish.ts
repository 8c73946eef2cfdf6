/** A workspace with a record in every table that a path of inventory can name. */
import type { Shop } from './ground.ts';

/** Makes one of everything in a shop; returns its workspace. */
export async function furnish(shop: Shop): Promise<string> {
  const { boss, workspace, warehouse, other, product } = shop;
  await boss.post('/api/unit/create', { name: 'Piece', symbol: 'pc' });
  await boss.post('/api/tax/create', { name: 'VAT', rate: '19' });
  await boss.post('/api/product/category/create', { name: 'Furniture' });
  const product_id = await product({}, { qty: '5' });
  const lines = [{ product_id, qty: '1' }];
  await boss.post('/api/transfer/create', { from_warehouse_id: warehouse, to_warehouse_id: other, lines });
  await boss.post('/api/pos/create', { lines, payments: [] });
  return workspace;
}
