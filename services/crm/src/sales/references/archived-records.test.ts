/** Tests that archived customers, products and taxes stay usable in the documents that already contain them. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { finance, inventory, shop: openShop } = await openCrm();
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
let product_id: string;
let tax_id: string;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
  tax_id = shop.stock.tax().tax_id;
  product_id = shop.stock.product();
});

const line = () => ({ product_id, qty: '2', unit_price: '10.00', tax_ids: [tax_id] });
const post = (path: string, body: object = {}) => shop.owner.post(`/api/${path}`, body);

function archive(): void {
  finance.customers.get(sales.customer_id)!.active = false;
  inventory.products.get(product_id)!.active = false;
  inventory.taxes.get(tax_id)!.active = false;
}

const DRAFTS: Record<string, { make: () => Promise<{ id: string }>; path: string }> = {
  quote: { make: () => sales.quote({ lines: [line()] }), path: 'sales/quotes/update' },
  'sales order': { make: () => sales.order({ lines: [line()] }), path: 'sales/sales-order/update' },
  proposal: { make: () => sales.proposal({ lines: [line()] }), path: 'sales-proposal/update' },
};

describe.each(Object.entries(DRAFTS))('a %s', (_, { make, path }) => {
  test('keeps its archived product and tax when it is changed', async () => {
    const { id } = await make();
    archive();
    expect(await post(`${path}/${id}`, { lines: [{ ...line(), qty: '3' }] })).toMatchObject({
      status: 200,
      body: { data: { total: '36.00' } },
    });
  });

  test('rejects other archived products and taxes', async () => {
    const { id } = await make();
    const others = [
      [{ product_id: shop.stock.product({ active: false }) }, 'product_id'],
      [{ tax_ids: [shop.stock.tax({ active: false }).tax_id] }, 'tax_ids'],
    ] as const;
    for (const [other, field] of others)
      expect(await post(`${path}/${id}`, { lines: [{ ...line(), ...other }] })).toMatchObject({
        status: 422,
        body: { errors: { [`lines.0.${field}`]: [expect.stringContaining('is archived')] } },
      });
  });
});

const CONVERSIONS: Record<string, { agreed: () => Promise<string>; convert: (id: string) => ReturnType<typeof post> }> =
  {
    'a quote becomes an order': {
      async agreed() {
        const { id } = await sales.quote({ lines: [line()] });
        for (const status of ['sent', 'accepted']) await sales.updateQuote(id, { status });
        return id;
      },
      convert: (quote_id) => post('sales/sales-order/store', { quote_id }),
    },
    'an order is confirmed': {
      agreed: async () => (await sales.order({ lines: [line()] })).id,
      convert: (id) => sales.updateOrder(id, { status: 'confirmed' }),
    },
    'an order becomes an invoice': {
      async agreed() {
        const { id } = await sales.order({ lines: [line()] });
        await sales.updateOrder(id, { status: 'confirmed' });
        return id;
      },
      convert: (id) => post(`sales/sales-order/convert-to-invoice/${id}`),
    },
    'a proposal becomes an invoice': {
      async agreed() {
        const { id } = await sales.proposal({ lines: [line()] });
        for (const verb of ['sent', 'accept']) await sales.propose(id, verb);
        return id;
      },
      convert: (id) => post(`sales-proposal/convert-to-invoice/${id}`),
    },
  };

test.each(Object.entries(CONVERSIONS))('%s after its records were archived', async (_, { agreed, convert }) => {
  const id = await agreed();
  archive();
  const { status, body } = await convert(id);
  expect([200, 201]).toContain(status);
  expect(body.data).toMatchObject({ customer_id: sales.customer_id, total: '24.00', lines: [{ product_id }] });
});
