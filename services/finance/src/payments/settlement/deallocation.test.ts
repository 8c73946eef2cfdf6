/** Tests of refunded advances and of single deallocations. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { foreignCurrencySteps, type CurrencyAmount, SIDES, type Side } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const sides = ['sales', 'purchase'] as const;
const dollars = (amount: string, rate: string): CurrencyAmount => ({ amount, currency: 'USD', rate });
const party = async (side: Side): Promise<string> =>
  (await (side === 'sales' ? office.customer({ currency: 'USD' }) : office.vendor({ currency: 'USD' }))).id;
const post = (path: string, body: object = {}) => ours.owner.post(`/api/${path}`, body);
const payments = (side: Side) => SIDES[side].payments;
const show = (side: Side, id: string) => office.read(`/api/${side}-invoice/show/${id}`);
const payment = async (side: Side) => (await office.read(`/api/${payments(side)}?expand=allocations,refunds`))[0];

/** Creates two invoices of 100 dollars, paid with 250 dollars: 50 remain as an advance. */
async function createPaid(side: Side) {
  const of = await party(side);
  const ids = [
    await office.createInvoice(side, of, dollars('100.00', '0.90')),
    await office.createInvoice(side, of, dollars('100.00', '0.95')),
  ];
  const parts = ids.map((invoice_id) => ({ invoice_id, amount: '100.00' }));
  expect(await office.pay(side, of, dollars('250.00', '0.92'), parts)).toMatchObject({ status: 200 });
  return { of, ids: ids as [string, string], payment: await payment(side) };
}

describe.each(sides)('an allocation on the side of %s', (side) => {
  test('is undone separately: invoice and payment reopen at their rates', async () => {
    const before = await createPaid(side);
    const [first] = before.payment.allocations;
    const undo = (query = '') =>
      post(`${payments(side)}/deallocate/${before.payment.id}${query}`, {
        allocation_ids: [first.id],
        date: '2026-03-20',
      });
    const rehearsed = await undo('?dry_run=true');
    expect(rehearsed).toMatchObject({ status: 200, body: { data: { unallocated: '150.00' } } });
    expect(await payment(side)).toEqual(before.payment);
    expect(await undo()).toMatchObject({ status: 200, body: { data: { unallocated: '150.00' } } });
    expect(await show(side, before.ids[0])).toMatchObject({ status: 'posted', balance_due: '100.00' });
    expect(await show(side, before.ids[1])).toMatchObject({ status: 'paid', balance_due: '0.00' });
    const [entry] = await office.read('/api/journal-entries?source_type=deallocation&expand=lines');
    expect(entry.date).toBe('2026-03-20');
    const accounts = entry.lines.map(
      ({ account, debit, credit }: { account: { name: string }; debit: string; credit: string }) =>
        `${account.name} ${debit === '0.00' ? `-${credit}` : debit}`,
    );
    expect(accounts.toSorted()).toEqual(
      side === 'sales'
        ? ['Advances from customers -92.00', 'Losses by exchange rates 2.00', 'Trade receivables 90.00']
        : ['Advances to vendors 92.00', 'Gains by exchange rates -2.00', 'Trade payables -90.00'],
    );
  });

  test('is undone once, and only through its own payment', async () => {
    const { payment: made } = await createPaid(side);
    const [first, second] = made.allocations;
    const undo = (ids: string[]) => post(`${payments(side)}/deallocate/${made.id}`, { allocation_ids: ids });
    expect(await undo([first.id, first.id])).toMatchObject({
      status: 422,
      body: { errors: { 'allocation_ids.1': ['Enter each allocation only once.'] } },
    });
    expect(await undo([first.id])).toMatchObject({ status: 200 });
    const gone = { status: 422, body: { errors: { 'allocation_ids.1': ['Allocation not found.'] } } };
    expect(await undo([second.id, first.id])).toMatchObject(gone);
    expect(await undo([second.id, randomUUID()])).toMatchObject(gone);
  });

  test('cannot be undone before its date or in a locked period', async () => {
    const { payment: made } = await createPaid(side);
    const [first] = made.allocations;
    const undo = (date: string) =>
      post(`${payments(side)}/deallocate/${made.id}`, { allocation_ids: [first.id], date });
    expect(await undo('2026-03-09')).toMatchObject({ status: 422, body: { code: 'before_document' } });
    await post('period-locks/create', { scope: 'all', locked_through: '2026-03-31', reason: 'Closed' });
    expect(await undo('2026-03-31')).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(await undo('2026-04-01')).toMatchObject({ status: 200 });
  });

  test('does not prevent the reversal of its payment after it was undone', async () => {
    const { ids, payment: made } = await createPaid(side);
    await post(`${payments(side)}/deallocate/${made.id}`, { allocation_ids: [made.allocations[0].id] });
    const { cash } = SIDES[side];
    expect(await post(`${cash}s/reverse/${made.source_id}`)).toMatchObject({ status: 200 });
    for (const id of ids) expect(await show(side, id)).toMatchObject({ balance_due: '100.00', status: 'posted' });
    const advances = side === 'sales' ? 'customer_advances' : 'vendor_advances';
    expect(await office.balance(advances)).toBe('0.00');
  });

  test('has a separate entry if made later, and can be undone and repeated', async () => {
    const { of, payment: made } = await createPaid(side);
    const invoice_id = await office.createInvoice(side, of, dollars('30.00', '0.97'));
    await office.allocate(side, made.id, [{ invoice_id, amount: '30.00' }]);
    const [, , third] = (await payment(side)).allocations;
    const body = { allocation_ids: [third.id] };
    expect(await post(`${payments(side)}/deallocate/${made.id}`, body)).toMatchObject({ status: 200 });
    expect(await office.allocate(side, made.id, [{ invoice_id, amount: '30.00' }])).toMatchObject({ status: 200 });
    expect(await show(side, invoice_id)).toMatchObject({ status: 'paid' });
  });
});

