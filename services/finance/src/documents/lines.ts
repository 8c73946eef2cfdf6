/**
 * The lines of invoices. What inventory says of a product, its accounts and its taxes is asked when a line is written, and
 * kept in it: a document says for ever what it said, whatever becomes of the product.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type Discount, type Expansion, invalid, many, sql } from '@suite/chassis';
import { documentTotals, type LineFigures, type Tax } from '@suite/money';
import type {
  BatchGetCatalogueResponse,
  Product,
  Tax as KnownTax,
  Warehouse,
} from '@suite/proto/inventory/v1/inventory';
import { namedBy, refusals } from '../accounts/usable.ts';
import { figured } from '../ledger/amount.rules.ts';
import type { Prisma } from '../generated/client.ts';
import type { Db, Rpc } from '../operations.ts';
import { insertRows } from '../rows.ts';
import { columnNamed } from '../tables.ts';
import type { LineInput } from './document.schema.ts';
import { type Trade, TRADE } from './kind.ts';

/** What a line is made of, before it has figures. */
export interface DraftLine {
  /** Of a line that is there already: it stays the same line. */
  id?: string;
  product_id: string | null;
  product_name: string | null;
  sku: string | null;
  unit_name: string | null;
  description: string | null;
  tracked: boolean;
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  qty: string;
  unit_price: string;
  discount: Discount | null;
  taxes: Tax[];
}

const frozen = ({ tax_id, name, rate, kind, inclusive, compound }: KnownTax): Tax => ({
  ...{ id: tax_id, name, rate, inclusive, compound },
  kind: kind === 'fixed' ? 'fixed' : 'percent',
});

const byId = <T>(found: readonly T[], idOf: (one: T) => string): Map<string, T> =>
  new Map(found.map((one) => [idOf(one), one]));

/** What is named, as inventory knows it. @throws a 422 that names the field, and says which: unknown or archived */
export function offered<T extends { active: boolean }>(
  known: ReadonlyMap<string, T>,
  id: string,
  field: string,
  noun: string,
): T {
  const found = known.get(id);
  if (!found) throw invalid(field, `There is no such ${noun}.`);
  if (!found.active) throw invalid(field, `This ${noun} is archived.`);
  return found;
}

/** The taxes of a line: those that it names, else those of its product. @throws a 422 that names the field */
function taxesOf(line: LineInput, field: string, product: Product | undefined, known: Map<string, KnownTax>): Tax[] {
  if (!line.tax_ids) return (product?.taxes ?? []).filter((tax) => tax.active).map(frozen);
  return line.tax_ids.map((id) => frozen(offered(known, id, `${field}.tax_ids`, 'tax')));
}

/** What is kept of a product. */
export const productFacts = (product: Product | undefined) => ({
  product_name: product?.name ?? null,
  sku: product?.sku || null,
  unit_name: product?.unit_name || null,
  tracked: product?.type === 'product' && product.track_stock,
  income_account_id: product?.income_account_id || null,
  expense_account_id: product?.expense_account_id || null,
  stock_account_id: product?.stock_account_id || null,
});

function draftOf(
  trade: Trade,
  line: LineInput,
  at: number,
  products: Map<string, Product>,
  taxes: Map<string, KnownTax>,
): DraftLine {
  const field = `lines.${at}`;
  const { product_id = null, description = null, qty, discount = null } = line;
  const product = product_id ? offered(products, product_id, `${field}.product_id`, 'product') : undefined;
  if (!product && !description) throw invalid(`${field}.description`, 'Name a product, or say what this line is.');
  const unit_price = line.unit_price ?? (trade === 'sales' ? product?.sale_price : product?.purchase_price);
  if (unit_price === undefined) throw invalid(`${field}.unit_price`, 'Say what it costs.');
  return {
    ...{ product_id, description, qty, discount, unit_price, ...productFacts(product) },
    taxes: taxesOf(line, field, product, taxes),
  };
}

/** What a caller says of an invoice that inventory has to be asked about. */
interface Asked {
  lines?: readonly LineInput[] | undefined;
  warehouse_id?: string | null | undefined;
}

/** What inventory knows of it: products, taxes, and the warehouse or, where none is named, all of them. */
const lookUp = (rpc: Rpc, { lines = [], warehouse_id }: Asked): Promise<BatchGetCatalogueResponse> =>
  rpc.inventory.batchGetCatalogue({
    product_ids: [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))],
    tax_ids: [...new Set(lines.flatMap((line) => line.tax_ids ?? []))],
    warehouse_ids: warehouse_id ? [warehouse_id] : [],
  });

function drafted(
  trade: Trade,
  lines: readonly LineInput[],
  { products, taxes }: Pick<BatchGetCatalogueResponse, 'products' | 'taxes'>,
): DraftLine[] {
  const known = [byId(products, (one) => one.product_id), byId(taxes, (one) => one.tax_id)] as const;
  return lines.map((line, at) => draftOf(trade, line, at, ...known));
}

