/** Tests of documents with a total of zero. They are posted and returned like others, and move their goods. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../../test/audit.ts';
import { balancesOf } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { stockSettlement } from '../../../test/stock-settlement.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
let product_id: string;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
  product_id = trade.product({}, { on_hand: 10, value: '50.00' });
});

const { settle } = stockSettlement(serving);
const free = { type: 'percent', value: '100' };
const onHand = () => inventory.shelf.levels.get(product_id)!.on_hand;
const balances = async () =>
  Object.fromEntries(Object.entries(await balancesOf(ours)).filter(([, balance]) => balance !== '0.00'));

/** Creates a posted sale or purchase. */
async function createPosted(side: 'sales' | 'purchase', line: object) {
  const party =
    side === 'sales' ? { customer_id: (await trade.customer()).id } : { vendor_id: (await trade.vendor()).id };
  const body = { ...party, invoice_date: '2026-03-10', lines: [{ qty: '1', unit_price: '20.00', ...line }] };
  const { id } = (await trade.make(`${side}-invoice`, body)).body.data;
  const reply = await trade.act(`${side}-invoice`, 'post', id);
  expect(reply).toMatchObject({ status: 200 });
  return reply.body.data;
}

/** Returns all lines of a document. */
async function completeReturn(
  noun: string,
  { id: invoice_id, lines }: { id: string; lines: { id: string }[] },
  line: object,
) {
  const part = { invoice_line_id: lines[0]!.id, qty: '1', ...line };
  const body = { invoice_id, return_date: '2026-03-20', reason: 'defective', lines: [part] };
  const { id } = (await trade.make(noun, body)).body.data;
  expect(await trade.act(noun, 'approve', id)).toMatchObject({ status: 200 });
  const completed = await trade.act(noun, 'complete', id);
  expect(completed).toMatchObject({ status: 200, body: { data: { status: 'completed', total: '0.00' } } });
}

describe('a sale with a total of zero', () => {
  test.each([{ discount: free }, { unit_price: '0' }])('posts the cost of its goods: %j', async (line) => {
    const invoice = await createPosted('sales', { product_id, ...line });
    expect(invoice).toMatchObject({
      status: 'posted',
      number: 'INV-2026-00001',
      total: '0.00',
      balance_due: '0.00',
      payment_status: 'paid',
      is_overdue: false,
      effects: { stock_moves: [{ qty: '1', cost: '5.00' }] },
    });
    expect(await balances()).toEqual({ 'Cost of goods sold': '5.00', Inventory: '-5.00' });
    expect(onHand()).toBe(9);
  });

  test('is returned, with its goods back in stock at their cost', async () => {
    await completeReturn('sales-invoice-return', await createPosted('sales', { product_id, discount: free }), {});
    expect(await balances()).toEqual({});
    expect(onHand()).toBe(10);
    const [note] = (await ours.owner.get('/api/credit-notes')).body.data;
    expect(note).toMatchObject({ status: 'applied', total: '0.00', remaining: '0.00' });
  });

  test('is cancelled, and its goods return to stock', async () => {
    const { id } = await createPosted('sales', { product_id, discount: free });
    expect(await trade.act('sales-invoice', 'cancel', id)).toMatchObject({
      status: 200,
      body: { data: { status: 'cancelled' } },
    });
    await settle();
    expect(await balances()).toEqual({});
    expect(onHand()).toBe(10);
  });

  test('is posted, returned and cancelled without any entry for a service', async () => {
    const line = { description: 'Voucher', discount: free };
    const invoice = await createPosted('sales', line);
    expect(invoice).toMatchObject({ journal_id: null, effects: { journal_lines: [], stock_moves: [] } });
    await completeReturn('sales-invoice-return', invoice, { disposition: 'scrap' });
    const { id } = await createPosted('sales', line);
    expect(await trade.act('sales-invoice', 'cancel', id)).toMatchObject({ status: 200 });
    expect(await balances()).toEqual({});
  });
});

describe('a bill with a total of zero', () => {
  test('adds its goods to stock without a value, and is returned', async () => {
    const bill = await createPosted('purchase', { product_id, unit_price: '0' });
    expect(bill).toMatchObject({ status: 'posted', journal_id: null, payment_status: 'paid' });
    expect(onHand()).toBe(11);
    await completeReturn('purchase-return', bill, {});
    expect(onHand()).toBe(10);
  });

  test('is cancelled, and its goods leave stock again', async () => {
    const { id } = await createPosted('purchase', { product_id, unit_price: '0' });
    expect(await trade.act('purchase-invoice', 'cancel', id)).toMatchObject({ status: 200 });
    await settle();
    expect(onHand()).toBe(10);
  });
});

test('the vendor number of a cancelled bill can be reused', async () => {
  const { id: vendor_id } = await trade.vendor();
  const lines = [{ description: 'Advice', qty: '1', unit_price: '20.00' }];
  const bill = () =>
    trade.make('purchase-invoice', { vendor_id, invoice_date: '2026-03-10', vendor_reference: 'CAN-1', lines });
  const { id } = (await bill()).body.data;
  await trade.act('purchase-invoice', 'post', id);
  expect(await bill()).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  expect(await trade.act('purchase-invoice', 'cancel', id)).toMatchObject({ status: 200 });
  expect(await bill()).toMatchObject({ status: 201 });
  expect(await bill()).toMatchObject({ status: 409, body: { code: 'already_exists' } });
});

test('an account number is unique in each currency', async () => {
  const open = (currency: string) =>
    ours.owner.post('/api/bank-accounts/create', {
      bank_name: 'Example Bank',
      account_name: currency,
      account_number: 'DE89370400440532013000',
      currency,
    });
  expect(await open('EUR')).toMatchObject({ status: 201 });
  expect(await open('USD')).toMatchObject({ status: 201 });
  expect(await open('USD')).toMatchObject({ status: 409, body: { code: 'already_exists' } });
});
