/** Steps shared by the tests of invoices and returns. */
import type { Product } from '@suite/proto/inventory/v1/inventory';
import { booksFixture } from './books.ts';
import type { Company, openFinance } from './fixture.ts';

type RequestBody = Record<string, unknown>;

/** Returns the steps of a trading company, with its goods in inventory. */
export function tradingSteps(company: Company, inventory: Awaited<ReturnType<typeof openFinance>>['inventory']) {
  const { owner, workspace } = company;
  const { tax, ...catalogue } = inventory.in(workspace);
  const office = booksFixture(company);
  /** Adds a product, by default an engine at 19.99. Its stock is unlimited unless a level is given. */
  const product = (more: Partial<Product> = {}, level?: { on_hand: number; value: string }): string => {
    const product_id = catalogue.product(more);
    if (level) inventory.shelf.put(product_id, level.on_hand, level.value);
    return product_id;
  };
  const make = (noun: string, body: RequestBody) => owner.post(`/api/${noun}/create`, body);
  const act = (noun: string, verb: string, id: string, query = '') => owner.post(`/api/${noun}/${verb}/${id}${query}`);
  /**
   * Drafts an invoice of 10 March 2026 for a new customer: three engines at 19.99 less 10 %, and an installation at
   * 100.00, with 20 % VAT. The total is 184.76. Fifteen engines are in stock, with a value of 110.00.
   */
  async function createFirstInvoice() {
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
    createFirstInvoice,
    show: (noun: string, id: string) => owner.get(`/api/${noun}/show/${id}`),
  };
}
