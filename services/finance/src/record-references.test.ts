/** References to finance records that the caller cannot see. Such records are neither used nor changed nor revealed. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, type Member, type Reply, forwardedCaller } from '@suite/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { type Company, openFinance } from '../test/fixture.ts';

const { serving, company } = await openFinance();
const lines = [{ description: 'Advice', qty: '2', unit_price: '10.00' }];
let ours: Company;
let limitedUser: Member;
let customer_id: string;
let vendor_id: string;
let invoice_id: string;

beforeAll(async () => {
  ours = await company();
  const make = async (path: string, body: object = {}) => (await ours.owner.post(path, body)).body.data.id as string;
  customer_id = await make('/api/v1/customers', { name: 'Secret', external_id: 'shop-1' });
  vendor_id = await make('/api/vendors/create', { name: 'Secret' });
  const invoice = { customer_id, invoice_date: '2026-03-10', lines };
  await make('/api/v1/invoices', { ...invoice, external_id: 'shop-2' });
  invoice_id = await make('/api/sales-invoice/create', invoice);
  await make(`/api/sales-invoice/post/${invoice_id}`);
  const nouns = ['customer', 'vendor', 'sales_invoice', 'purchase_invoice', 'sales_return', 'commission'];
  const record_scopes = Object.fromEntries(nouns.map((noun) => [noun, 'own' as const]));
  limitedUser = ours.member({ user_id: randomUUID(), record_scopes });
});

const draft = { invoice_date: '2026-03-10', lines };
const returnInput = {
  return_date: '2026-03-11',
  reason: 'damaged',
  lines: [{ invoice_line_id: randomUUID(), qty: '1' }],
};

const comparable = ({ status, body }: Reply) => ({ status, errors: body.errors, message: body.message });

describe('a document', () => {
  test.each([
    ['/api/sales-invoice/create', 'customer_id', (id: string) => ({ customer_id: id, ...draft }), () => customer_id],
    ['/api/v1/invoices', 'customer_id', (id: string) => ({ customer_id: id, ...draft }), () => customer_id],
    ['/api/purchase-invoice/create', 'vendor_id', (id: string) => ({ vendor_id: id, ...draft }), () => vendor_id],
    [
      '/api/sales-invoice-return/create',
      'invoice_id',
      (id: string) => ({ invoice_id: id, ...returnInput }),
      () => invoice_id,
    ],
  ])('is rejected by %s for a hidden %s like for an unknown ID', async (path, field, body, hidden) => {
    const refused = await limitedUser.post(path, body(hidden()));
    expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
    expect(comparable(refused)).toEqual(comparable(await limitedUser.post(path, body(randomUUID()))));
  });
});

test.each([
  ['/api/v1/customers', () => ({ name: 'Secret', external_id: 'shop-1' })],
  ['/api/v1/customers', () => ({ name: 'Guess', external_id: 'shop-1' })],
  ['/api/v1/invoices', (own: string) => ({ customer_id: own, ...draft, external_id: 'shop-2' })],
])('%s reveals nothing about a hidden record with the same external ID', async (path, body) => {
  const own = (await limitedUser.post('/api/v1/customers', { name: 'Own' })).body.data.id;
  const { external_id } = body(own);
  const reply = await limitedUser.post(path, body(own));
  expect(reply).toMatchObject({ status: 409, body: { code: 'external_id_taken' } });
  expect(reply.body.details).toEqual({ external_id });
});

test('other services receive only customers that their caller sees', async () => {
  const ask = async ({ caller }: Member) => {
    const address = `127.0.0.1:${serving.grpc_port}`;
    const clients = connectRpc({ finance: { definition: FinanceServiceDefinition, address } }, keysOf('inventory'));
    const { finance } = clients.as(forwardedCaller('inventory', caller), randomUUID());
    const { customers } = await finance.batchGetCustomers({ customer_ids: [customer_id] });
    return customers.length;
  };
  expect(await ask(ours.owner)).toBe(1);
  expect(await ask(limitedUser)).toBe(0);
});

test('an in_use fault of a customer reveals nothing about hidden documents', async () => {
  const own = (await limitedUser.post('/api/v1/customers', { name: 'Own' })).body.data.id;
  const drafted = await ours.owner.post('/api/revenues/create', {
    customer_id: own,
    date: '2026-03-10',
    amount: '10.00',
    category_id: (await ours.owner.get('/api/revenue-categories')).body.data[0].id,
    bank_account_id: (await ours.owner.get('/api/bank-accounts')).body.data[0].id,
  });
  expect(drafted.status).toBe(201);
  const details = { open_items: 0, payments: 0, revenues: 1 };
  const narrow = ours.member({
    user_id: limitedUser.caller.user_id,
    record_scopes: { customer: 'own', revenue: 'own' },
  });
  for (const [by, revenues] of [
    [narrow, 0],
    [ours.owner, 1],
  ] as const)
    expect(await by.delete(`/api/customers/delete/${own}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { ...details, revenues } },
    });
});
