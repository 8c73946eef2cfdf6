/**
 * Lines of invoices. Product, accounts and taxes are requested from inventory when a line is written, and stored in the
 * line. A document therefore always shows the same values, even if the product changes later.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Discount } from '@suite/chassis/fields';
import { type Expansion, many } from '@suite/chassis/lists';
import {
  assertActive,
  catalogueRequest,
  computeTotals,
  type DraftLine as Draft,
  type DocumentLineAmounts,
  type LineInput,
  type LineRules,
  productAccounts,
  toDraftLines,
  storedIds,
} from '@suite/document-lines';
import type { Product, Warehouse } from '@suite/proto/inventory/v1/inventory';
import { accountsOfLines, rejectionReasons } from '../../ledger/accounts/usable-accounts.ts';
import { columnNamed, type Db, type Read, type Rpc } from '../../operations.ts';
import { insertRows } from '../../parties/rows.ts';
import { type Side, SIDES } from './side.ts';

/** Returns the product fields that a line copies in addition to the names: accounts, and whether stock is tracked. */
export const productFieldsOf = (product: Product | undefined) => ({
  tracked: product?.type === 'product' && product.track_stock,
  ...productAccounts(product),
});

/** Source that a line bills: a line of an order or proposal, or a billing run. */
export interface LineSource {
  source_type: string | null;
  source_id: string | null;
}

/** Line before its amounts are computed. `id` is set for an existing line that keeps its ID. */
export type DraftLine = Draft &
  ReturnType<typeof productFieldsOf> & { id?: string; agreed?: boolean; agreed_terms?: boolean } & Partial<LineSource>;

const RULES: Readonly<Record<Side, LineRules<ReturnType<typeof productFieldsOf>>>> = {
  sales: { price: 'sale_price', keep: productFieldsOf },
  purchase: { price: 'purchase_price', keep: productFieldsOf },
};

/** Line of a request body. A bill line can have an account. */
type RequestedLine = LineInput & { account_id?: string | null | undefined };

/** Request fields that reference inventory. */
interface InvoiceCatalogueRequest {
  lines?: readonly RequestedLine[] | undefined;
  warehouse_id?: string | null | undefined;
}

/**
 * Requests the part of inventory's catalogue that an invoice names. Without a warehouse, requests all warehouses,
 * including the default one.
 */
const fetchCatalogue = (rpc: Rpc, { lines = [], warehouse_id }: InvoiceCatalogueRequest, without_warehouses = false) =>
  rpc.inventory.batchGetCatalogue({
    ...catalogueRequest(lines, warehouse_id ? [warehouse_id] : []),
    without_warehouses,
  });

/** Returns the given warehouse, or the default one. @throws a 422 for an unknown or archived warehouse */
export function findWarehouse(warehouses: readonly Warehouse[], warehouse_id: string | null | undefined) {
  if (warehouse_id) {
    const named = warehouses.find((warehouse) => warehouse.warehouse_id === warehouse_id);
    return assertActive(named, 'warehouse_id', 'warehouse').warehouse_id;
  }
  const usable = warehouses.filter((warehouse) => warehouse.active);
  return (usable.find((warehouse) => warehouse.is_default) ?? usable[0])?.warehouse_id ?? null;
}

/** Sets the given accounts of lines. Other lines have the accounts of their products. @throws a 422 for stock items */
function withAccounts(drafts: DraftLine[], lines: readonly RequestedLine[]): DraftLine[] {
  return drafts.map((draft, at) => {
    const account_id = lines[at]!.account_id;
    if (!account_id) return draft;
    if (draft.tracked) throw invalid(`lines.${at}.account_id`, STOCK_ACCOUNT);
    return { ...draft, expense_account_id: account_id };
  });
}

const STOCK_ACCOUNT = 'Stock items are posted to the stock account of the product. Omit the account.';

/** Checks that bills can be posted to the accounts of the lines in a body. @throws a 422 that names the field */
export async function assertLineAccounts(db: Db, lines: readonly RequestedLine[] = []): Promise<void> {
  const named = lines.flatMap(({ account_id }, at) => (account_id ? [{ account_id, use: 'bill' as const, at }] : []));
  const reasons = await rejectionReasons(db, named);
  const wrong = reasons.findIndex((reason) => reason !== null);
  if (wrong !== -1) throw invalid(`lines.${named[wrong]!.at}.account_id`, reasons[wrong]!);
}

/**
 * Requests the products and taxes of a new invoice from inventory, before the transaction.
 * @throws a 422 that names the field (`lines.0.product_id`) if a record is unknown or archived
 */
export async function fetchInvoiceReferences(
  rpc: Rpc,
  side: Side,
  { lines, warehouse_id }: InvoiceCatalogueRequest & { lines: readonly RequestedLine[] },
) {
  const known = await fetchCatalogue(rpc, { lines, warehouse_id });
  return {
    lines: withAccounts(toDraftLines(lines, known, RULES[side]), lines),
    warehouse_id: findWarehouse(known.warehouses, warehouse_id),
  };
}

/**
 * Requests the products and taxes of an invoice update. Omitted fields stay undefined. The lines may keep the
 * archived products and taxes of the draft. @throws a 422 that names the field
 */
