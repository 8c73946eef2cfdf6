/** Tests of reversals and cancellations on a separate date. Locked periods never change. */
import { describe, expect, test } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { openTestBooks } from '../../../test/books.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { inventory, ours, office, bank } = await openTestBooks();
const trade = setUpFixture(async () => tradingSteps(ours, inventory));

const lines = [{ description: 'Advice', qty: '1', unit_price: '100.00' }];

async function cash(kind: 'revenue' | 'expense', more: object = {}): Promise<string> {
  const body = { bank_account_id: bank.id, date: '2026-10-10', amount: '100.00', ...more };
  const id = await (kind === 'revenue' ? office.approvedRevenue(body) : office.approvedExpense(body));
  expect(await office.act('post', id, `${kind}s`)).toMatchObject({ status: 200 });
  return id;
}

async function invoice(side: 'sales' | 'purchase', more: object = {}): Promise<string> {
  const party =
    side === 'sales' ? { customer_id: (await office.customer()).id } : { vendor_id: (await office.vendor()).id };
  const { id } = (await trade.make(`${side}-invoice`, { ...party, invoice_date: '2026-10-10', lines, ...more })).body
    .data;
  expect(await trade.act(`${side}-invoice`, 'post', id)).toMatchObject({ status: 200 });
  return id;
}

const settled = async (): Promise<string> => {
  const { id: customer_id } = await office.customer();
  const invoice_id = await office.invoice(customer_id, '60.00', { date: '2026-10-01' });
  return await cash('revenue', { customer_id, invoice_allocations: [{ invoice_id, amount: '60.00' }] });
};

const transferred = async (): Promise<string> => {
  const other = await office.bank({ account_name: 'Second' });
  const body = { from_account_id: bank.id, to_account_id: other.id, amount: '100.00', date: '2026-10-10' };
  return (await ours.owner.post('/api/bank-transfers/create', body)).body.data.id;
};

const KINDS: [string, string, () => Promise<string>][] = [
  ['a revenue', 'revenues/reverse', () => cash('revenue')],
  ['a payment with its settlement and its advance', 'revenues/reverse', settled],
  ['an expense', 'expenses/reverse', () => cash('expense')],
  ['a bank transfer', 'bank-transfers/reverse', transferred],
  ['a sales invoice', 'sales-invoice/cancel', () => invoice('sales')],
  ['a bill', 'purchase-invoice/cancel', () => invoice('purchase')],
];

describe.each(KINDS)('%s of a locked month', (_, path, create) => {
  test('is reversed on an open day, and the locked month is unchanged', async () => {
    const id = await create();
    const october = async () => (await ours.owner.get('/api/accounting/trial-balance?as_of=2026-10-31')).body.data;
    const before = await october();
    const lock = { scope: 'all', locked_through: '2026-10-31', reason: 'Closed' };
    await ours.owner.post('/api/period-locks/create', lock);
    const reverse = (body: object = {}) => ours.owner.post(`/api/${path}/${id}`, body);
    expect(await reverse()).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(await reverse({ date: '2026-10-31' })).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(await reverse({ date: '2026-09-01' })).toMatchObject({
      status: 422,
      body: { code: 'before_document', errors: { date: [expect.any(String)] } },
    });
    expect(await reverse({ date: '2026-11-05' })).toMatchObject({ status: 200 });
    expect(await october()).toEqual(before);
    const { accounts } = (await ours.owner.get('/api/accounting/trial-balance?as_of=2026-11-30')).body.data;
    const own = accounts.filter(({ name }: { name: string }) => !['Trade receivables', 'Sales'].includes(name));
    expect(own.filter(({ balance }: { balance: string }) => balance !== '0.00')).toEqual([]);
    expect(await reverse({ date: '2026-11-06' })).toMatchObject({ status: 200 });
  });
});

test('a reconciled entry is reversed on a new date by a separate bank transaction', async () => {
  const id = await settled();
  const [moved] = (await ours.owner.get(`/api/bank-transactions?bank_account_id=${bank.id}`)).body.data;
  await ours.owner.post(`/api/bank-transactions/reconcile/${moved.id}`);
  const reverse = (body: object) => ours.owner.post(`/api/revenues/reverse/${id}`, body);
  expect(await reverse({})).toMatchObject({ status: 409, body: { code: 'reconciled' } });
  expect(await reverse({ date: '2026-10-20' })).toMatchObject({ status: 200, body: { data: { status: 'reversed' } } });
  const all = (await ours.owner.get(`/api/bank-transactions?bank_account_id=${bank.id}&sort=date`)).body.data;
  expect(all).toMatchObject([
    { date: '2026-10-10', direction: 'in', status: 'reconciled' },
    { date: '2026-10-20', direction: 'out', status: 'unreconciled' },
  ]);
  const [payment] = (await ours.owner.get('/api/customer-payments')).body.data;
  expect(payment).toMatchObject({ status: 'voided' });
});
