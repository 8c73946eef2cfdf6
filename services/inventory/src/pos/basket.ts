/** Basket of a sale: lines with names, prices and taxes from the catalogue, and totals. */
import { catalogueRequest, computeTotals, toDraftLines, type LineRules, productAccounts } from '@suite/document-lines';
import type { Product } from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../operations.ts';
import { productsOf, taxesOf } from '../rpc/catalogue.ts';
import type { PosOrderInput } from './pos-order.schema.ts';

const keep = (product: Product | undefined) => ({
  product_id: product!.product_id,
  product_name: product!.name,
  sku: product!.sku,
  ...productAccounts(product),
});
const RULES: LineRules<ReturnType<typeof keep>> = { price: 'sale_price', keep };

/** Calculates the lines and totals of a basket. @throws a 422 fault that names the field */
export async function basketOf(db: Db, { lines: requestedLines, discount }: PosOrderInput, currency: string) {
  const { product_ids, tax_ids } = catalogueRequest(requestedLines);
  const products = await productsOf(db, product_ids);
  const taxes = tax_ids.length > 0 ? await taxesOf(db, tax_ids) : [];
  const lines = toDraftLines(requestedLines, { products, taxes }, RULES);
  return { lines, totals: computeTotals(lines, currency, discount ?? null) };
}

export type Basket = Awaited<ReturnType<typeof basketOf>>;
