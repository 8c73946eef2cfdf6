import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../test/audit.ts';
import { type Company, openFinance } from '../../test/fixture.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
beforeEach(async () => {
  ours = await company();
});
const customer = (body: object = {}) => ours.owner.post('/api/v1/customers', { name: 'Initech', ...body });

describe('API version 1', () => {
  test('returns a customer with a known external ID, unless fields differ', async () => {
    const external_id = randomUUID();
    const first = await customer({ external_id, phone: '+44 20 7946 0018', currency: 'EUR' });
    const fewer = await customer({ external_id, currency: 'EUR' });
    expect(fewer).toMatchObject({ status: 200, body: { data: first.body.data } });
    expect(await customer({ external_id, phone: '+44 20 7946 0019' })).toMatchObject({
      status: 409,
      body: { code: 'external_id_taken', details: { fields: ['phone'] } },
    });
    const { id } = first.body.data;
    const renamed = await ours.owner.put(`/api/v1/customers/${id}`, { name: 'Initrode' });
    expect(renamed.body.data).toMatchObject({ external_id, phone: '+44 20 7946 0018' });
  });

  test('creates a customer once per external ID, shared with /api/customers', async () => {
    const external_id = randomUUID();
    const replies = await runConcurrently(10, () => customer({ external_id }));
    expect(sortedStatuses(replies)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    const [{ id }] = replies.map(({ body }) => body.data);
    expect((await ours.owner.get('/api/customers')).body.data).toMatchObject([{ id, external_id, name: 'Initech' }]);
    const changed = await ours.owner.put(`/api/v1/customers/${id}`, { name: 'Initrode', version: 1 });
    expect(changed.body.data).toMatchObject({ name: 'Initrode', external_id });
    expect(await ours.owner.put(`/api/v1/customers/${id}`, { name: 'Late', version: 1 })).toMatchObject({
      status: 412,
    });
    expect(Object.keys((await ours.owner.get(`/api/v1/customers/${id}`)).body.data).toSorted()).toEqual([
      'active',
      'allowed_actions',
      'billing_address',
      'company',
      'created_at',
      'currency',
      'email',
      'external_id',
      'id',
      'metadata',
      'name',
      'payment_terms_days',
      'phone',
      'shipping_address',
      'tax_number',
      'updated_at',
      'version',
    ]);
  });

  test('shows nothing of a known record to a caller who may not view it', async () => {
    const [external_id, billed] = [randomUUID(), randomUUID()];
    const { id: customer_id } = (await customer({ external_id, phone: '+44 20 7946 0018' })).body.data;
    const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
    const draft = { customer_id, invoice_date: '2026-03-10', external_id: billed, lines };
    await ours.owner.post('/api/v1/invoices', draft);
    const shop = ours.member({ can: ['customer.create', 'sales_invoice.create'] });
    const replies = [
      await shop.post('/api/v1/customers', { name: 'Initech', external_id }),
      await shop.post('/api/v1/customers', { name: 'Initech', external_id, phone: '+44 20 7946 0019' }),
      await shop.post('/api/v1/invoices', draft),
    ];
    const shown = replies.map(({ status, body }) => [status, Object.keys(body.details ?? body.data)]);
    expect(shown).toEqual(Array.from({ length: 3 }, () => [409, ['external_id']]));
    const own = { name: 'Globex', external_id: randomUUID() };
    expect(
      sortedStatuses([await shop.post('/api/v1/customers', own), await shop.post('/api/v1/customers', own)]),
    ).toEqual([200, 201]);
  });

  test('drafts an invoice once per external ID, and lists invoices by cursor', async () => {
    const { id: customer_id } = (await customer()).body.data;
    const lines = [{ description: 'Advice', qty: '2', unit_price: '10.00' }];
    const draft = (external_id: string) =>
      ours.owner.post('/api/v1/invoices', { customer_id, invoice_date: '2026-03-10', external_id, lines });
    expect(sortedStatuses(await runConcurrently(5, () => draft('one')))).toEqual([200, 200, 200, 200, 201]);
    const { id } = (await draft('two')).body.data;
    expect((await ours.owner.get(`/api/v1/invoices/${id}`)).body.data).toMatchObject({
      external_id: 'two',
      total: '20.00',
      balance_due: '0.00',
      status: 'draft',
      lines: [{ qty: '2' }],
    });
    const first = (await ours.owner.get('/api/v1/invoices?per_page=1')).body;
    const second = (await ours.owner.get(`/api/v1/invoices?per_page=1&cursor=${first.meta.next_cursor}`)).body;
    expect([...first.data, ...second.data].map(({ external_id }) => external_id)).toEqual(['two', 'one']);
  });

  test('creates an invoice with the external ID of a cancelled invoice, once', async () => {
    const { id: customer_id } = (await customer()).body.data;
    const external_id = randomUUID();
    const lines = [{ description: 'Advice', qty: '1', unit_price: '50.00' }];
    const body = { customer_id, invoice_date: '2026-03-10', external_id, lines };
    const draft = () => ours.owner.post('/api/v1/invoices', body);
    const { id } = (await draft()).body.data;
    expect(await draft()).toMatchObject({ status: 200, body: { data: { id } } });
    await ours.owner.post(`/api/sales-invoice/post/${id}`);
    expect(await ours.owner.post('/api/sales-invoice/create', body)).toMatchObject({
      status: 409,
      body: { errors: { external_id: [expect.any(String)] } },
    });
    expect(await ours.owner.post(`/api/sales-invoice/cancel/${id}`)).toMatchObject({ status: 200 });
    const replies = await runConcurrently(5, draft);
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 201]);
    const [corrected] = [...new Set(replies.map((reply) => reply.body.data.id))];
    expect(corrected).not.toBe(id);
    const { data } = (await ours.owner.get(`/api/v1/invoices?external_id=${external_id}`)).body;
    expect(data).toMatchObject([
      { id: corrected, status: 'draft' },
      { id, status: 'cancelled' },
    ]);
    const other = (await ours.owner.post('/api/sales-invoice/create', { ...body, external_id: undefined })).body.data;
    expect(await ours.owner.post(`/api/sales-invoice/update/${other.id}`, { external_id })).toMatchObject({
      status: 409,
      body: { errors: { external_id: [expect.any(String)] } },
    });
  });
});