/** The warehouse that is named, else the default one. @throws a 422 for an unknown or archived one */
export function warehouseAmong(warehouses: readonly Warehouse[], warehouse_id: string | null | undefined) {
  if (warehouse_id)
    offered(
      byId(warehouses, (one) => one.warehouse_id),
      warehouse_id,
      'warehouse_id',
      'warehouse',
    );
  const usable = warehouses.filter((warehouse) => warehouse.active);
  return (usable.find((warehouse) => warehouse.is_default) ?? usable[0])?.warehouse_id ?? null;
}

/**
 * Asks inventory what a new invoice is made of; before the transaction.
 * @throws a 422 that names the field (`lines.0.product_id`) for what is unknown there or archived
 */
export async function askForInvoice(rpc: Rpc, trade: Trade, asked: Asked & { lines: readonly LineInput[] }) {
  const known = await lookUp(rpc, asked);
  return {
    lines: drafted(trade, asked.lines, known),
    warehouse_id: warehouseAmong(known.warehouses, asked.warehouse_id),
  };
}

/** The same for what is changed of an invoice; what is not named stays undefined. @throws a 422 that names the field */
export async function askForChanges(rpc: Rpc, trade: Trade, asked: Asked) {
  const { lines, warehouse_id } = asked;
  if (!lines && !warehouse_id) return { lines, warehouse_id };
  const known = await lookUp(rpc, asked);
  return {
    lines: lines && drafted(trade, lines, known),
    warehouse_id: warehouse_id && warehouseAmong(known.warehouses, warehouse_id),
  };
}

/** Asks inventory where goods are moved. @throws a 422 for an unknown or archived warehouse */
export async function askForWarehouse(rpc: Rpc, warehouse_id: string): Promise<string | null> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [warehouse_id] });
  return warehouseAmong(warehouses, warehouse_id);
}

/** Names money's fields as bodies do. */
const fieldOf = (field: string) => field.replace(/\.taxes.*$/, '.tax_ids');

/** What lines come to, by the one package that computes it. @throws a 422 that names the field */
export const priced = (lines: readonly DraftLine[], currency: string, discount: Discount | null) =>
  figured(() => documentTotals({ currency, discount, lines }), fieldOf);

/** The accounts that products name must be there and take lines. @throws a 422 */
async function assertAccounts(db: Db, lines: readonly DraftLine[]): Promise<void> {
  const named = namedBy(lines);
  const reasons = await refusals(db, named);
  const wrong = reasons.findIndex((reason) => reason !== null);
  if (wrong === -1) return;
  const { at, use } = named[wrong]!;
  throw invalid(`lines.${at}.product_id`, `The ${use} account of this product takes no entries. ${reasons[wrong]}`);
}

/** The columns of a line's figures. */
export const figureColumns = ({ gross, discount, header_discount, net, tax, total, taxes }: LineFigures) => ({
  ...{ gross, header_discount, net, tax, total, line_discount: discount },
  taxes: taxes as unknown as Prisma.InputJsonValue[],
});

/** What an invoice of these lines comes to, and each line of it. @throws a 422 that names the field */
export async function reckoned(db: Db, lines: readonly DraftLine[], currency: string, discount: Discount | null) {
  await assertAccounts(db, lines);
  const { lines: figures, taxes: _, ...header } = priced(lines, currency, discount);
  return { header, rows: lines.map((line, position) => ({ ...line, position, ...figureColumns(figures[position]!) })) };
}

/** Writes the lines of an invoice that has none. */
export const writeLines = (
  db: Db,
  { trade, id }: { trade: Trade; id: string },
  rows: Awaited<ReturnType<typeof reckoned>>['rows'],
): Promise<void> =>
  insertRows(
    db,
    'invoice_lines',
    rows.map((row) => ({ ...row, id: row.id ?? randomUUIDv7(), [TRADE[trade].invoice_key]: id })),
  );

/** The lines of an invoice as they were written, to compute it anew. */
export const draftLines = (db: Db, trade: Trade, id: string): Promise<DraftLine[]> =>
  db.rows<DraftLine>(sql`
    SELECT id, product_id, product_name, sku, unit_name, description, tracked, income_account_id, expense_account_id,
      stock_account_id, qty, unit_price, discount, taxes
    FROM invoice_lines WHERE ${columnNamed(TRADE[trade].invoice_key)} = ${id}::uuid ORDER BY position`);

const returned = sql`
  SELECT coalesce(sum(taken.qty), 0) FROM return_lines AS taken
    LEFT JOIN sales_returns AS sold ON sold.id = taken.sales_return_id
    LEFT JOIN purchase_returns AS bought ON bought.id = taken.purchase_return_id
  WHERE taken.invoice_line_id = invoice_lines.id AND coalesce(sold.status, bought.status) IN ('approved', 'completed')`;

/** The lines of invoices, for expansions. */
export const linesIn = (db: Db, trade: Trade): Expansion =>
  many(TRADE[trade].invoice_key, (ids) =>
    db.rows(sql`
      SELECT *, (${returned})::text AS returned_qty FROM invoice_lines
      WHERE ${columnNamed(TRADE[trade].invoice_key)} = ANY(${ids}::uuid[]) ORDER BY position`),
  );
