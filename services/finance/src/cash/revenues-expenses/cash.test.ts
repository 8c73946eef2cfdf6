import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { booksFixture } from '../../../test/books.ts';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, inventory, company } = await openFinance({ replicas: 2 });
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let office: ReturnType<typeof booksFixture>;
let bank: { id: string };
beforeEach(async () => {
  ours = await company();
  office = booksFixture(ours);
  bank = await office.bank();
});

const revenue = (body: object = {}) => office.revenue({ bank_account_id: bank.id, ...body });
const act = (verb: string, id: string, kind = 'revenues', query = '') => office.act(verb, id, kind, query);
const createApproved = (body: object = {}, kind = 'revenues'): Promise<string> => {
  const input = { bank_account_id: bank.id, ...body };
  return kind === 'revenues' ? office.approvedRevenue(input) : office.approvedExpense(input);
};
const sides = (id: string) => office.sides(id);
const tax = () => {
  return inventory.in(ours.workspace).tax({ rate: '19' }).tax_id;
};

describe('a revenue', () => {
  test('is recorded, approved and posted with its included tax', async () => {
    const reply = await revenue({ tax_id: tax(), reference: 'R-1' });
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { status: 'draft', net: '100.00', tax_amount: '19.00', number: null, currency: 'EUR' } },
    });
    const { id, allowed_actions } = reply.body.data;
    expect(allowed_actions).toEqual(['approve', 'update', 'delete']);
    expect(await act('post', id)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'post', allowed: allowed_actions } },
    });
    expect((await act('approve', id)).body.data).toMatchObject({
      status: 'approved',
      allowed_actions: ['unapprove', 'post'],
    });
    const posted = await act('post', id);
    expect(posted).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'posted',
          number: 'REV-2026-00001',
          allowed_actions: ['reverse'],
          journal: { number: 'JE-000001' },
        },
      },
    });
    expect(await sides(id)).toEqual({
      'Example Bank Main': '119.00',
      Services: '-100.00',
      'Output tax': '-19.00',
    });
    expect(
      (await serving.sql`SELECT type FROM journal_events WHERE aggregate_id = ${id}`).map(({ type }) => type),
    ).toEqual(['finance.revenue.posted']);
  });

  test('is posted once by fifty concurrent requests to two replicas', async () => {
    const id = await createApproved();
    const replies = await runConcurrently(50, () => act('post', id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(await serving.sql`SELECT FROM journal_entries WHERE source_id = ${id}`).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.data.number))).toEqual(new Set(['REV-2026-00001']));
  });

  test('shows its entry in a dry run, and changes nothing', async () => {
    const id = await createApproved();
    const preview = await act('post', id, 'revenues', '?dry_run=true');
    expect(preview.body.data).toMatchObject({
      status: 'posted',
      journal: { lines: [{ debit: '119.00' }, { credit: '119.00' }] },
    });
    expect(await serving.sql`SELECT FROM journal_entries WHERE source_id = ${id}`).toEqual([]);
    expect((await act('post', id)).body.data.number).toBe('REV-2026-00001');
  });

  test('can be updated and deleted only as a draft', async () => {
    const id = await createApproved();
    const refused = { status: 409, body: { code: 'invalid_transition', details: { from: 'approved' } } };
    expect(await ours.owner.post(`/api/revenues/update/${id}`, { amount: '1.00' })).toMatchObject(refused);
    expect(await ours.owner.delete(`/api/revenues/delete/${id}`)).toMatchObject(refused);
    expect((await act('unapprove', id)).body.data).toMatchObject({ status: 'draft', approved_by: null });
    const changed = await ours.owner.post(`/api/revenues/update/${id}`, { amount: '7.00', tax_id: tax() });
    expect(changed.body.data).toMatchObject({ amount: '7.00', net: '5.88', tax_amount: '1.12' });
    expect(await ours.owner.post(`/api/revenues/update/${id}`, { amount: '8.00', version: 1 })).toMatchObject({
      status: 412,
    });
    expect(await ours.owner.delete(`/api/revenues/delete/${id}`)).toMatchObject({ status: 200 });
  });

  test.each([
    ['with an amount of zero', { amount: '0' }, 'amount'],
    ['with too many decimals', { amount: '1.001' }, 'amount'],
    ['with an unknown bank account', { bank_account_id: randomUUID() }, 'bank_account_id'],
    ['with an unknown category', { category_id: randomUUID() }, 'category_id'],
    ['with an unknown tax', { tax_id: randomUUID() }, 'tax_id'],
    ['with an unknown customer', { customer_id: randomUUID() }, 'customer_id'],
    [
      'if it settles invoices without a customer',
      { invoice_allocations: [{ invoice_id: randomUUID(), amount: '1.00' }] },
      'customer_id',
    ],
  ])('is rejected %s', async (_, body, field) => {
    expect(await revenue(body)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('is approved by another user if four-eyes approval is required', async () => {
    await serving.sql`UPDATE books SET four_eyes = TRUE WHERE workspace_id = ${ours.workspace}`;
    const { id } = (await revenue()).body.data;
    expect(await act('approve', id)).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    expect(await ours.member().post(`/api/revenues/approve/${id}`)).toMatchObject({ status: 200 });
  });
});

describe('an expense', () => {
  test('separates its included tax and is paid from the bank', async () => {
    const id = await createApproved({ tax_id: tax(), amount: '119.00' }, 'expenses');
    expect((await act('post', id, 'expenses')).body.data.number).toBe('EXP-2026-00001');
    expect(await sides(id)).toEqual({ Rent: '100.00', 'Input tax': '19.00', 'Example Bank Main': '-119.00' });
  });

  test('is a payment if it settles an outstanding amount of a vendor', async () => {
    const vendor = await office.vendor({ opening_balance: '50.00', opening_date: '2026-01-01' });
    const id = await createApproved(
      { vendor_id: vendor.id, bill_allocations: [{ invoice_id: vendor.opening_balance_id, amount: '50.00' }] },
      'expenses',
    );
    await act('post', id, 'expenses');
    expect(await sides(id)).toEqual({
      'Trade payables': '50.00',
      'Advances to vendors': '30.00',
      'Example Bank Main': '-80.00',
    });
    const [payment] = (await ours.owner.get('/api/vendor-payments?expand=allocations,vendor')).body.data;
    expect(payment).toMatchObject({
      number: 'VPAY-2026-00001',
      amount: '80.00',
      unallocated: '30.00',
      vendor: { name: 'Globex' },
      allocations: [{ document_type: 'opening_balance', amount: '50.00' }],
    });
    const [shown] = (await ours.owner.get('/api/vendors')).body.data;
    expect(shown).toMatchObject({ balance: '-30.00', opening_balance: '50.00' });
  });
});
