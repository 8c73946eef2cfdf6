/**
 * Lines that another service created contain only the product ID. The remaining product data is requested from
 * inventory before posting.
 */
import { sql } from '@suite/chassis/database';
import { assertKnown, catalogueRequest, productNames } from '@suite/document-lines';
import { columnNamed, type Db, type Rpc, tableNamed, type Write } from '../../operations.ts';
import { lockInvoice } from './invoice.ts';
import { type Side, SIDES } from '../documents/side.ts';
import { productFieldsOf, findWarehouse } from '../documents/lines.ts';

interface IncompleteLine {
  id: string;
  position: number;
  product_id: string;
}

const bareLines = (db: Db, side: Side, id: string): Promise<IncompleteLine[]> =>
  db.rows<IncompleteLine>(sql`
    SELECT id, position, product_id FROM invoice_lines
    WHERE ${columnNamed(SIDES[side].invoice_key)} = ${id}::uuid AND product_id IS NOT NULL AND product_name IS NULL
    ORDER BY position`);

/** Completes the lines of a draft, whose products may be archived. @throws a 422 that names an unknown product */
export async function completeLines(rpc: Rpc, write: Write, side: Side, id: string): Promise<void> {
  const bare = await write((db) => bareLines(db, side, id));
  if (bare.length === 0) return;
  const { products, warehouses } = await rpc.inventory.batchGetCatalogue(catalogueRequest(bare));
  const known = new Map(products.map((product) => [product.product_id, product]));
  for (const { product_id, position } of bare)
    assertKnown(known.get(product_id), `lines.${position}.product_id`, 'product');
  const main = findWarehouse(warehouses, null);
  await write(async (db) => {
    const { status } = await lockInvoice(db, side, id);
    if (status !== 'draft') return;
    for (const line of await bareLines(db, side, id)) {
      const product = known.get(line.product_id);
      if (!product) continue;
      const copied = { ...productNames(product), ...productFieldsOf(product) };
      await db.invoiceLine.update({ where: { id: line.id }, data: copied });
    }
    await db.rows(sql`
      UPDATE ${tableNamed(SIDES[side].invoices)} SET warehouse_id = ${main}::uuid WHERE id = ${id}::uuid AND warehouse_id IS NULL`);
  });
}
