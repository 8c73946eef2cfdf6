import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openTestBooks } from '../../../test/books.ts';

const { serving, ours, office, bank } = await openTestBooks();
const act = (verb: string, id: string, kind = 'revenues') => office.act(verb, id, kind);
const createApproved = (body: object = {}, kind = 'revenues'): Promise<string> => {
  const input = { bank_account_id: bank.id, ...body };
  return kind === 'revenues' ? office.approvedRevenue(input) : office.approvedExpense(input);
};
describe('a locked period', () => {
  test('rejects entries, except during its exception', async () => {
    const id = await createApproved();
    const lock = await ours.owner.post('/api/period-locks/create', {
      scope: 'sales',
      locked_through: '2026-03-31',
      reason: 'First quarter',
    });
    expect(lock).toMatchObject({ status: 201 });
    expect(await act('post', id)).toMatchObject({
      status: 409,
      body: {
        code: 'period_locked',
        details: { scope: 'sales', locked_through: '2026-03-31', reason: 'First quarter' },
      },
    });
    const spent = await createApproved({}, 'expenses');
    expect(await act('post', spent, 'expenses')).toMatchObject({ status: 200 });
    const except = { exception_until: '2999-01-01T00:00:00Z', exception_reason: 'A late bill' };
    await ours.owner.post(`/api/period-locks/update/${lock.body.data.id}`, except);
    expect(await act('post', id)).toMatchObject({ status: 200 });
  });

  test('accepts postings that began before the lock, and none after it', async () => {
    const ids = await runConcurrently(50, () => createApproved());
    const locked = ours.owner.post('/api/period-locks/create', {
      scope: 'all',
      locked_through: '2026-12-31',
      reason: 'Year',
    });
    const replies = await runConcurrently(50, (at) => act('post', ids[at]!));
    expect(await locked).toMatchObject({ status: 201 });
    expect(new Set([...sortedStatuses(replies), 200, 409])).toEqual(new Set([200, 409]));
    const [late] = await serving.sql`
      SELECT count(*)::int AS count FROM journal_entries AS entry JOIN period_locks AS lock USING (workspace_id)
      WHERE entry.workspace_id = ${ours.workspace} AND entry.created_at > lock.created_at + interval '1 second'`;
    expect(late!.count).toBe(0);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(
      (await serving.sql`SELECT FROM journal_entries WHERE workspace_id = ${ours.workspace}`).length,
    );
  });
});

describe('a lock of banking', () => {
  const lock = (scope: string) =>
    ours.owner.post('/api/period-locks/create', { scope, locked_through: '2026-09-30', reason: 'Closed' });
  const date = '2026-09-10';
  const closed = { status: 409, body: { code: 'period_locked', details: { scope: 'banking' } } };

  test('rejects documents of every kind that use a bank account', async () => {
    const { id: customer_id } = await office.customer();
    const { id: vendor_id } = await office.vendor();
    const invoice_id = await office.invoice(customer_id, '100.00', { date: '2026-09-01' });
    const drafts = {
      plain: await createApproved({ date }),
      payment: await createApproved({ date, customer_id, invoice_allocations: [{ invoice_id, amount: '100.00' }] }),
    };
    const spent = [await createApproved({ date }, 'expenses'), await createApproved({ date, vendor_id }, 'expenses')];
    const settled = await createApproved({ date, customer_id, amount: '10.00' });
    await act('post', settled);
    await lock('banking');
    for (const id of Object.values(drafts)) expect(await act('post', id)).toMatchObject(closed);
    for (const id of spent) expect(await act('post', id, 'expenses')).toMatchObject(closed);
    expect(await act('reverse', settled)).toMatchObject(closed);
    const other = await office.bank({ account_name: 'Second' });
    const transfer = { from_account_id: bank.id, to_account_id: other.id, amount: '1.00', date };
    expect(await ours.owner.post('/api/bank-transfers/create', transfer)).toMatchObject(closed);
  });

  test('accepts documents without a bank account, and a sales lock covers receivables', async () => {
    const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
    const draft = async () => {
      const { id: customer_id } = await office.customer();
      const body = { customer_id, invoice_date: date, lines };
      return (await ours.owner.post('/api/sales-invoice/create', body)).body.data.id as string;
    };
    const ids = [await draft(), await draft()];
    await lock('banking');
    expect(await ours.owner.post(`/api/sales-invoice/post/${ids[0]}`)).toMatchObject({ status: 200 });
    await lock('sales');
    expect(await ours.owner.post(`/api/sales-invoice/post/${ids[1]}`)).toMatchObject({
      status: 409,
      body: { code: 'period_locked', details: { scope: 'sales' } },
    });
  });
});
