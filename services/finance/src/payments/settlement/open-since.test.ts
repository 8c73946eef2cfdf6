/** On no past day is more settled of an invoice or payment than its amount, regardless of later reversals. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openFinance } from '../../../test/fixture.ts';
import { foreignCurrencySteps, type CurrencyAmount, SIDES, type Side } from '../../../test/foreign-currency.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const sides = ['sales', 'purchase'] as const;
const dollars = (amount: string, rate = '1'): CurrencyAmount => ({ amount, currency: 'USD', rate });
const euros = (amount: string): CurrencyAmount => ({ amount, currency: 'EUR' });
const post = (path: string, body: object = {}) => ours.owner.post(`/api/${path}`, body);
const cashOf = (side: Side) => `${SIDES[side].cash}s`;
const party = async (side: Side, currency = 'EUR'): Promise<string> =>
  (await (side === 'sales' ? office.customer({ currency }) : office.vendor({ currency }))).id;
const payment = async (side: Side) => (await office.read(`/api/${SIDES[side].payments}?expand=allocations`))[0];
const show = (side: Side, id: string) => office.read(`/api/${side}-invoice/show/${id}`);
/** Returns the balance of the party on a day, from the ageing report. */
const balanceOn = async (side: Side, day: string): Promise<string> => {
  const kind = side === 'sales' ? 'customer' : 'vendor';
  return (await office.read(`/api/accounting/ageing?kind=${kind}&as_of=${day}`)).totals.total;
};
const tooEarly = (earliest: string) => ({ status: 422, body: { code: 'before_document', details: { earliest } } });

/** Creates an invoice dated 1 March, paid on 10 March. */
async function createPaid(side: Side, funds = euros('100.00')) {
  const of = await party(side, funds.currency);
  const invoice = await office.createInvoice(side, of, funds);
  expect(await office.pay(side, of, funds, [{ invoice_id: invoice, amount: '100.00' }])).toMatchObject({ status: 200 });
  const made = await payment(side);
  return { of, invoice, made, reverse: (body: object = {}) => post(`${cashOf(side)}/reverse/${made.source_id}`, body) };
}

describe.each(sides)('the past on the side of %s', (side) => {
  test('rejects a reversal of a payment before its allocation was undone', async () => {
    const { made, reverse } = await createPaid(side);
    const undone = { allocation_ids: [made.allocations[0].id], date: '2026-05-20' };
    expect(await post(`${SIDES[side].payments}/deallocate/${made.id}`, undone)).toMatchObject({ status: 200 });
    expect(await reverse({ date: '2026-04-15' })).toMatchObject(tooEarly('2026-05-20'));
    expect(await reverse({ date: '2026-05-20' })).toMatchObject({ status: 200 });
    expect([await balanceOn(side, '2026-04-30'), await balanceOn(side, '2026-05-20')]).toEqual(['0.00', '100.00']);
  });

  test('has no payment reversal before the last change if no date is given', async () => {
    const { of, made, reverse } = await createPaid(side, euros('100.00'));
    await post(`${SIDES[side].payments}/deallocate/${made.id}`, { allocation_ids: [made.allocations[0].id] });
    const later = await office.createInvoice(side, of, euros('100.00'));
    await office.allocate(side, made.id, [{ invoice_id: later, amount: '100.00' }]);
    const [allocation] = (await payment(side)).allocations;
    const undone = { allocation_ids: [allocation.id], date: '2026-05-20' };
    await post(`${SIDES[side].payments}/deallocate/${made.id}`, undone);
    expect(await reverse()).toMatchObject({ status: 200 });
    expect([await balanceOn(side, '2026-04-30'), await balanceOn(side, '2026-05-20')]).toEqual(['100.00', '200.00']);
  });

  test('rejects a cancellation of an invoice before its payment was reversed', async () => {
    const { invoice, reverse } = await createPaid(side);
    expect(await reverse({ date: '2026-05-20' })).toMatchObject({ status: 200 });
    const cancel = (body: object = {}) => post(`${side}-invoice/cancel/${invoice}`, body);
    expect(await cancel({ date: '2026-03-05' })).toMatchObject(tooEarly('2026-05-20'));
    expect(await cancel()).toMatchObject({ status: 200 });
    const days = ['2026-03-05', '2026-04-01', '2026-05-20'];
    expect(await Promise.all(days.map((day) => balanceOn(side, day)))).toEqual(['100.00', '0.00', '0.00']);
  });

  test('rejects a second settlement of an invoice during the first one', async () => {
    const { of, invoice, reverse } = await createPaid(side);
    await reverse({ date: '2026-05-20' });
    const part = { invoice_id: invoice, amount: '100.00' };
    // The money is an advance until the first payment is reversed.
    expect(await office.pay(side, of, euros('100.00'), [part])).toMatchObject({ status: 200 });
    const { allocations } = (await office.read(`/api/${SIDES[side].payments}?expand=allocations&sort=number`)).at(-1);
    expect(allocations).toMatchObject([{ invoice_id: invoice, date: '2026-05-20' }]);
    expect(await show(side, invoice)).toMatchObject({ status: 'paid' });
  });

  test('rejects a second use of an advance during the first one', async () => {
    const { of, made } = await createPaid(side);
    const undone = { allocation_ids: [made.allocations[0].id], date: '2026-05-20' };
    await post(`${SIDES[side].payments}/deallocate/${made.id}`, undone);
    const other = await office.createInvoice(side, of, euros('60.00'));
    const part = [{ invoice_id: other, amount: '60.00' }];
    expect(await office.allocate(side, made.id, part)).toMatchObject(tooEarly('2026-05-20'));
    const bank_account_id = await office.findOrOpenBank('EUR');
    const refund = { bank_account_id, amount: '60.00', date: '2026-04-01' };
    expect(await post(`${SIDES[side].payments}/refund/${made.id}`, refund)).toMatchObject(tooEarly('2026-05-20'));
    const allocated = await post(`${SIDES[side].payments}/allocate/${made.id}`, {
      allocations: part,
      date: '2026-05-20',
    });
    expect(allocated).toMatchObject({ status: 200 });
  });

  test('rejects a note on an invoice while it was settled', async () => {
    const { invoice, reverse } = await createPaid(side);
    await reverse({ date: '2026-05-20' });
    const noun = side === 'sales' ? 'sales-invoice-return' : 'purchase-return';
    const lines = [{ invoice_line_id: (await show(side, invoice)).lines[0].id, qty: '1' }];
    const returnInput = { invoice_id: invoice, return_date: '2026-04-02', reason: 'other', lines };
    const { id } = (await post(`${noun}/create`, returnInput)).body.data;
    for (const verb of ['approve', 'complete'])
      expect(await post(`${noun}/${verb}/${id}`)).toMatchObject({ status: 200 });
    expect(await show(side, invoice)).toMatchObject({ status: 'credited' });
  });
});