describe.each(sides)('an advance on the side of %s', (side) => {
  const noun = side === 'sales' ? 'customer' : 'vendor';

  test('can be refunded in part and in full, but not beyond', async () => {
    const { payment: made } = await createPaid(side);
    const bank_account_id = await office.findOrOpenBank('USD');
    const refund = (body: object, query = '') =>
      post(`${payments(side)}/refund/${made.id}${query}`, { bank_account_id, date: '2026-04-02', ...body });
    const rehearsed = await refund({ amount: '20.00' }, '?dry_run=true');
    expect(rehearsed).toMatchObject({ status: 200, body: { data: { unallocated: '30.00' } } });
    expect((await payment(side)).unallocated).toBe('50.00');
    expect(await refund({ amount: '50.01' })).toMatchObject({ status: 409, body: { code: 'over_allocated' } });
    expect(await refund({ date: '2026-03-09' })).toMatchObject({ status: 422, body: { code: 'before_document' } });
    expect(await refund({ amount: '20.00' })).toMatchObject({ status: 200, body: { data: { unallocated: '30.00' } } });
    expect(await refund({})).toMatchObject({ status: 200, body: { data: { unallocated: '0.00' } } });
    expect(await refund({})).toMatchObject({ status: 409, body: { code: 'over_allocated' } });
    const { refunds } = await payment(side);
    expect(refunds).toMatchObject([
      { amount: '20.00', status: 'posted' },
      { amount: '30.00', number: 'REF-2026-00002' },
    ]);
    const [party_shown] = await office.read(`/api/${noun}s`);
    expect(party_shown.balance).toBe('0.00');
  });

  test('reopens when its refund is reversed, but not by a deallocation', async () => {
    const { payment: made } = await createPaid(side);
    const bank_account_id = await office.findOrOpenBank('USD');
    await post(`${payments(side)}/refund/${made.id}`, { bank_account_id, date: '2026-04-02' });
    const { refunds, allocations } = await payment(side);
    const id = allocations.find(({ document_type }: { document_type: string }) => document_type === 'refund').id;
    expect(await post(`${payments(side)}/deallocate/${made.id}`, { allocation_ids: [id] })).toMatchObject({
      status: 409,
      body: { code: 'refund_allocation' },
    });
    const path = `${noun}-refunds/reverse/${refunds[0].id}`;
    const other = side === 'sales' ? 'vendor' : 'customer';
    expect(await post(`${other}-refunds/reverse/${refunds[0].id}`)).toMatchObject({ status: 404 });
    expect(await post(path, { date: '2026-04-01' })).toMatchObject({ status: 422, body: { code: 'before_document' } });
    for (let times = 0; times < 2; times++) {
      const reply = await post(path, { date: '2026-04-05' });
      expect(reply).toMatchObject({ status: 200, body: { data: { status: 'reversed', payment_id: made.id } } });
    }
    expect((await payment(side)).unallocated).toBe('50.00');
    expect(await post(`${SIDES[side].cash}s/reverse/${made.source_id}`)).toMatchObject({ status: 200 });
  });
});

