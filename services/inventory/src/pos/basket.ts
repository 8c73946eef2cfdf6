/** What is sold, as the catalogue has it: names and prices of products, and the taxes that their lines bear. */
import { invalid, sql } from '@suite/chassis';
import { AmountRefused, documentTotals } from '@suite/money';
import type { Db } from '../operations.ts';
import type { PosOrderInput } from './pos-order.schema.ts';

interface Offer {
  id: string;
  name: string;
  sku: string;
  active: boolean;
  sale_price: string;
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  tax_ids: string[];
}

/** A tax as a sale keeps it, in a JSON column. */
export type Levied = {
  id: string;
  name: string;
  rate: string;
  kind: 'percent' | 'fixed';
  inclusive: boolean;
  compound: boolean;
};

/** The products of a sale. @throws a 422 for one that is unknown or archived */
async function offersOf(db: Db, lines: PosOrderInput['lines']): Promise<Offer[]> {
  const ids = lines.map(({ product_id }) => product_id);
  const rows = await db.rows<Offer>(sql`
    SELECT id, name, sku, active, sale_price, income_account_id, expense_account_id, stock_account_id,
      ARRAY(SELECT tax_id FROM product_taxes JOIN taxes ON taxes.id = tax_id AND taxes.active
        WHERE product_taxes.product_id = products.id ORDER BY product_taxes.position) AS tax_ids
    FROM products WHERE id = ANY(${ids}::uuid[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, at) => {
    const offer = found.get(id);
    if (!offer) throw invalid(`lines.${at}.product_id`, 'There is no such product.');
    if (!offer.active) throw invalid(`lines.${at}.product_id`, 'This product is archived.');
    return offer;
  });
}

/** The taxes that lines name. @throws a 422 for one that is unknown or archived */
async function taxesOf(db: Db, wanted: readonly string[][]): Promise<Levied[][]> {
  const ids = [...new Set(wanted.flat())];
  if (ids.length === 0) return wanted.map(() => []);
  const rows = await db.rows<Levied>(sql`
    SELECT id, name, trim_scale(rate)::text AS rate, kind, inclusive, compound FROM taxes
    WHERE id = ANY(${ids}::uuid[]) AND active`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return wanted.map((some, at) =>
    some.map((id) => {
      const tax = found.get(id);
      if (!tax) throw invalid(`lines.${at}.tax_ids`, 'There is no such tax, or it is archived.');
      return tax;
    }),
  );
}

/** Computes what a sale comes to. @throws a 422 that names what it cannot be computed from */
function totalsOf(input: Parameters<typeof documentTotals<Levied>>[0]) {
  try {
    return documentTotals(input);
  } catch (error) {
    if (error instanceof AmountRefused) throw invalid(error.field, error.message);
    throw error;
  }
}

/** What is sold and what it comes to, line by line. */
export async function basketOf(db: Db, { lines, discount }: PosOrderInput, currency: string) {
  const offers = await offersOf(db, lines);
  const levied = await taxesOf(
    db,
    lines.map(({ tax_ids }, at) => tax_ids ?? offers[at]!.tax_ids),
  );
  const priced = lines.map((line, at) => ({
    qty: line.qty,
    unit_price: line.unit_price ?? offers[at]!.sale_price,
    discount: line.discount ?? null,
    taxes: levied[at]!,
  }));
  const totals = totalsOf({ currency, lines: priced, discount: discount ?? null });
  return { offers, priced, totals };
}

export type Basket = Awaited<ReturnType<typeof basketOf>>;
