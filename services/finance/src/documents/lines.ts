/**
 * The lines of invoices. What inventory says of a product, its accounts and its taxes is asked when a line is written, and
 * kept in it: a document says for ever what it said, whatever becomes of the product.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type Discount, type Expansion, invalid, many, sql } from '@suite/chassis';
import {
  assertActive,
  catalogueRequest,
  computeTotals,
  type DraftLine as Draft,
  type LineFigures,
  type LineInput,
  type LineRules,
  productAccounts,
  toDraftLines,
} from '@suite/document-lines';
import type { Product, Warehouse } from '@suite/proto/inventory/v1/inventory';
import { namedBy, refusals } from '../accounts/usable.ts';
import type { Db, Rpc } from '../operations.ts';
import { insertRows } from '../rows.ts';
import { columnNamed } from '../tables.ts';
import { type Side, SIDES } from './kind.ts';

/** The fields of a product that a line copies beside its names: its accounts, and whether its stock is tracked. */
export const bookingOf = (product: Product | undefined) => ({
  tracked: product?.type === 'product' && product.track_stock,
  ...productAccounts(product),
});

/** The source that a line bills: a line of an order or proposal, or billed time. */
export interface LineSource {
  source_type: string | null;
  source_id: string | null;
}

/** A line before its figures are computed. `id`: of a line that exists already and keeps its id. */
export type DraftLine = Draft &
  ReturnType<typeof bookingOf> & { id?: string; agreed?: boolean; agreed_terms?: boolean } & Partial<LineSource>;

const RULES: Readonly<Record<Side, LineRules<ReturnType<typeof bookingOf>>>> = {
  sales: { price: 'sale_price', keep: bookingOf },
  purchase: { price: 'purchase_price', keep: bookingOf },
};

/** A line of a body; a line of a bill can name its account. */
type AskedLine = LineInput & { account_id?: string | null | undefined };

/** The part of a body that names records of inventory. */
interface Asked {
  lines?: readonly AskedLine[] | undefined;
  warehouse_id?: string | null | undefined;
}

/** The part of inventory's catalogue that an invoice names. Without a warehouse, all of them: one of them is the default. */
const lookUp = (rpc: Rpc, { lines = [], warehouse_id }: Asked, without_warehouses = false) =>
  rpc.inventory.batchGetCatalogue({
    ...catalogueRequest(lines, warehouse_id ? [warehouse_id] : []),
    without_warehouses,
  });

/** The warehouse that is named, else the default one. @throws a 422 for an unknown or archived one */
export function warehouseAmong(warehouses: readonly Warehouse[], warehouse_id: string | null | undefined) {
  if (warehouse_id) {
    const named = warehouses.find((warehouse) => warehouse.warehouse_id === warehouse_id);
    return assertActive(named, 'warehouse_id', 'warehouse').warehouse_id;
  }
  const usable = warehouses.filter((warehouse) => warehouse.active);
  return (usable.find((warehouse) => warehouse.is_default) ?? usable[0])?.warehouse_id ?? null;
}

/** Lines with the accounts that the body names; the others have the accounts of their products. @throws a 422 for stock items */
function withAccounts(drafts: DraftLine[], lines: readonly AskedLine[]): DraftLine[] {
  return drafts.map((draft, at) => {
    const account_id = lines[at]!.account_id;
    if (!account_id) return draft;
    if (draft.tracked) throw invalid(`lines.${at}.account_id`, STOCK_ACCOUNT);
    return { ...draft, expense_account_id: account_id };
  });
}

const STOCK_ACCOUNT = 'Stock items are posted to the stock account of the product. Omit the account.';

/** Asserts that bills can be posted to the accounts that lines of a body name. @throws a 422 that names the field */
export async function assertLineAccounts(db: Db, lines: readonly AskedLine[] = []): Promise<void> {
  const named = lines.flatMap(({ account_id }, at) => (account_id ? [{ account_id, use: 'bill' as const, at }] : []));
  const reasons = await refusals(db, named);
  const wrong = reasons.findIndex((reason) => reason !== null);
  if (wrong !== -1) throw invalid(`lines.${named[wrong]!.at}.account_id`, reasons[wrong]!);
}

/**
 * Asks inventory what a new invoice is made of; before the transaction.
 * @throws a 422 that names the field (`lines.0.product_id`) for what is unknown there or archived
 */
export async function askForInvoice(
  rpc: Rpc,
  trade: Side,
  { lines, warehouse_id }: Asked & { lines: readonly AskedLine[] },
) {
  const known = await lookUp(rpc, { lines, warehouse_id });
  return {
    lines: withAccounts(toDraftLines(lines, known, RULES[trade]), lines),
    warehouse_id: warehouseAmong(known.warehouses, warehouse_id),
  };
}