test.each(sides)('a note on the side of %s can be applied, unapplied and applied again', async (side) => {
  const of = await party(side);
  const noun = side === 'sales' ? 'sales-invoice-return' : 'purchase-return';
  const notes = side === 'sales' ? 'credit-notes' : 'debit-notes';
  const [sold, other] = [
    await office.createInvoice(side, of, dollars('100.00', '0.90')),
    await office.createInvoice(side, of, dollars('40.00', '0.95')),
  ];
  await office.pay(side, of, dollars('100.00', '0.90'), [{ invoice_id: sold, amount: '100.00' }]);
  const { lines } = await show(side, sold);
  const returnInput = {
    invoice_id: sold,
    return_date: '2026-03-20',
    reason: 'other',
    lines: [{ invoice_line_id: lines[0].id, qty: '1' }],
  };
  const { id } = (await post(`${noun}/create`, returnInput)).body.data;
  for (const verb of ['approve', 'complete']) await post(`${noun}/${verb}/${id}`);
  const [note] = await office.read(`/api/${notes}`);
  const apply = () =>
    post(`${notes}/apply/${note.id}`, { date: '2026-03-21', allocations: [{ invoice_id: other, amount: '40.00' }] });
  expect(await apply()).toMatchObject({ status: 200, body: { data: { remaining: '60.00' } } });
  const [{ applications }] = await office.read(`/api/${notes}?expand=applications`);
  const undone = await post(`${notes}/unapply/${note.id}`, { allocation_ids: [applications[0].id] });
  expect(undone).toMatchObject({ status: 200, body: { data: { remaining: '100.00', status: 'open' } } });
  expect(await apply()).toMatchObject({ status: 200, body: { data: { remaining: '60.00' } } });
});

test.each(sides)('an opening balance on the side of %s is paid by its own ID', async (side) => {
  const opening = { opening_balance: '80.00', opening_date: '2026-01-01' };
  const made = side === 'sales' ? await office.customer(opening) : await office.vendor(opening);
  expect(made).toMatchObject({ opening_balance: '80.00', opening_balance_id: expect.any(String) });
  const euros = { amount: '80.00', currency: 'EUR' };
  const refused = await office.draft(side, made.id, euros, [{ invoice_id: made.id, amount: '80.00' }]);
  expect(refused).toMatchObject({ status: 422 });
  const part = { invoice_id: made.opening_balance_id, amount: '80.00' };
  expect(await office.pay(side, made.id, euros, [part])).toMatchObject({ status: 200 });
  const { allocations } = await payment(side);
  expect(allocations).toMatchObject([{ document_type: 'opening_balance', invoice_id: made.opening_balance_id }]);
});
