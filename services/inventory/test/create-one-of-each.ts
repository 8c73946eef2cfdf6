/** Workspace with a record in every table that an inventory path can refer to. */
import type { Shop } from './fixture.ts';

/**
 * Creates a unit, a tax of 19 %, a category, and a product with a stock of 5. Transfers one piece to the other
 * warehouse and sells one. Returns the workspace.
 */
export async function createOneOfEach(shop: Shop): Promise<string> {
  const { owner, workspace, warehouse, other, product } = shop;
  await owner.post('/api/unit/create', { name: 'Piece', symbol: 'pc' });
  await owner.post('/api/tax/create', { name: 'VAT', rate: '19' });
  await owner.post('/api/product/category/create', { name: 'Furniture' });
  const product_id = await product({}, { qty: '5' });
  const lines = [{ product_id, qty: '1' }];
  await owner.post('/api/transfer/create', { from_warehouse_id: warehouse, to_warehouse_id: other, lines });
  await owner.post('/api/pos/create', { lines, payments: [] });
  return workspace;
}