/** The same for what is changed of an invoice; what is not named stays undefined. @throws a 422 that names the field */
export async function askForChanges(rpc: Rpc, trade: Side, { lines, warehouse_id }: Asked) {
  if (!lines && !warehouse_id) return { lines, warehouse_id };
  const known = await lookUp(rpc, { lines, warehouse_id }, !warehouse_id);
  return {
    lines: lines && withAccounts(toDraftLines(lines, known, RULES[trade]), lines),
    warehouse_id: warehouse_id && warehouseAmong(known.warehouses, warehouse_id),
  };
}

/** Asks inventory where goods are moved. @throws a 422 for an unknown or archived warehouse */
export async function askForWarehouse(rpc: Rpc, warehouse_id: string): Promise<string | null> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [warehouse_id] });
  return warehouseAmong(warehouses, warehouse_id);
}

/** The accounts that products name must be there and take lines. @throws a 422 */
export async function assertAccounts(db: Db, trade: Side, lines: readonly DraftLine[]): Promise<void> {
  const named = namedBy(lines, SIDES[trade].expense_use);
  const reasons = await refusals(db, named);
  const wrong = reasons.findIndex((reason) => reason !== null);
  if (wrong === -1) return;
  const { at, column } = named[wrong]!;
  if (!lines[at]!.product_id) throw invalid(`lines.${at}.account_id`, reasons[wrong]!);
  const use = column.replace('_account_id', '');
  throw invalid(`lines.${at}.product_id`, `The ${use} account of this product takes no entries. ${reasons[wrong]}`);
}

/** The columns of a line's figures. */
export const figureColumns = ({ gross, discount, header_discount, net, tax, total, taxes }: LineFigures) => ({
  gross,
  header_discount,
  net,
  tax,
  total,
  line_discount: discount,
  taxes: [...taxes],
});

/** Computes the totals of an invoice and the figures of its lines. @throws a 422 that names the field */
export async function computeDocumentTotals(
  db: Db,
  trade: Side,
  lines: readonly DraftLine[],
  { currency, discount }: { currency: string; discount: Discount | null },
) {
  await assertAccounts(db, trade, lines);
  const { lines: figures, taxes: _, ...header } = computeTotals(lines, currency, discount);
  return { header, rows: lines.map((line, at) => lineRow(line, at, figures[at]!)) };
}

/** A line with its figures, as it is written. */
export const lineRow = (line: DraftLine, position: number, figures: LineFigures) => ({
  ...line,
  agreed: line.agreed ?? false,
  agreed_terms: line.agreed_terms ?? false,
  position,
  ...figureColumns(figures),
});

/** Writes the lines of an invoice that has none. */
export const writeLines = (
  db: Db,
  { trade, id }: { trade: Side; id: string },
  rows: readonly ReturnType<typeof lineRow>[],
): Promise<void> =>
  insertRows(
    db,
    'invoice_lines',
    rows.map((row) => ({ ...row, id: row.id ?? randomUUIDv7(), [SIDES[trade].invoice_key]: id })),
  );

/** The lines of an invoice as they were written, to compute it anew. */
export const draftLines = (db: Db, trade: Side, id: string): Promise<DraftLine[]> =>
  db.rows<DraftLine>(sql`
    SELECT id, product_id, product_name, sku, unit_name, description, tracked, income_account_id, expense_account_id,
      stock_account_id, qty, unit_price, discount, taxes, source_type, source_id, agreed, agreed_terms
    FROM invoice_lines WHERE ${columnNamed(SIDES[trade].invoice_key)} = ${id}::uuid ORDER BY position`);

const returned = sql`
  SELECT coalesce(sum(taken.qty), 0) FROM return_lines AS taken
    LEFT JOIN sales_returns AS sold ON sold.id = taken.sales_return_id
    LEFT JOIN purchase_returns AS bought ON bought.id = taken.purchase_return_id
  WHERE taken.invoice_line_id = invoice_lines.id AND coalesce(sold.status, bought.status) IN ('approved', 'completed')`;

/** The account of a line of a bill; null for goods that go into stock. */
const billed = sql`, CASE WHEN NOT invoice_lines.tracked THEN coalesce(expense_account_id, (
  SELECT account.id FROM gl_accounts AS account WHERE account.system_role =
    CASE WHEN invoice_lines.product_id IS NULL THEN 'purchased_services' ELSE 'cogs' END AND account.active)) END AS account_id`;

/** The lines of invoices, for expansions. */
export const linesIn = (db: Db, trade: Side): Expansion =>
  many(SIDES[trade].invoice_key, (ids) =>
    db.rows(sql`
      SELECT *, (${returned})::text AS returned_qty, CASE WHEN source_id IS NOT NULL
          THEN jsonb_build_object('type', source_type, 'id', source_id) END AS source_line${trade === 'purchase' ? billed : sql``}
      FROM invoice_lines
      WHERE ${columnNamed(SIDES[trade].invoice_key)} = ANY(${ids}::uuid[]) ORDER BY position`),
  );
