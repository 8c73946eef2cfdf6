import { beforeEach, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { finance, shop: openShop } = await openCrm();
let shop: Shop;
let euros: string;
let dollars: string;
beforeEach(async () => {
  shop = await openShop();
  euros = shop.customer({ billing_address: 'Euro Street 1', shipping_address: 'Euro Dock 1' });
  dollars = shop.customer({
    name: 'Bea Inc',
    currency: 'USD',
    billing_address: 'Dollar Street 2',
    shipping_address: 'Dollar Dock 2',
  });
});

const lines = [{ description: 'Advice', qty: '1', unit_price: '100.00' }];
const KINDS = {
  quote: {
    store: '/api/sales/quotes/store',
    update: (id: string) => `/api/sales/quotes/update/${id}`,
    body: { expiry_date: '2099-01-31', lines },
  },
  'sales order': {
    store: '/api/sales/sales-order/store',
    update: (id: string) => `/api/sales/sales-order/update/${id}`,
    body: { lines },
  },
  proposal: {
    store: '/api/sales-proposal/create',
    update: (id: string) => `/api/sales-proposal/update/${id}`,
    body: { valid_until: '2099-01-31', lines },
  },
};

function operations({ store, update, body }: (typeof KINDS)[keyof typeof KINDS]) {
  const write = async (more: object = {}): Promise<string> => {
    const { status, body: written } = await shop.owner.post(store, { customer_id: euros, ...body, ...more });
    expect(status).toBe(201);
    return written.data.id;
  };
  return { write, change: (id: string, changes: object) => shop.owner.post(update(id), changes) };
}

describe.each(Object.entries(KINDS))('a %s with another customer', (_, kind) => {
  const { write, change } = operations(kind);

  test('requires the currency if the customer uses another one', async () => {
    const id = await write();
    const { status, body: refused } = await change(id, { customer_id: dollars });
    expect(status).toBe(422);
    expect(refused.errors).toMatchObject({ currency: [expect.stringContaining('Specify the currency')] });
    for (const currency of ['USD', 'EUR']) {
      const accepted = await change(await write(), { customer_id: dollars, currency });
      expect(accepted.body.data).toMatchObject({ customer_id: dollars, customer_name: 'Bea Inc', currency });
    }
  });

  test('needs no currency for the same currency or the same customer', async () => {
    const id = await write({ currency: 'USD' });
    expect((await change(id, { customer_id: euros })).body.data).toMatchObject({ currency: 'USD' });
    expect((await change(id, { customer_id: dollars })).body.data).toMatchObject({ currency: 'USD' });
  });

  test('accepts the same customer again after the customer was archived', async () => {
    const id = await write();
    const known = finance.customers.get(euros)!;
    known.active = false;
    expect((await change(id, { customer_id: euros })).status).toBe(200);
    const archived = shop.customer({ active: false });
    expect((await change(id, { customer_id: archived })).status).toBe(422);
    expect((await change(id, { customer_id: dollars, currency: 'USD' })).status).toBe(200);
  });
});

describe.each(['quote', 'sales order'] as const)('a %s with addresses', (name) => {
  const { write, change } = operations(KINDS[name]);

  test('has the addresses of the new customer, unless they were written', async () => {
    const id = await write({ shipping_address: 'Own Yard 3' });
    const { data } = (await change(id, { customer_id: dollars, currency: 'USD' })).body;
    expect(data).toMatchObject({ billing_address: 'Dollar Street 2', shipping_address: 'Own Yard 3' });
    const next = await change(await write(), { customer_id: dollars, currency: 'USD', billing_address: 'Box 4' });
    expect(next.body.data).toMatchObject({ billing_address: 'Box 4', shipping_address: 'Dollar Dock 2' });
  });
});
