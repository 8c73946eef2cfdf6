import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { booksFixture } from '../test/books.ts';
import { everything, openFinance } from '../test/fixture.ts';

const { company, serving } = await openFinance();

/** Creates a client with an invoiced customer, and another customer. Does the same for a vendor. */
async function createTrade() {
  const ours = await company();
  const office = booksFixture(ours);
  const [client_id, vendor_id] = [randomUUID(), randomUUID()];
  const make = async (path: string, body: object = {}) => (await ours.owner.post(path, body)).body.data;
  const createParty = async (noun: 'customer' | 'vendor', user_id: string | null) => {
    const { id } = await office[noun]({ name: `${noun} of ${user_id}` });
    await ours.transact(({ db }) =>
      noun === 'customer'
        ? db.customer.updateMany({ where: { id }, data: { user_id } })
        : db.vendor.updateMany({ where: { id }, data: { user_id } }),
    );
    return id as string;
  };
  const invoice = async (side: 'sales' | 'purchase', party_id: string, post = true) => {
    const party = side === 'sales' ? { customer_id: party_id } : { vendor_id: party_id };
    const lines = [{ description: 'Advice', qty: '2', unit_price: '10.00' }];
    const { id } = await make(`/api/${side}-invoice/create`, { invoice_date: '2026-03-10', lines, ...party });
    if (post) await make(`/api/${side}-invoice/post/${id}`);
    return id as string;
  };
  const [mine, others] = [await createParty('customer', client_id), await createParty('customer', null)];
  const [ownVendor, otherVendor] = [await createParty('vendor', vendor_id), await createParty('vendor', null)];
  return {
    ...ours,
    client: ours.member({ user_id: client_id, kind: 'client', role: 'client' }),
    vendor: ours.member({ user_id: vendor_id, kind: 'vendor', role: 'vendor' }),
    sales: {
      posted: await invoice('sales', mine),
      draft: await invoice('sales', mine, false),
      other: await invoice('sales', others),
    },
    purchases: { posted: await invoice('purchase', ownVendor), other: await invoice('purchase', otherVendor) },
  };
}

const idsOf = (reply: { body: { data: { id: string }[] } }) => reply.body.data.map(({ id }) => id);

