import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { balancesOf, booksFixture } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
const { announce, deadLetterReason, say } = await eventPublisher(serving);
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

const balances = () => balancesOf(ours);

describe('a POS order', () => {
  const order = (more: object = {}) => ({
    pos_order_id: randomUUID(),
    number: 'POS-1',
    business_date: '2026-02-01',
    customer_id: '',
    subtotal: '100.00',
    tax_total: '19.00',
    total: '119.00',
    cost: '40.00',
    taxes: [{ tax_id: randomUUID(), name: 'VAT', amount: '19.00' }],
    payments: [
      { method: 'cash', amount: '50.00' },
      { method: 'card', amount: '60.00' },
      { method: 'card', amount: '9.00' },
    ],
    ...more,
  });
  const payOrder = (event: { pos_order_id: string }, times = 1) =>
    say(ours.workspace, 'inventory.pos_order.paid', event, { times });

  test('is posted with its payments once, and reversed when refunded', async () => {
    const customer = await booksFixture(ours).customer();
    const event = order({ customer_id: customer.id });
    await payOrder(event, 3);
    expect(await balances()).toEqual({
      Cash: '50.00',
      'Card and online payments in transit': '69.00',
      Inventory: '-40.00',
      'Output tax': '-19.00',
      Sales: '-100.00',
      'Cost of goods sold': '40.00',
    });
    const payments = (await ours.owner.get('/api/customer-payments?sort=number&expand=customer,bank_account')).body
      .data;
    expect(payments).toMatchObject([
      {
        number: 'PAY-2026-00001',
        method: 'cash',
        amount: '50.00',
        bank_account: { account_name: 'Cash' },
        customer: { name: 'Initech' },
      },
      { number: 'PAY-2026-00002', method: 'card', amount: '69.00', bank_account: null, unallocated: '0.00' },
    ]);
    const { pos_order_id, number, total, tax_total, cost } = event;
    const refundEvent = { pos_order_id, number, business_date: '2026-02-03', total, tax_total, cost };
    await say(ours.workspace, 'inventory.pos_order.refunded', refundEvent, { position: 2, times: 2 });
    expect(Object.values(await balances()).every((balance) => balance === '0.00')).toBe(true);
    expect((await ours.owner.get('/api/customer-payments?status=voided')).body.meta.total).toBe(2);
  });

  test('is posted and reversed even if its refund event arrives first', async () => {
    const event = order();
    const { pos_order_id, number, total, tax_total, cost } = event;
    const refundEvent = { pos_order_id, number, business_date: '2026-02-03', total, tax_total, cost };
    await say(ours.workspace, 'inventory.pos_order.refunded', refundEvent, { position: 2 });
    expect(await balances()).toEqual({});
    await payOrder(event);
    const left = Object.values(await balances());
    expect([left.length, new Set(left)]).toEqual([6, new Set(['0.00'])]);
    expect(await serving.sql`SELECT FROM waiting_refunds`).toEqual([]);
  });

  /** Builds the refunds of a sale of 119.00 in three parts. The goods of the second part are scrapped. */
  const parts = ({ pos_order_id, taxes: [tax] }: ReturnType<typeof order>) => {
    const part = (at: number, total: string, tax_total: string, payments: object[], more: object) => ({
      pos_order_id,
      number: 'POS-1',
      business_date: '2026-02-03',
      total,
      tax_total,
      cost: '10.00',
      refund_id: randomUUID(),
      refund_number: `POS-1-R${at}`,
      partial: true,
      status: 'partially_refunded',
      restocked_cost: '10.00',
      customer_id: '',
      taxes: [{ ...tax!, amount: tax_total }],
      payments,
      ...more,
    });
    return [
      part(1, '39.67', '6.33', [{ method: 'card', amount: '39.67' }], {}),
      part(
        2,
        '39.66',
        '6.34',
        [
          { method: 'card', amount: '29.33' },
          { method: 'cash', amount: '10.33' },
        ],
        { restocked_cost: '0.00' },
      ),
      part(3, '39.67', '6.33', [{ method: 'cash', amount: '39.67' }], {
        cost: '20.00',
        restocked_cost: '20.00',
        status: 'refunded',
      }),
    ];
  };
  const refunded = (event: { pos_order_id: string; [field: string]: unknown }, version: number, times = 1) =>
    say(ours.workspace, 'inventory.pos_order.refunded', event, { position: version, times });
  const voided = async () => (await ours.owner.get('/api/customer-payments?status=voided')).body.meta.total;

  test('is reversed in parts, one entry each, and a full refund voids its payments', async () => {
    const event = order();
    const [first, second, third] = parts(event);
    await payOrder(event);
    await refunded(first!, 2, 3);
    expect(await balances()).toEqual({
      Cash: '50.00',
      'Card and online payments in transit': '29.33',
      Inventory: '-30.00',
      'Output tax': '-12.67',
      Sales: '-66.66',
      'Cost of goods sold': '30.00',
    });
    await refunded(second!, 3);
    expect(await balances()).toMatchObject({ Cash: '39.67', Inventory: '-30.00', 'Cost of goods sold': '30.00' });
    expect(await voided()).toBe(0);
    await refunded(third!, 4);
    // Scrapped goods remain an expense.
    expect(await balances()).toEqual({
      Cash: '0.00',
      'Card and online payments in transit': '0.00',
      Inventory: '-10.00',
      'Output tax': '0.00',
      Sales: '0.00',
      'Cost of goods sold': '10.00',
    });
    expect(await voided()).toBe(2);
    const entries = (await ours.owner.get(`/api/journal-entries?source_id=${event.pos_order_id}&sort=created_at`)).body
      .data;
    expect(entries).toMatchObject([
      { purpose: 'post', status: 'posted', date: '2026-02-01', narration: 'POS order POS-1' },
      { purpose: `refund ${first!.refund_id}`, date: '2026-02-03', narration: 'POS refund POS-1-R1' },
      { purpose: `refund ${second!.refund_id}` },
      { purpose: `refund ${third!.refund_id}` },
    ]);
  });

  test('has the same result if all its refunds arrive first, in any order', async () => {
    const event = order();
    const [first, second, third] = parts(event);
    await refunded(third!, 4);
    await refunded(first!, 2, 2);
    await refunded(second!, 3);
    expect(await balances()).toEqual({});
    expect(await serving.sql`SELECT FROM waiting_refunds`).toHaveLength(3);
    await payOrder(event);
    expect(await balances()).toMatchObject({ Cash: '0.00', Inventory: '-10.00', 'Cost of goods sold': '10.00' });
    expect(await voided()).toBe(2);
    expect(await serving.sql`SELECT FROM waiting_refunds`).toEqual([]);
  });

  test('is reversed in full by one opposite entry', async () => {
    const event = order();
    const [, , last] = parts(event);
    const { total, tax_total, cost, taxes, payments } = event;
    await payOrder(event);
    const whole = { ...last!, partial: false, total, tax_total, cost, restocked_cost: cost, taxes, payments };
    await refunded(whole, 2, 2);
    expect(new Set(Object.values(await balances()))).toEqual(new Set(['0.00']));
    const entries = (await ours.owner.get(`/api/journal-entries?source_id=${event.pos_order_id}&sort=created_at`)).body
      .data;
    expect(entries).toMatchObject([
      { purpose: 'post', status: 'reversed' },
      { purpose: 'reversal of post', reversal_of: entries[0].id },
    ]);
    expect(await voided()).toBe(2);
  });

  test('is posted today with its refunds if their own days are locked', async () => {
    freezeClock('2026-03-05T23:30:00Z');
    const locked_through = '2026-02-28';
    await ours.owner.post('/api/period-locks/create', { scope: 'sales', locked_through, reason: 'Filed' });
    const [sold, split] = [order(), order({ number: 'POS-2' })];
    const { pos_order_id, number, total, tax_total, cost } = sold;
    await payOrder(sold);
    await refunded({ pos_order_id, number, business_date: '2026-02-03', total, tax_total, cost }, 2);
    await payOrder(split);
    await refunded(parts(split)[0]!, 2);
    expect(await serving.sql`SELECT FROM dead_letters WHERE envelope ->> 'workspace_id' = ${ours.workspace}`).toEqual(
      [],
    );
    expect(await balances()).toMatchObject({ Cash: '50.00', Sales: '-66.66', 'Output tax': '-12.67' });
    const { accounts } = (await ours.owner.get(`/api/accounting/trial-balance?as_of=${locked_through}`)).body.data;
    expect(accounts).toEqual([]);
    // Date in Berlin, the time zone of the workspace.
    const today = '2026-03-06';
    const payments = (await ours.owner.get('/api/customer-payments')).body.data;
    expect(payments.map(({ date }: { date: string }) => date)).toEqual([today, today, today, today]);
  });

  test('creates no entry if its total and cost are zero, nor does its refund', async () => {
    const nothing = { subtotal: '0.00', tax_total: '0.00', total: '0.00', cost: '0.00', taxes: [], payments: [] };
    const event = order(nothing);
    await payOrder(event);
    await refunded({ ...parts(order())[2]!, ...nothing, pos_order_id: event.pos_order_id, restocked_cost: '0.00' }, 2);
    expect(await balances()).toEqual({});
    expect(await serving.sql`SELECT FROM waiting_refunds`).toEqual([]);
    expect(await serving.sql`SELECT FROM dead_letters WHERE envelope ->> 'workspace_id' = ${ours.workspace}`).toEqual(
      [],
    );
  });

  test('becomes a dead letter with the reason if it does not add up, and posts nothing', async () => {
    const event = order({ payments: [{ method: 'cash', amount: '1.00' }] });
    const reason = await deadLetterReason(await announce(ours.workspace, 'inventory.pos_order.paid', event));
    expect(reason).toContain('journal_entries_currency_balance_check');
    expect(await balances()).toEqual({});
    expect((await ours.owner.get('/api/customer-payments')).body.meta.total).toBe(0);
  });
});
