import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { subtract } from '@suite/money';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { foreignCurrencySteps, type CurrencyAmount, SIDES } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';
import { brokenBy } from '../../../test/tampering.ts';
import type { Side } from '../../invoices/documents/side.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const createParty = async (side: Side): Promise<string> =>
  (await (side === 'sales' ? office.customer() : office.vendor())).id;

/** Returns an amount with the euro rate of its currency. */
const amountIn = (money: string, rate?: string): CurrencyAmount => {
  const [amount, currency] = money.split(' ') as [string, string];
  return { amount, currency, ...(rate && { rate }) };
};

/** Cases with invoice, payment, rate and expected journal lines. */
const paid: [string, Side, CurrencyAmount, CurrencyAmount, string, string[]][] = [
  [
    'a sale in dollars, in euros, with a gain',
    'sales',
    amountIn('100.00 USD', '0.90'),
    amountIn('93.00 EUR'),
    '0.93',
    [
      'Example Bank EUR 93.00, EUR 93.00',
      'Exchange of currencies -93.00, EUR 93.00',
      'Exchange of currencies 93.00, USD 100.00',
      'Trade receivables -90.00, USD 100.00',
      'Gains by exchange rates -3.00, EUR 0.00',
    ],
  ],
  [
    'a sale in dollars, in euros, with a loss',
    'sales',
    amountIn('100.00 USD', '0.90'),
    amountIn('87.13 EUR'),
    '0.87125',
    [
      'Example Bank EUR 87.13, EUR 87.13',
      'Exchange of currencies -87.13, EUR 87.13',
      'Exchange of currencies 87.13, USD 100.00',
      'Trade receivables -90.00, USD 100.00',
      'Losses by exchange rates 2.87, EUR 0.00',
    ],
  ],
  [
    'a sale in euros, in dollars',
    'sales',
    amountIn('100.00 EUR'),
    amountIn('108.00 USD', '0.93'),
    '1.08',
    [
      'Example Bank USD 100.44, USD 108.00',
      'Exchange of currencies -100.00, USD 108.00',
      'Exchange of currencies 100.00, EUR 100.00',
      'Trade receivables -100.00, EUR 100.00',
      'Gains by exchange rates -0.44, USD 0.00',
    ],
  ],
  [
    'a USD sale with GBP, neither of them the base currency',
    'sales',
    amountIn('100.00 USD', '0.90'),
    amountIn('78.13 GBP', '1.15'),
    '0.7813',
    [
      'Example Bank GBP 89.85, GBP 78.13',
      'Exchange of currencies -89.85, GBP 78.13',
      'Exchange of currencies 89.85, USD 100.00',
      'Trade receivables -90.00, USD 100.00',
      'Losses by exchange rates 0.15, GBP 0.00',
    ],
  ],
  [
    'a sale in yen, which have no decimals, in euros',
    'sales',
    amountIn('10001 JPY', '0.0061'),
    amountIn('60.01 EUR'),
    '0.006',
    [
      'Example Bank EUR 60.01, EUR 60.01',
      'Exchange of currencies -60.01, EUR 60.01',
      'Exchange of currencies 60.01, JPY 10001',
      'Trade receivables -61.01, JPY 10001',
      'Losses by exchange rates 1.00, EUR 0.00',
    ],
  ],
  [
    'a sale in euros, in yen: half a yen is a whole one',
    'sales',
    amountIn('50.00 EUR'),
    amountIn('8167 JPY', '0.0061'),
    '163.33',
    [
      'Example Bank JPY 49.82, JPY 8167',
      'Exchange of currencies -50.00, JPY 8167',
      'Exchange of currencies 50.00, EUR 50.00',
      'Trade receivables -50.00, EUR 50.00',
      'Losses by exchange rates 0.18, JPY 0',
    ],
  ],
  [
    'a bill in dollars, in euros, with a loss',
    'purchase',
    amountIn('100.00 USD', '0.90'),
    amountIn('93.00 EUR'),
    '0.93',
    [
      'Exchange of currencies 93.00, EUR 93.00',
      'Exchange of currencies -93.00, USD 100.00',
      'Trade payables 90.00, USD 100.00',
      'Example Bank EUR -93.00, EUR 93.00',
      'Losses by exchange rates 3.00, EUR 0.00',
    ],
  ],
  [
    'a bill in euros, in dinars, which have three decimals, with a gain',
    'purchase',
    amountIn('100.00 EUR'),
    amountIn('33.346 KWD', '2.9876'),
    '0.3334567891',
    [
      'Exchange of currencies 100.00, KWD 33.346',
      'Exchange of currencies -100.00, EUR 100.00',
      'Trade payables 100.00, EUR 100.00',
      'Example Bank KWD -99.62, KWD 33.346',
      'Gains by exchange rates -0.38, KWD 0.000',
    ],
  ],
];

