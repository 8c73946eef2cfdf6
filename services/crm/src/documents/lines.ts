/**
 * The lines of quotes, orders and proposals. What inventory says of a product and its taxes is asked for when a line is
 * written, and kept in it: a document shows for ever what was offered, whatever becomes of the product.
 */
import { type Discount, type Expansion, invalid, many, raw, sql } from '@suite/chassis';
import { AmountRefused, documentTotals, type Tax } from '@suite/money';
import type { Product, Tax as KnownTax } from '@suite/proto/inventory/v1/inventory';
import type { Db, Rpc } from '../operations.ts';
import { Prisma } from '../generated/client.ts';
import type { LineInput } from './document.schema.ts';

/** The column that names the document of a line. */
export type DocumentKey = 'quote_id' | 'sales_order_id' | 'proposal_id';

/** What a line is made of, before it has figures. */
export interface DraftLine {
  product_id: string | null;
  product_name: string | null;
  sku: string | null;
  unit_id: string | null;
  unit_name: string | null;
  description: string | null;
  qty: string;
  unit_price: string;
  discount: Discount | null;
  taxes: Tax[];
}

const frozen = ({ tax_id, name, rate, kind, inclusive, compound }: KnownTax): Tax => ({
  ...{ id: tax_id, name, rate, inclusive, compound },
  kind: kind === 'fixed' ? 'fixed' : 'percent',
});

const active = <T extends { active: boolean }>(found: readonly T[], idOf: (one: T) => string): Map<string, T> =>
  new Map(found.filter((one) => one.active).map((one) => [idOf(one), one]));

/** The taxes of a line: those that it names, else those of its product. @throws a 422 that names the field */
function taxesOf(line: LineInput, field: string, product: Product | undefined, known: Map<string, KnownTax>): Tax[] {
  if (!line.tax_ids) return (product?.taxes ?? []).filter((tax) => tax.active).map(frozen);
  return line.tax_ids.map((id) => {
    const tax = known.get(id);
    if (!tax) throw invalid(`${field}.tax_ids`, 'There is no such tax.');
    return frozen(tax);
  });
}

function draftOf(line: LineInput, at: number, products: Map<string, Product>, taxes: Map<string, KnownTax>): DraftLine {
  const field = `lines.${at}`;
  const { product_id = null, description = null, qty, discount = null } = line;
  const product = product_id ? products.get(product_id) : undefined;
  if (product_id && !product) throw invalid(`${field}.product_id`, 'There is no such product.');
  if (!product && !description) throw invalid(`${field}.description`, 'Name a product, or say what this line is.');
  const unit_price = line.unit_price ?? product?.sale_price;
  if (unit_price === undefined) throw invalid(`${field}.unit_price`, 'Say what it costs.');
  return {
    ...{ product_id, description, qty, discount, unit_price },
    product_name: product?.name ?? null,
    sku: product?.sku || null,
    unit_id: product?.unit_id || null,
    unit_name: product?.unit_name || null,
    taxes: taxesOf(line, field, product, taxes),
  };
}

/**
 * Asks inventory what lines are made of; before the transaction.
 * @throws a 422 that names the field (`lines.0.product_id`) for what is unknown there or archived
 */
export async function askForLines(rpc: Rpc, lines: readonly LineInput[] | undefined): Promise<DraftLine[] | undefined> {
  if (!lines) return undefined;
  const product_ids = [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))];
  const tax_ids = [...new Set(lines.flatMap((line) => line.tax_ids ?? []))];
  const [{ products }, { taxes }] = await Promise.all([
    product_ids.length > 0 ? rpc.inventory.batchGetProducts({ product_ids }) : { products: [] },
    tax_ids.length > 0 ? rpc.inventory.batchGetTaxes({ tax_ids }) : { taxes: [] },
  ]);
  const known = active(products, ({ product_id }) => product_id);
  const levied = active(taxes, ({ tax_id }) => tax_id);
  return lines.map((line, at) => draftOf(line, at, known, levied));
}

/** Where a refusal of @suite/money stands in a body. */
const fieldInBody = (field: string): string => field.replace(/\.taxes(\..*)?$/, '.tax_ids') || 'lines';

/**
 * What a document comes to, and each of its lines. Computed by @suite/money, as everywhere.
 * @throws a 422 that names the field for amounts that nobody would owe
 */
export function priced(lines: readonly DraftLine[], currency: string, discount: Discount | null) {
  try {
    const { lines: figures, ...sums } = documentTotals({ currency, discount, lines });
    const { subtotal, discount_total, net_total, tax_total, total, taxes } = sums;
    const header = { subtotal, discount_total, net_total, tax_total, total, taxes: taxes as unknown as object[] };
    return { header, figures };
  } catch (error) {
    if (error instanceof AmountRefused) throw invalid(fieldInBody(error.field), error.message);
    throw error;
  }
}

/** Null is a value of a JSON column only by this name. */
export const jsonOrNull = (value: object | null) => value ?? Prisma.DbNull;

/** Writes the lines of a document in place of those that it had, and returns what its own columns become. */
export async function writeLines(
  db: Db,
  document: { key: DocumentKey; id: string },
  lines: readonly DraftLine[],
  { currency, discount }: { currency: string; discount: Discount | null },
) {
  const { header, figures } = priced(lines, currency, discount);
  const of = { [document.key]: document.id };
  await db.salesLine.deleteMany({ where: of });
  await db.salesLine.createMany({
    data: lines.map((line, position) => {
      const { gross, discount: own, header_discount, net, tax, total, taxes } = figures[position]!;
      return {
        ...{ ...line, ...of, position, gross, net, tax, total },
        discount: jsonOrNull(line.discount),
        // Gross less what is left of it: exact, since both have the currency's decimals.
        discount_amount: new Prisma.Decimal(own).plus(header_discount).toFixed(),
        taxes: taxes as unknown as Prisma.InputJsonValue[],
      };
    }),
  });
  return { ...header, currency, discount: jsonOrNull(discount) };
}

/** The lines of a document as they were written, to compute it anew. */
export async function linesOf(db: Db, { key, id }: { key: DocumentKey; id: string }): Promise<DraftLine[]> {
  return await db.rows<DraftLine>(sql`
    SELECT product_id, product_name, sku, unit_id, unit_name, description, qty, unit_price, discount, taxes
    FROM sales_lines WHERE ${raw(key)} = ${id}::uuid ORDER BY position`);
}

const TAX_IDS = sql`ARRAY(SELECT levied ->> 'id' FROM jsonb_array_elements(taxes) AS levied)`;

/** The lines of documents, for expansions. */
export const linesIn = (db: Db, key: DocumentKey): Expansion =>
  many(key, (ids) =>
    db.rows(sql`
      SELECT *, ${TAX_IDS} AS tax_ids FROM sales_lines WHERE ${raw(key)} = ANY(${ids}::uuid[]) ORDER BY position`),
  );
