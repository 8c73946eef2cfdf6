import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Product, Tax } from '@suite/proto/inventory/v1/inventory';
import { assertActive, catalogueRequest, productAccounts, toDraftLines } from './document-lines.ts';

const taxOf = (more: Partial<Tax> = {}): Tax => ({
  tax_id: randomUUID(),
  name: 'VAT',
  rate: '20',
  kind: 'percent',
  inclusive: false,
  compound: false,
  active: true,
  ...more,
});
const productOf = (more: Partial<Product> = {}): Product => ({
  product_id: randomUUID(),
  name: 'Engine',
  sku: 'E-1',
  type: 'product',
  description: '',
  sale_price: '19.99',
  purchase_price: '5',
  taxes: [],
  unit_id: '',
  unit_name: 'piece',
  track_stock: true,
  income_account_id: '',
  expense_account_id: '',
  stock_account_id: '',
  active: true,
  ...more,
});

const vat = taxOf();
const old = taxOf({ active: false });
const engine = productOf({ taxes: [vat, old] });
const gone = productOf({ active: false });
const catalogue = { products: [engine, gone], taxes: [vat, old] };
const nothing = () => ({});
const sold = (...lines: object[]) =>
  toDraftLines(
    lines.map((line) => ({ qty: '1', ...line })),
    catalogue,
    { price: 'sale_price', keep: nothing },
  );
const refusal = (field: string, message: string) =>
  expect.objectContaining({ status: 422, errors: { [field]: [message] } });
const refusedAs = (...lines: object[]) => {
  try {
    return sold(...lines);
  } catch (error) {
    return error;
  }
};

test('a line copies the names, the price and the active taxes of its product', () => {
  expect(sold({ product_id: engine.product_id, qty: '2' })).toEqual([
    {
      product_id: engine.product_id,
      product_name: 'Engine',
      sku: 'E-1',
      unit_name: 'piece',
      description: null,
      qty: '2',
      unit_price: '19.99',
      discount: null,
      taxes: [{ id: vat.tax_id, name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false }],
    },
  ]);
});

test('a line keeps its own price, text, discount and taxes', () => {
  const discount = { type: 'percent', value: '5' } as const;
  const own = { description: 'Repaired', unit_price: '7', discount, tax_ids: [] };
  expect(sold({ product_id: engine.product_id, ...own })).toMatchObject([
    { product_name: 'Engine', description: 'Repaired', unit_price: '7', discount, taxes: [] },
  ]);
});

test('a purchase uses the purchase price, and a document adds product columns', () => {
  const lines = [{ product_id: engine.product_id, qty: '1' }];
  const product = productOf({ ...engine, stock_account_id: 'S' });
  const bought = toDraftLines(
    lines,
    { products: [product], taxes: [] },
    { price: 'purchase_price', keep: productAccounts },
  );
  const accounts = { income_account_id: null, expense_account_id: null, stock_account_id: 'S' };
  expect(bought).toMatchObject([{ unit_price: '5', ...accounts }]);
});

test('a line of free text has no product data', () => {
  expect(sold({ description: 'Advice', unit_price: '100', tax_ids: [vat.tax_id] })).toMatchObject([
    { product_id: null, product_name: null, sku: null, unit_name: null, taxes: [{ id: vat.tax_id }] },
  ]);
});

test('a line has no number or unit if its product has none', () => {
  const bare = productOf({ sku: '', unit_name: '' });
  const lines = toDraftLines(
    [{ product_id: bare.product_id, qty: '1' }],
    { products: [bare], taxes: [] },
    { price: 'sale_price', keep: nothing },
  );
  expect(lines).toMatchObject([{ sku: null, unit_name: null }]);
});

describe('an error of a line', () => {
  const text = { description: 'Advice', unit_price: '1' };
  test.each<[string, object, string, string]>([
    ['an unknown product', { product_id: randomUUID() }, 'product_id', 'Product not found.'],
    ['an archived product', { product_id: gone.product_id }, 'product_id', 'This product is archived.'],
    ['an unknown tax', { ...text, tax_ids: [randomUUID()] }, 'tax_ids', 'Tax not found.'],
    ['an archived tax', { ...text, tax_ids: [vat.tax_id, old.tax_id] }, 'tax_ids', 'This tax is archived.'],
    ['neither product nor text', { unit_price: '1' }, 'description', 'Enter a product or a description.'],
    ['text without a price', { description: 'Advice' }, 'unit_price', 'Enter a price.'],
  ])('names its field: %s', (_, line, field, message) =>
    expect(refusedAs(line)).toEqual(refusal(`lines.0.${field}`, message)),
  );

  test('names the position of its line', () => {
    const refused = refusedAs(text, { product_id: randomUUID() });
    expect(refused).toEqual(refusal('lines.1.product_id', 'Product not found.'));
  });
});

test('requests each product and tax from inventory once', () => {
  const lines = [
    { product_id: 'P', tax_ids: ['A', 'B'] },
    { product_id: 'P', tax_ids: ['B'] },
    { product_id: null },
    {},
  ];
  const ids = { product_ids: ['P'], tax_ids: ['A', 'B'] };
  expect(catalogueRequest(lines)).toEqual({ ...ids, warehouse_ids: [] });
  expect(catalogueRequest(lines, ['W'])).toEqual({ ...ids, warehouse_ids: ['W'] });
});

test('returns an active record unchanged', () => {
  expect(assertActive(engine, 'product_id', 'product')).toBe(engine);
});
