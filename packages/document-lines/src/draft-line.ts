/** Lines with the copy of their product and taxes, before they have figures. */
import { type Discount, invalid } from '@suite/chassis';
import type { BatchGetCatalogueResponse, Product, Tax } from '@suite/proto/inventory/v1/inventory';
import { assertActive } from './catalogue.ts';
import type { LineInput, TaxSnapshot } from './line.schema.ts';

/** A line before it has figures, as every document keeps it. */
export interface DraftLine {
  product_id: string | null;
  product_name: string | null;
  sku: string | null;
  unit_name: string | null;
  description: string | null;
  qty: string;
  unit_price: string;
  discount: Discount | null;
  taxes: TaxSnapshot[];
}

/** The rules in which the documents of one kind differ. */
export interface LineRules<Kept extends object> {
  /** The price of a line that names none. */
  price: 'sale_price' | 'purchase_price';
  /** The further columns of a line that come from its product; free text has none. */
  keep: (product: Product | undefined) => Kept;
}

/** A tax as a line keeps it. */
export const taxSnapshot = ({ tax_id, name, rate, kind, inclusive, compound }: Tax): TaxSnapshot => ({
  id: tax_id,
  name,
  rate,
  kind: kind === 'fixed' ? 'fixed' : 'percent',
  inclusive,
  compound,
});

/** The names of a product, as a line keeps them. */
export const productNames = (product: Product | undefined): Pick<DraftLine, 'product_name' | 'sku' | 'unit_name'> => ({
  product_name: product?.name ?? null,
  sku: product?.sku || null,
  unit_name: product?.unit_name || null,
});

/** The accounts of a product, as a line keeps them; null for the usual ones. */
export const productAccounts = (product: Product | undefined) => ({
  income_account_id: product?.income_account_id || null,
  expense_account_id: product?.expense_account_id || null,
  stock_account_id: product?.stock_account_id || null,
});

/** The taxes of a line: those that it names, else the active ones of its product. @throws a 422 that names the field */
function taxesOf(
  { tax_ids }: LineInput,
  field: string,
  product: Product | undefined,
  taxes: ReadonlyMap<string, Tax>,
): TaxSnapshot[] {
  if (!tax_ids) return (product?.taxes ?? []).filter((tax) => tax.active).map(taxSnapshot);
  return tax_ids.map((id) => taxSnapshot(assertActive(taxes.get(id), `${field}.tax_ids`, 'tax')));
}

/**
 * Lines of a body with the copy of what inventory says of them.
 * @throws a 422 that names the field (`lines.0.product_id`) for a record that is unknown there or archived
 */
export function toDraftLines<Kept extends object>(
  lines: readonly LineInput[],
  catalogue: Pick<BatchGetCatalogueResponse, 'products' | 'taxes'>,
  { price, keep }: LineRules<Kept>,
): (DraftLine & Kept)[] {
  const products = new Map(catalogue.products.map((product) => [product.product_id, product]));
  const taxes = new Map(catalogue.taxes.map((tax) => [tax.tax_id, tax]));
  return lines.map((line, at) => {
    const field = `lines.${at}`;
    const { product_id = null, description = null, qty, discount = null } = line;
    const product = product_id ? assertActive(products.get(product_id), `${field}.product_id`, 'product') : undefined;
    if (!product && !description) throw invalid(`${field}.description`, 'Enter a product or a description.');
    const unit_price = line.unit_price ?? product?.[price];
    if (unit_price === undefined) throw invalid(`${field}.unit_price`, 'Enter a price.');
    const names = product ? productNames(product) : { ...productNames(undefined), unit_name: line.unit_name ?? null };
    const agreed = { product_id, ...names, description, qty, unit_price, discount };
    return { ...keep(product), ...agreed, taxes: taxesOf(line, field, product, taxes) };
  });
}
