/** What tests of invoices and returns write down again and again. */
import { randomUUID } from 'node:crypto';
import type { Product, Tax } from '@suite/proto/inventory/v1/inventory';
import { booksFixture } from './books.ts';
import type { Company } from './fixture.ts';
import type { standInInventory } from './inventory.ts';

type Body = Record<string, unknown>;

/** A company that trades, with what inventory knows of its goods. */
export function trading(company: Company, { taxes, products, shelf }: ReturnType<typeof standInInventory>) {
  const { owner } = company;
  const office = booksFixture(company);
  const tax = (more: Partial<Tax> = {}): Tax => {
    const tax_id = randomUUID();
    const vat = { tax_id, name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false, active: true };
    taxes.set(tax_id, { ...vat, ...more });
    return taxes.get(tax_id)!;
  };
  const product = (more: Partial<Product> = {}, level?: { on_hand: number; value: string }): string => {
    const product_id = randomUUID();
    const nothing = { income_account_id: '', expense_account_id: '', stock_account_id: '', unit_id: '', unit_name: '' };
    const usual = { name: 'Engine', sku: `E-${product_id.slice(0, 4)}`, type: 'product', description: '' };
    const prices = { sale_price: '19.99', purchase_price: '5.00', taxes: [], track_stock: true, active: true };
    products.set(product_id, { product_id, ...nothing, ...usual, ...prices, ...more });
    if (level) shelf.put(product_id, level.on_hand, level.value);
    return product_id;
  };
  const make = (noun: string, body: Body) => owner.post(`/api/${noun}/create`, body);
  const act = (noun: string, verb: string, id: string, query = '') => owner.post(`/api/${noun}/${verb}/${id}${query}`);
  /** The invoice of G1, for goods of G12. */
  async function first() {
    const vat = tax();
    const product_id = product({ taxes: [vat] }, { on_hand: 15, value: '110.00' });
    const customer = await office.customer();
    const lines = [
      { product_id, qty: '3', discount: { type: 'percent', value: '10' } },
      { description: 'Installation', qty: '1', unit_price: '100.00', tax_ids: [vat.tax_id] },
    ];
    const draft = (await make('sales-invoice', { customer_id: customer.id, invoice_date: '2026-03-10', lines })).body;
    return { ...draft.data, product_id, customer };
  }
  return {
    ...office,
    tax,
    product,
    make,
    act,
    first,
    show: (noun: string, id: string) => owner.get(`/api/${noun}/show/${id}`),
  };
}
