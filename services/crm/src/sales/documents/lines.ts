/**
 * Lines of quotes, orders and proposals. Product and taxes are requested from inventory when a line is written, and
 * stored in the line. A document therefore always shows the original offer, even if the product changes later.
 */
import { sql } from '@suite/chassis/database';
import type { Discount } from '@suite/chassis/fields';
import { type Expansion, many } from '@suite/chassis/lists';
import {
  catalogueRequest,
  computeTotals,
  type DraftLine as Draft,
  type LineInput,
  type LineRules,
  toDraftLines,
  storedIds,
} from '@suite/document-lines';
import { sum } from '@suite/money';
import { columnNamed, type Db, type Read, type Rpc } from '../../operations.ts';
import { Prisma } from '../../generated/client.ts';

/** Column that references the document of a line. */
export type DocumentKey = 'quote_id' | 'sales_order_id' | 'proposal_id';

type LineUnit = { unit_id: string | null };

/** Line before its amounts are computed. */
export type DraftLine = Draft & LineUnit;

const SALE: LineRules<LineUnit> = { price: 'sale_price', keep: (product) => ({ unit_id: product?.unit_id || null }) };

const NOTHING = { products: [], taxes: [] };

/**
 * Requests products and taxes of lines from inventory. Runs before the transaction, and only if a line names a product
 * or a tax.
 * @throws a 422 that names the field (`lines.0.product_id`) for unknown or archived products and taxes
 */
export async function fetchLines(
  rpc: Rpc,
  lines: readonly LineInput[] | undefined,
  written?: ReadonlySet<string>,
): Promise<DraftLine[] | undefined> {
  if (!lines) return undefined;
  const request = { ...catalogueRequest(lines), without_warehouses: true };
  const isNothing = request.product_ids.length + request.tax_ids.length === 0;
  return toDraftLines(lines, isNothing ? NOTHING : await rpc.inventory.batchGetCatalogue(request), {
    ...SALE,
    ...(written && { written }),
  });
}

/**
 * Requests the same for an update. The lines may keep the archived products and taxes of the document.
 * @throws a 422 that names the field, for other archived or unknown products and taxes
 */
export async function fetchChangedLines(
  { rpc, read }: { rpc: Rpc; read: Read },
  document: { key: DocumentKey; id: string },
  lines: readonly LineInput[] | undefined,
): Promise<DraftLine[] | undefined> {
  return lines && (await fetchLines(rpc, lines, storedIds(await read((db) => linesOf(db, document)))));
}

/** Returns `DbNull` for null, as Prisma requires for JSON columns. */
const jsonOrNull = (value: object | null) => value ?? Prisma.DbNull;

/** Replaces the lines of a document. Returns the new values of the document's columns. */
export async function writeLines(
  db: Db,
  document: { key: DocumentKey; id: string },
  lines: readonly DraftLine[],
  { currency, discount }: { currency: string; discount: Discount | null },
) {
  const { lines: figures, taxes: levied, ...sums } = computeTotals(lines, currency, discount);
  const of = { [document.key]: document.id };
  await db.salesLine.deleteMany({ where: of });
  await db.salesLine.createMany({
    data: lines.map((line, position) => {
      const { gross, discount: own, header_discount, net, tax, total, taxes } = figures[position]!;
      const discount_amount = sum([own, header_discount], currency);
      return {
        ...line,
        ...of,
        position,
        gross,
        discount_amount,
        net,
        tax,
        total,
        discount: jsonOrNull(line.discount),
        taxes: [...taxes],
      };
    }),
  });
  return { ...sums, currency, discount: jsonOrNull(discount), taxes: [...levied] };
}

/**
 * Recomputes a document when its lines, its currency or its discount change. `undefined` leaves each unchanged.
 * @returns the new values of the document's columns. Undefined if nothing changes
 */
export async function repriceLines(
  db: Db,
  document: { key: DocumentKey; id: string },
  before: { currency: string; discount: unknown },
  changes: { lines: DraftLine[] | undefined; currency: string | undefined; discount: Discount | null | undefined },
) {
  const { lines, currency = before.currency, discount = before.discount as Discount | null } = changes;
  if ((lines ?? changes.currency ?? changes.discount) === undefined) return undefined;
  return await writeLines(db, document, lines ?? (await linesOf(db, document)), { currency, discount });
}

/** Returns the lines of a document in their original form, to recompute the document. */
export async function linesOf(db: Db, { key, id }: { key: DocumentKey; id: string }): Promise<DraftLine[]> {
  return await db.rows<DraftLine>(sql`
    SELECT product_id, product_name, sku, unit_id, unit_name, description, qty, unit_price, discount, taxes
    FROM sales_lines WHERE ${columnNamed(key)} = ${id}::uuid ORDER BY position`);
}

const TAX_IDS = sql`ARRAY(SELECT levied ->> 'id' FROM jsonb_array_elements(taxes) AS levied)`;

/** Returns the expansion with the lines of documents. */
export const documentLines = (db: Db, key: DocumentKey): Expansion =>
  many(key, (ids) =>
    db.rows(sql`
      SELECT *, ${TAX_IDS} AS tax_ids FROM sales_lines WHERE ${columnNamed(key)} = ANY(${ids}::uuid[]) ORDER BY position`),
  );