test.each(sides)('a payment on the side of %s cannot be reversed before its refund', async (side) => {
  const of = await party(side);
  const invoice_id = await office.createInvoice(side, of, euros('10.00'));
  await office.pay(side, of, euros('50.00'), [{ invoice_id, amount: '10.00' }]);
  const made = await payment(side);
  const bank_account_id = await office.findOrOpenBank('EUR');
  await post(`${SIDES[side].payments}/refund/${made.id}`, { bank_account_id, amount: '2.00', date: '2026-04-02' });
  const [refund] = (await office.read(`/api/${SIDES[side].payments}?expand=refunds`))[0].refunds;
  const reverse = () => post(`${cashOf(side)}/reverse/${made.source_id}`);
  const { id, number } = refund;
  expect(await reverse()).toMatchObject({
    status: 409,
    body: { code: 'payment_refunded', details: { refunds: [{ id, number }] } },
  });
  const noun = side === 'sales' ? 'customer' : 'vendor';
  await post(`${noun}-refunds/reverse/${id}`, { date: '2026-04-10' });
  expect(await reverse()).toMatchObject({ status: 200 });
  expect([await balanceOn(side, '2026-04-09'), await balanceOn(side, '2026-04-10')]).toEqual(['-38.00', '10.00']);
});

test.each(sides)('steps on the side of %s add up after one between others was undone', async (side) => {
  const of = await party(side, 'USD');
  const invoice_id = await office.createInvoice(side, of, dollars('3.00', '0.3334'));
  const other = await office.createInvoice(side, of, dollars('1.00', '0.3334'));
  await office.pay(side, of, dollars('4.00', '0.3334'), [{ invoice_id: other, amount: '1.00' }]);
  const made = await payment(side);
  const part = (amount: string) => office.allocate(side, made.id, [{ invoice_id, amount }]);
  for (const amount of ['1.00', '1.00', '1.00']) expect(await part(amount)).toMatchObject({ status: 200 });
  const { allocations } = await payment(side);
  const second = allocations.filter(({ invoice_id: of_one }: { invoice_id: string }) => of_one === invoice_id)[1];
  await post(`${SIDES[side].payments}/deallocate/${made.id}`, { allocation_ids: [second.id] });
  for (const amount of ['0.50', '0.50']) expect(await part(amount)).toMatchObject({ status: 200 });
  expect(await show(side, invoice_id)).toMatchObject({ status: 'paid', balance_due: '0.00' });
});