export async function fetchChangeReferences(
  { rpc, read }: { rpc: Rpc; read: Read },
  side: Side,
  id: string,
  { lines, warehouse_id }: InvoiceCatalogueRequest,
) {
  if (!lines && !warehouse_id) return { lines, warehouse_id };
  const known = await fetchCatalogue(rpc, { lines, warehouse_id }, !warehouse_id);
  const rules = lines && { ...RULES[side], written: storedIds(await read((db) => draftLines(db, side, id))) };
  return {
    lines: rules && withAccounts(toDraftLines(lines, known, rules), lines),
    warehouse_id: warehouse_id && findWarehouse(known.warehouses, warehouse_id),
  };
}

/** Requests the warehouse from inventory. @throws a 422 for an unknown or archived warehouse */
export async function fetchWarehouse(rpc: Rpc, warehouse_id: string): Promise<string | null> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [warehouse_id] });
  return findWarehouse(warehouses, warehouse_id);
}

/** Checks that the accounts of products exist and allow journal lines. @throws a 422 */
export async function assertAccounts(db: Db, side: Side, lines: readonly DraftLine[]): Promise<void> {
  const named = accountsOfLines(lines, SIDES[side].expense_use);
  const reasons = await rejectionReasons(db, named);
  const wrong = reasons.findIndex((reason) => reason !== null);
  if (wrong === -1) return;
  const { at, column } = named[wrong]!;
  if (!lines[at]!.product_id) throw invalid(`lines.${at}.account_id`, reasons[wrong]!);
  const use = column.replace('_account_id', '');
  throw invalid(`lines.${at}.product_id`, `The ${use} account of this product cannot be posted to. ${reasons[wrong]}`);
}

/** Returns the columns with a line's amounts. */
export const amountColumns = ({ gross, discount, header_discount, net, tax, total, taxes }: DocumentLineAmounts) => ({
  gross,
  header_discount,
  net,
  tax,
  total,
  line_discount: discount,
  taxes: [...taxes],
});

/** Computes the totals of an invoice and the amounts of its lines. @throws a 422 that names the field */
export async function computeDocumentTotals(
  db: Db,
  side: Side,
  lines: readonly DraftLine[],
  { currency, discount }: { currency: string; discount: Discount | null },
) {
  await assertAccounts(db, side, lines);
  const { lines: figures, taxes: _, ...header } = computeTotals(lines, currency, discount);
  return { header, rows: lines.map((line, at) => lineRow(line, at, figures[at]!)) };
}

/** Returns the stored row of a line with its amounts. */
export const lineRow = (line: DraftLine, position: number, figures: DocumentLineAmounts) => ({
  ...line,
  agreed: line.agreed ?? false,
  agreed_terms: line.agreed_terms ?? false,
  position,
  ...amountColumns(figures),
});

/** Inserts the lines of an invoice that has none. */
export const writeLines = (
  db: Db,
  { side, id }: { side: Side; id: string },
  rows: readonly ReturnType<typeof lineRow>[],
): Promise<void> =>
  insertRows(
    db,
    'invoice_lines',
    rows.map((row) => ({ ...row, id: row.id ?? randomUUIDv7(), [SIDES[side].invoice_key]: id })),
  );

/** Returns the lines of an invoice in their original form, to recompute the invoice. */
export const draftLines = (db: Db, side: Side, id: string): Promise<DraftLine[]> =>
  db.rows<DraftLine>(sql`
    SELECT id, product_id, product_name, sku, unit_name, description, tracked, income_account_id, expense_account_id,
      stock_account_id, qty, unit_price, discount, taxes, source_type, source_id, agreed, agreed_terms
    FROM invoice_lines WHERE ${columnNamed(SIDES[side].invoice_key)} = ${id}::uuid ORDER BY position`);

const returnedQty = sql`
  SELECT coalesce(sum(taken.qty), 0) FROM return_lines AS taken
    LEFT JOIN sales_returns AS sold ON sold.id = taken.sales_return_id
    LEFT JOIN purchase_returns AS bought ON bought.id = taken.purchase_return_id
  WHERE taken.invoice_line_id = invoice_lines.id AND coalesce(sold.status, bought.status) IN ('approved', 'completed')`;

/** Account of a bill line. Null for stock goods. */
const billAccount = sql`, CASE WHEN NOT invoice_lines.tracked THEN coalesce(expense_account_id, (
  SELECT account.id FROM gl_accounts AS account WHERE account.system_role =
    CASE WHEN invoice_lines.product_id IS NULL THEN 'purchased_services' ELSE 'cogs' END AND account.active)) END AS account_id`;

/** Returns the expansion with the lines of invoices. */
export const invoiceLines = (db: Db, side: Side): Expansion =>
  many(SIDES[side].invoice_key, (ids) =>
    db.rows(sql`
      SELECT *, (${returnedQty})::text AS returned_qty, CASE WHEN source_id IS NOT NULL
          THEN jsonb_build_object('type', source_type, 'id', source_id) END AS source_line${side === 'purchase' ? billAccount : sql``}
      FROM invoice_lines
      WHERE ${columnNamed(SIDES[side].invoice_key)} = ANY(${ids}::uuid[]) ORDER BY position`),
  );