describe('a payment in another currency than the invoice', () => {
  test.each(paid)('settles %s', async (_, side, invoice, money, rate, lines) => {
    const { cash, parts } = SIDES[side];
    const party_id = await createParty(side);
    const invoice_id = await office.createInvoice(side, party_id, invoice);
    const part = { invoice_id, amount: invoice.amount, rate };
    const { body } = await office.pay(side, party_id, money, [part]);
    const shown = { rate, amount: invoice.amount, credit_amount: money.amount };
    expect(body.data).toMatchObject({ status: 'posted', [parts]: [{ invoice_id, ...shown }] });
    expect(await office.readEntryLines(body.data.journal_id)).toEqual(lines);
    expect(await office.payment(side)).toMatchObject({
      source: cash,
      currency: money.currency,
      unallocated: subtract('0', '0', money.currency),
      allocations: [{ invoice_id, ...shown, currency: invoice.currency }],
    });
    expect((await office.show(`${side}-invoice`, invoice_id)).body.data).toMatchObject({
      status: 'paid',
      payment_status: 'paid',
      balance_due: subtract('0', '0', invoice.currency),
      currency: invoice.currency,
    });
    expect(await office.balance(side === 'sales' ? 'receivable' : 'payable')).toBe('0.00');
    expect(await office.balance('currency_exchange')).toBe('0.00');
  });

  test('settles every cent in parts, in the invoice currency and the base currency', async () => {
    const customer_id = await createParty('sales');
    const invoice_id = await office.createInvoice('sales', customer_id, amountIn('100.00 USD', '0.9137'));
    const pay = (amount: string, rate: string) =>
      office.pay('sales', customer_id, amountIn('40.00 EUR'), [{ invoice_id, amount, rate }]);
    const replies = [await pay('33.33', '0.93'), await pay('33.33', '0.90'), await pay('33.34', '0.88')];
    expect(sortedStatuses(replies)).toEqual([200, 200, 200]);
    const taken = await serving.sql`
      SELECT amount, credit_amount, claim_base, credit_base FROM allocations WHERE workspace_id = ${ours.workspace} ORDER BY id`;
    expect(taken.map((part) => Object.values(part).join(' '))).toEqual([
      '33.3300 31.0000 30.4500 31.0000',
      '33.3300 30.0000 30.4600 30.0000',
      '33.3400 29.3400 30.4600 29.3400',
    ]);
    expect(await office.balance('receivable')).toBe('0.00');
    expect(await office.balance('fx_gain')).toBe('0.55');
    expect(await office.balance('fx_loss')).toBe('1.58');
    expect(await office.balance('customer_advances')).toBe('29.66');
    expect((await office.show('sales-invoice', invoice_id)).body.data).toMatchObject({
      paid: '100.00',
      status: 'paid',
    });
  });

  test('settles invoices in its own and in other currencies together', async () => {
    const customer_id = await createParty('sales');
    const dollars = await office.createInvoice('sales', customer_id, amountIn('10.00 USD', '0.90'));
    const euros = await office.createInvoice('sales', customer_id, amountIn('5.00 EUR'));
    const yen = await office.createInvoice('sales', customer_id, amountIn('1000 JPY', '0.006'));
    const parts = [
      { invoice_id: dollars, amount: '10.00', rate: '0.95' },
      { invoice_id: euros, amount: '5.00', rate: null },
      { invoice_id: yen, amount: '1000', rate: '0.0055' },
    ];
    const { body } = await office.pay('sales', customer_id, amountIn('20.00 EUR'), parts);
    expect(body.data.invoice_allocations.map((part: { credit_amount: string }) => part.credit_amount)).toEqual([
      '9.50',
      '5.00',
      '5.50',
    ]);
    expect(await office.payment('sales')).toMatchObject({ unallocated: '0.00' });
    expect(await office.balance('receivable')).toBe('0.00');
    // The gain of one side is the loss of the other.
    expect([await office.balance('fx_gain'), await office.balance('fx_loss')]).toEqual(['0.00', '0.00']);
  });

  test('settles exactly the open amount in twenty concurrent requests', async () => {
    const customer_id = await createParty('sales');
    const invoice_id = await office.createInvoice('sales', customer_id, amountIn('10.00 USD', '0.90'));
    const part = { invoice_id, amount: '1.00', rate: '0.9333' };
    const money = amountIn('0.93 EUR');
    await office.findOrOpenBank(money.currency);
    const replies = await runConcurrently(20, () => office.pay('sales', customer_id, money, [part]));
    expect(sortedStatuses(replies)).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      ...Array.from({ length: 10 }, () => 409),
    ]);
    expect(await office.balance('receivable')).toBe('0.00');
    expect(await office.balance('fx_gain')).toBe('0.30');
  });

  test.each([
    'SET credit_amount = credit_amount + 0.01 WHERE rate IS NOT NULL',
    'SET rate = NULL, credit_amount = amount WHERE rate IS NOT NULL',
  ])('is checked by the auditor, which finds %s', async (tampering) => {
    const customer_id = await createParty('sales');
    const invoice_id = await office.createInvoice('sales', customer_id, amountIn('10.00 USD', '0.90'));
    const part = { invoice_id, amount: '10.00', rate: '0.93' };
    await office.pay('sales', customer_id, amountIn('9.30 EUR'), [part]);
    expect(await brokenBy(serving, ours.workspace, `UPDATE allocations ${tampering}`)).toEqual([
      'the settled amount of an item is the sum of its allocations',
      'allocations connect a claim and a credit of one party, at a rate, within both',
    ]);
  });
});