describe('a client', () => {
  test('sees posted invoices of their customer, and neither drafts nor other invoices', async () => {
    const { client, sales } = await createTrade();
    expect(idsOf(await client.get('/api/sales-invoice'))).toEqual([sales.posted]);
    expect(idsOf(await client.get('/api/v1/invoices'))).toEqual([sales.posted]);
    for (const id of [sales.draft, sales.other]) {
      expect((await client.get(`/api/sales-invoice/show/${id}`)).status).toBe(404);
      expect((await client.get(`/api/v1/invoices/${id}`)).status).toBe(404);
      const printed = await client.get(`/api/sales-invoice/show/${id}`, { headers: { accept: 'application/pdf' } });
      expect(printed.status).toBe(404);
    }
  });

  test('sees the total and the paid amount of an invoice, but not its cost', async () => {
    const { client, sales } = await createTrade();
    const { data } = (await client.get(`/api/sales-invoice/show/${sales.posted}`)).body;
    expect(data).toMatchObject({
      total: '20.00',
      paid: '0.00',
      balance_due: '20.00',
      customer: { name: expect.any(String) },
    });
    for (const field of ['agent_id', 'journal_id', 'external_id', 'pending_effects', 'warehouse_id'])
      expect(data).not.toHaveProperty(field);
    expect(data.lines[0]).toMatchObject({ total: '20.00' });
    expect(data.lines[0]).not.toHaveProperty('cost');
    expect((await client.get('/api/sales-invoice?agent_id[null]=true')).status).toBe(422);
  });

  test('cannot see or filter by the external ID of an invoice on any route', async () => {
    const { client, sales } = await createTrade();
    for (const path of ['/api/v1/invoices', '/api/sales-invoice']) {
      const { data } = (await client.get(path)).body;
      expect(data).toHaveLength(1);
      expect(data[0]).not.toHaveProperty('external_id');
      expect((await client.get(`${path}?external_id[null]=true`)).status).toBe(422);
    }
    expect((await client.get(`/api/v1/invoices/${sales.posted}`)).body.data).not.toHaveProperty('external_id');
  });

  test('can download the PDF of their invoice', async () => {
    const { client, sales } = await createTrade();
    const accept = { headers: { accept: 'application/pdf' } };
    const printed = await client.get(`/api/sales-invoice/show/${sales.posted}`, accept);
    expect([printed.status, printed.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  test('has no access to customers, payments and the ledger, regardless of the role', async () => {
    const { client } = await createTrade();
    const customers = (await client.get('/api/customers')).body.data;
    expect(customers).toMatchObject([{ user_id: client.caller.user_id, balance: '20.00' }]);
    for (const path of ['/api/vendors', '/api/purchase-invoice', '/api/journal-entries', '/api/bank-accounts'])
      expect((await client.get(path)).body.data).toEqual([]);
  });

  test('cannot change an invoice of another customer', async () => {
    const { client, sales } = await createTrade();
    for (const verb of ['post', 'cancel'])
      expect((await client.post(`/api/sales-invoice/${verb}/${sales.other}`)).status).toBe(404);
    expect((await client.delete(`/api/sales-invoice/delete/${sales.draft}`)).status).toBe(404);
  });
});

describe('a vendor', () => {
  test('sees only their own purchases', async () => {
    const { vendor, purchases } = await createTrade();
    expect(idsOf(await vendor.get('/api/purchase-invoice'))).toEqual([purchases.posted]);
    expect((await vendor.get(`/api/purchase-invoice/show/${purchases.other}`)).status).toBe(404);
    expect((await vendor.get('/api/sales-invoice')).body.data).toEqual([]);
  });

  test('does not see the internal reference and notes of a purchase', async () => {
    const { owner, vendor, purchases } = await createTrade();
    const path = `/api/purchase-invoice/show/${purchases.posted}`;
    expect((await owner.get(path)).body.data).toMatchObject({ reference: null, notes: null });
    const { data } = (await vendor.get(path)).body;
    for (const field of ['reference', 'notes']) expect(data).not.toHaveProperty(field);
    expect((await vendor.get('/api/purchase-invoice?reference=x')).status).toBe(422);
  });

  test('finds a purchase by its number, and not by its internal reference', async () => {
    const { owner, vendor, purchases } = await createTrade();
    await serving.sql`
      UPDATE purchase_invoices SET reference = 'Confidential', vendor_reference = 'Shipment 77' WHERE id = ${purchases.posted}::uuid`;
    const { number } = (await owner.get(`/api/purchase-invoice/show/${purchases.posted}`)).body.data;
    const searchAs = async (person: typeof owner, q: string) =>
      (await person.get(`/api/purchase-invoice?q=${q}&fields=id`)).body.data.map(({ id }: { id: string }) => id);
    expect(await searchAs(owner, 'confid')).toEqual([purchases.posted]);
    expect(await searchAs(vendor, 'confid')).toEqual([]);
    for (const q of [number, 'shipment 7']) expect(await searchAs(vendor, q)).toEqual([purchases.posted]);
  });
});

test('staff with the scope own see their own invoices, and full amounts of customers', async () => {
  const ours = await createTrade();
  const colleague = ours.member({ can: everything, record_scopes: { sales_invoice: 'own' } });
  expect((await colleague.get('/api/sales-invoice')).body.data).toEqual([]);
  expect((await colleague.get(`/api/sales-invoice/show/${ours.sales.posted}`)).status).toBe(404);
  const balances = (await colleague.get('/api/customers?sort=code')).body.data.map(
    ({ balance }: { balance: string }) => balance,
  );
  expect(balances).toEqual(['20.00', '20.00']);
});

const AMOUNTS = [
  'balance',
  'overdue_balance',
  'base_balance',
  'base_overdue_balance',
  'balances',
  'opening_balance',
  'credit_limit',
  'credit_available',
];

describe.each([
  ['customers', 'customer', 'sales_invoice.view'],
  ['vendors', 'vendor', 'purchase_invoice.view'],
] as const)('the amounts of %s', (list, noun, permission) => {
  test(`are visible to staff with ${permission}`, async () => {
    const basic = ['view', 'create', 'update'].map((verb) => `${noun}.${verb}`);
    const readAs = async (can: string[]) => {
      const by = (await createTrade()).member({ can });
      const { data } = (await by.get(`/api/${list}`)).body;
      expect(data).toHaveLength(2);
      const made = await by.post(`/api/${list}/create`, { name: randomUUID(), credit_limit: '50.00' });
      const changed = await by.post(`/api/${list}/update/${made.body.data.id}`, { name: randomUUID() });
      return [...data, made.body.data, changed.body.data].map((row) => AMOUNTS.filter((name) => name in row).length);
    };
    expect(await readAs([...basic, permission])).toEqual([8, 8, 8, 8]);
    expect(await readAs(basic)).toEqual([0, 0, 0, 0]);
  });
});
