/** Tests of the stored balances of revaluations: values, pages, and the size of the entry. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { subtract, toBase } from '@suite/money';
import { foreignCurrencySteps, type CurrencyAmount, type Side } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const RATES = [
  { currency: 'USD', rate: '0.9183746512' },
  { currency: 'JPY', rate: '0.006125' },
  { currency: 'KWD', rate: '3.0155' },
];

interface Balance {
  currency: string;
  amount: string;
  base_before: string;
  base_after: string;
  difference: string;
}

const trade = async (side: Side, funds: CurrencyAmount): Promise<string> => {
  const party = side === 'sales' ? office.customer : office.vendor;
  return office.createInvoice(side, (await party({ currency: funds.currency })).id, funds);
};

const revalue = async (date = '2026-03-31') =>
  (await ours.owner.post('/api/revaluations/create', { date, rates: RATES })).body.data;

/** Creates items in each currency, whose values at the rates of the day need rounding. */
async function tradeInAllCurrencies(): Promise<void> {
  await trade('sales', { amount: '123.45', currency: 'USD', rate: '0.91' });
  await trade('purchase', { amount: '77.77', currency: 'USD', rate: '0.93333' });
  await trade('sales', { amount: '98765', currency: 'JPY', rate: '0.0062' });
  await trade('purchase', { amount: '5', currency: 'JPY', rate: '0.006' });
  await trade('sales', { amount: '1.235', currency: 'KWD', rate: '3' });
}

describe('the balances of a revaluation', () => {
  test('have the values that the money library calculates', async () => {
    await tradeInAllCurrencies();
    const { lines, gain, loss } = await revalue();
    const rates = new Map(RATES.map(({ currency, rate }) => [currency, rate]));
    const expected = (lines as Balance[]).map(({ currency, amount, base_before, ...line }) => {
      const base_after = toBase(amount, rates.get(currency)!, 'EUR');
      const difference = subtract(base_after, base_before, 'EUR');
      return { ...line, currency, amount, base_before, base_after, difference };
    });
    expect(lines).toEqual(expected);
    expect(expected.map(({ amount, difference }) => [amount, difference])).toEqual([
      ['123.45', '1.03'],
      ['98765', '-7.40'],
      ['1.235', '0.01'],
      ['-77.77', '1.17'],
      ['-5', '0.00'],
    ]);
    expect({ gain, loss }).toEqual({ gain: '2.21', loss: '7.40' });
  });

  test('include an item that a later payment settled, and a new item only from its day', async () => {
    const customer = (await office.customer({ currency: 'USD' })).id;
    const sold = await office.createInvoice('sales', customer, { amount: '10.00', currency: 'USD', rate: '0.90' });
    const paid = { amount: '10.00', currency: 'USD', rate: '0.90', date: '2026-04-10' };
    await office.pay('sales', customer, paid, [{ invoice_id: sold, amount: '10.00' }]);
    expect((await revalue('2026-02-28')).lines).toEqual([]);
    expect((await revalue()).lines).toMatchObject([{ kind: 'receivable', amount: '10.00' }]);
    expect((await revalue('2026-04-30')).lines).toMatchObject([{ kind: 'bank_account', amount: '10.00' }]);
  });

  test('are returned in pages, with the totals of all', async () => {
    await tradeInAllCurrencies();
    const made = await revalue();
    expect(made).toMatchObject({ lines_total: 5, page: 1, per_page: 500 });
    const show = async (query: string) => ours.owner.get(`/api/revaluations/show/${made.id}?${query}`);
    const found = [];
    for (const page of [1, 2, 3]) {
      const { lines, ...rest } = (await show(`per_page=2&page=${page}`)).body.data;
      expect(rest).toMatchObject({ lines_total: 5, page, per_page: 2, gain: made.gain, loss: made.loss });
      found.push(lines);
    }
    expect(found.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(found.flat()).toEqual(made.lines);
    expect(await show('per_page=501')).toMatchObject({
      status: 422,
      body: { errors: { per_page: [expect.any(String)] } },
    });
    expect((await show('page=4&per_page=2')).body.data).toMatchObject({ lines: [], lines_total: 5 });
  });
});

test('an entry has a line per account and currency, and control accounts match items', async () => {
  for (const amount of ['100.00', '200.00', '300.00']) await trade('sales', { amount, currency: 'USD', rate: '0.90' });
  await trade('sales', { amount: '50000', currency: 'JPY', rate: '0.006' });
  const { journal_id } = await revalue();
  expect(await office.readEntryLines(journal_id)).toEqual([
    'Revaluation of receivables 6.25, JPY 0',
    'Revaluation of receivables 11.02, USD 0.00',
    'Unrealised exchange gains -17.27, EUR 0.00',
  ]);
  const ageing = await office.read('/api/accounting/ageing?as_of=2026-03-31');
  const { accounts } = await office.read('/api/accounting/trial-balance?as_of=2026-03-31');
  expect(accounts).toContainEqual(expect.objectContaining({ code: '1110', balance: ageing.totals.total }));
});
