/** Lines with the copy of their product and taxes, before their amounts are calculated. */
import { invalid } from '@suite/chassis/faults';
import type { Discount } from '@suite/chassis/fields';
import type { BatchGetCatalogueResponse, Product, Tax } from '@suite/proto/inventory/v1/inventory';
import { assertActive, assertKnown } from './catalogue.ts';
import type { LineInput, TaxSnapshot } from './line.schema.ts';

/** Line before its amounts are calculated, as every document stores it. */
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

/** The rules that differ between kinds of documents. */
export interface LineRules<Kept extends object> {
  /** The default price of a line. */
  price: 'sale_price' | 'purchase_price';
  /** IDs of products and taxes that the document already contains, and that may be archived. */
  written?: ReadonlySet<string>;
  /** Returns the additional columns of a line from its product. Undefined for free text. */
  keep: (product: Product | undefined) => Kept;
}

/** Returns the copy of a tax that a line stores. */
export const taxSnapshot = ({ tax_id, name, rate, kind, inclusive, compound }: Tax): TaxSnapshot => ({
  id: tax_id,
  name,
  rate,
  kind: kind === 'fixed' ? 'fixed' : 'percent',
  inclusive,
  compound,
});

/** Returns the names of a product that a line stores. */
export const productNames = (product: Product | undefined): Pick<DraftLine, 'product_name' | 'sku' | 'unit_name'> => ({
  product_name: product?.name ?? null,
  sku: product?.sku || null,
  unit_name: product?.unit_name || null,
});

/** Returns the accounts of a product that a line stores. Null for the default accounts. */
export const productAccounts = (product: Product | undefined) => ({
  income_account_id: product?.income_account_id || null,
  expense_account_id: product?.expense_account_id || null,
  stock_account_id: product?.stock_account_id || null,
});

/**
 * Returns the taxes of a line: the named taxes, or else the active taxes of its product. @throws a 422 that names the
 * field
 */
function taxesOf(
  { tax_ids }: LineInput,
  field: string,
  product: Product | undefined,
  { taxes, written }: { taxes: ReadonlyMap<string, Tax>; written: ReadonlySet<string> },
): TaxSnapshot[] {
  if (!tax_ids) return (product?.taxes ?? []).filter((tax) => tax.active).map(taxSnapshot);
  const assertTax = (id: string) =>
    (written.has(id) ? assertKnown : assertActive)(taxes.get(id), `${field}.tax_ids`, 'tax');
  return tax_ids.map((id) => taxSnapshot(assertTax(id)));
}

/** Returns the IDs of the products and taxes of stored lines. They stay allowed in the document after being archived. */
export const storedIds = (lines: readonly Pick<DraftLine, 'product_id' | 'taxes'>[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ product_id, taxes }) => [...(product_id ? [product_id] : []), ...taxes.map(({ id }) => id)]),
  );

/**
 * Converts the lines of a body to draft lines with the data from inventory.
 * @throws a 422 that names the field (`lines.0.product_id`) for an unknown record, or an archived one that is not in `written`
 */
export function toDraftLines<Kept extends object>(
  lines: readonly LineInput[],
  catalogue: Pick<BatchGetCatalogueResponse, 'products' | 'taxes'>,
  { price, keep, written = new Set() }: LineRules<Kept>,
): (DraftLine & Kept)[] {
  const products = new Map(catalogue.products.map((product) => [product.product_id, product]));
  const taxes = new Map(catalogue.taxes.map((tax) => [tax.tax_id, tax]));
  return lines.map((line, at) => {
    const field = `lines.${at}`;
    const { product_id = null, description = null, qty, discount = null } = line;
    const assertProduct = product_id && written.has(product_id) ? assertKnown : assertActive;
    const product = product_id ? assertProduct(products.get(product_id), `${field}.product_id`, 'product') : undefined;
    if (!product && !description) throw invalid(`${field}.description`, 'Enter a product or a description.');
    const unit_price = line.unit_price ?? product?.[price];
    if (unit_price === undefined) throw invalid(`${field}.unit_price`, 'Enter a price.');
    const names = product ? productNames(product) : { ...productNames(undefined), unit_name: line.unit_name ?? null };
    const agreed = { product_id, ...names, description, qty, unit_price, discount };
    return { ...keep(product), ...agreed, taxes: taxesOf(line, field, product, { taxes, written }) };
  });
}
