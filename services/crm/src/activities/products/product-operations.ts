/** Products of inventory on a lead or a deal, at the price when they were assigned. */
import { find, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import { can, ok, removed } from '@suite/chassis/operations';
import { assertActive, exactAmount } from '@suite/document-lines';
import { z } from 'zod';
import { type Board, faultsOf, type RecordKind } from '../../pipeline/board/board.ts';
import { roundTo } from '@suite/money';
import { columnNamed, command, type CommandContext, type Db, type Rpc, tableNamed } from '../../operations.ts';
import { AssignedProduct, type ProductAssignment, ProductAssignments } from './product.schema.ts';
import { recordIdIn, lockRecord, recordInPath, recordActivity } from '../../pipeline/board/record.ts';

/** Product to be assigned, with its details from inventory. */
interface AssignableProduct extends ProductAssignment {
  name: string;
  /** Amount in base currency. */
  sale_price: string;
}

/** Requests the products from inventory. @throws a 422 that names the first unknown or archived product */
export async function fetchProducts(rpc: Rpc, products: readonly ProductAssignment[]): Promise<AssignableProduct[]> {
  const product_ids = [...new Set(products.map(({ product_id }) => product_id))];
  const found = await rpc.inventory.batchGetProducts({ product_ids });
  const known = new Map(found.products.map((product) => [product.product_id, product]));
  return products.map((assignment, at) => {
    const { name, sale_price } = assertActive(known.get(assignment.product_id), `products.${at}.product_id`, 'product');
    return { ...assignment, name, sale_price };
  });
}

/** Returns the products of several leads or deals, for `many`. */
export const productsOf =
  (db: Db, kind: RecordKind) =>
  (ids: string[]): Promise<object[]> => {
    const key = columnNamed(`${kind}_id`);
    return db.rows(sql`
      SELECT ${key}, product_id, name, qty, price FROM ${tableNamed(`${kind}_products`)}
      WHERE ${key} = ANY(${ids}::uuid[]) ORDER BY name, product_id`);
  };

/** Returns the currency of a record: the deal's own, or the workspace's for leads. */
async function currencyOf({ db, caller }: CommandContext, kind: RecordKind, id: string): Promise<string> {
  if (kind === 'lead') return caller.currency;
  const [deal] = await db.rows<{ currency: string }>(sql`SELECT currency FROM deals WHERE id = ${id}::uuid`);
  return deal!.currency;
}

/** Assigns products to a record. Products that are already assigned remain unchanged. */
async function assignProducts(
  context: CommandContext,
  board: Board,
  id: string,
  products: readonly AssignableProduct[],
) {
  const { db, caller } = context;
  await lockRecord(context, board, id);
  const currency = await currencyOf(context, board.kind, id);
  const rows = products.map(({ product_id, name, qty, price, sale_price }, at) => {
    if (price === undefined && currency !== caller.currency) {
      throw invalid(`products.${at}.price`, 'Enter a price, because the deal has another currency.');
    }
    // A catalogue price can have more decimals than the currency.
    const priced =
      price === undefined ? roundTo(sale_price, currency) : exactAmount(price, currency, `products.${at}.price`);
    return { product_id, name, qty, price: priced };
  });
  const added = await db.rows<{ product_id: string }>(sql`
    INSERT INTO ${tableNamed(`${board.kind}_products`)} (${columnNamed(`${board.kind}_id`)}, product_id, name, qty, price)
    SELECT ${id}::uuid, product_id, name, qty::numeric, price::numeric
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (product_id uuid, name text, qty text, price text)
    ON CONFLICT DO NOTHING RETURNING product_id`);
  const product_ids = added.map(({ product_id }) => product_id);
  if (product_ids.length > 0) await recordActivity(context, board, { id }, 'product_added', { product_ids });
  return (await productsOf(db, board.kind)([id])) as z.input<typeof AssignedProduct>[];
}

async function removeProduct(
  context: CommandContext,
  board: Board,
  id: string,
  product_id: string,
): Promise<{ id: string }> {
  await lockRecord(context, board, id);
  const taken = await context.db.rows(sql`
    DELETE FROM ${tableNamed(`${board.kind}_products`)}
    WHERE ${columnNamed(`${board.kind}_id`)} = ${id}::uuid AND product_id = ${product_id}::uuid RETURNING product_id`);
  if (taken.length === 0) throw NotFound();
  await recordActivity(context, board, { id }, 'product_removed', { product_id });
  return { id: product_id };
}

/** Creates the product operations of one kind of record. */
export function productOperations(
  board: Board,
  routes: {
    assign: `POST /api/${RecordKind}/assign-products/{${RecordKind}_id}`;
    remove: `DELETE /api/${RecordKind}/{${RecordKind}_id}/products/{product_id}`;
  },
) {
  const { kind } = board;
  const access = can(`${kind}.update`);
  const faults = faultsOf(board);
  return {
    assign: command(routes.assign as `POST /api/${string}/{lead_id}`, {
      summary: `Add products to a ${kind}`,
      description: `Returns all products of the ${kind}. The price defaults to the current sale price and stays fixed. Products already on the ${kind} stay unchanged.`,
      access,
      params: recordInPath(board),
      body: ProductAssignments,
      reply: ok(z.array(AssignedProduct)),
      faults,
      async prepare({ params, body, rpc, read }) {
        await read(async (db) => await find(kind === 'lead' ? db.lead : db.deal, recordIdIn(board, params)));
        return await fetchProducts(rpc, body.products);
      },
      handle: ({ params, prepared: products, ...context }) =>
        assignProducts(context, board, recordIdIn(board, params), products),
    }),
    remove: command(routes.remove as `DELETE /api/${string}/{lead_id}/products/{product_id}`, {
      summary: `Remove a product from a ${kind}`,
      description: `Removes the product and records it in the timeline. Returns 404 if the product is not assigned to the ${kind}.`,
      access,
      params: { ...recordInPath(board), product_id: Id },
      reply: removed,
      faults,
      handle: ({ params, ...context }) => removeProduct(context, board, recordIdIn(board, params), params.product_id),
    }),
  };
}
