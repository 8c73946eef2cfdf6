/** Tests of the revaluation of foreign currency balances at the end of a period. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { foreignCurrencySteps, type CurrencyAmount } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';
import { brokenBy } from '../../../test/tampering.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const dollars = (amount: string, rate: string): CurrencyAmount => ({ amount, currency: 'USD', rate });
const post = (path: string, body: object = {}) => ours.owner.post(`/api/revaluations/${path}`, body);
const revaluationOf = (rate: string, more: object = {}) => ({
  date: '2026-03-31',
  rates: [{ currency: 'USD', rate }],
  ...more,
});

/**
 * Creates a receivable of 200 dollars at 0.90 and a payable of 100 dollars at 0.95. 50 dollars of the receivable are
 * paid at 0.92 into an account.
 */
async function createTrade() {
  const customer = (await office.customer({ currency: 'USD' })).id;
  const vendor = (await office.vendor({ currency: 'USD' })).id;
  const sold = await office.createInvoice('sales', customer, dollars('200.00', '0.90'));
  await office.createInvoice('purchase', vendor, dollars('100.00', '0.95'));
  await office.pay('sales', customer, dollars('50.00', '0.92'), [{ invoice_id: sold, amount: '50.00' }]);
  return { customer, vendor, sold };
}

/** Returns the balances of accounts by code on a day. Debits are positive. */
async function balancesOn(day: string): Promise<Record<string, string>> {
  const { accounts } = await office.read(`/api/accounting/trial-balance?as_of=${day}`);
  return Object.fromEntries(accounts.map(({ code, balance }: { code: string; balance: string }) => [code, balance]));
}

describe('a revaluation', () => {
  test('values bank accounts and open items, and is reversed on the next day', async () => {
    await createTrade();
    const before = await balancesOn('2026-03-31');
    const rehearsed = (await post('create?dry_run=true', revaluationOf('1.00'))).body.data;
    expect(rehearsed).toMatchObject({ gain: '19.00', loss: '5.00' });
    expect(await office.read('/api/revaluations')).toEqual([]);
    const reply = await post('create', revaluationOf('1.00'));
    expect(reply).toMatchObject({
      status: 201,
      body: {
        data: {
          status: 'posted',
          reversal_date: '2026-04-01',
          rates: [{ currency: 'USD', rate: '1.00' }],
          gain: '19.00',
          loss: '5.00',
          lines: [
            { kind: 'bank_account', amount: '50.00', base_before: '46.00', base_after: '50.00', difference: '4.00' },
            { kind: 'receivable', amount: '150.00', base_before: '135.00', base_after: '150.00', difference: '15.00' },
            { kind: 'payable', amount: '-100.00', base_before: '-95.00', base_after: '-100.00', difference: '-5.00' },
          ],
        },
      },
    });
    const day = await balancesOn('2026-03-31');
    expect(day).toMatchObject({ ...before, 1011: '50.00', 1115: '15.00', 2015: '-5.00', 4535: '-19.00', 7015: '5.00' });
    const adjusted = { 1115: '0.00', 2015: '0.00', 4535: '0.00', 7015: '0.00' };
    expect(await balancesOn('2026-04-01')).toMatchObject({ ...before, ...adjusted });
    const { warnings, ...revaluation } = reply.body.data;
    expect(warnings).toEqual([]);
    expect(await office.read(`/api/revaluations/show/${revaluation.id}`)).toEqual(revaluation);
  });

  test('takes effect once per day, even with ten concurrent callers', async () => {
    await createTrade();
    const replies = await runConcurrently(10, () => post('create', revaluationOf('1.00')));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(9).fill('already_revalued'));
  });

  test('can be reversed and repeated, with the effect of the last one', async () => {
    await createTrade();
    const before = await balancesOn('2026-03-31');
    const { id } = (await post('create', revaluationOf('1.00'))).body.data;
    for (let times = 0; times < 2; times++) {
      expect(await post(`reverse/${id}`)).toMatchObject({ status: 200, body: { data: { status: 'reversed' } } });
    }
    expect(await balancesOn('2026-03-31')).toMatchObject(before);
    expect(await post('create', revaluationOf('0.90'))).toMatchObject({
      status: 201,
      body: { data: { gain: '5.00', loss: '1.00' } },
    });
  });

  test('starts from the historical values, even after an earlier revaluation', async () => {
    await createTrade();
    await post('create', revaluationOf('1.00'));
    const reply = await post('create', revaluationOf('0.90', { date: '2026-04-30' }));
    expect(reply.body.data).toMatchObject({ gain: '5.00', loss: '1.00' });
  });

  test('does not change the gain or loss of a later payment', async () => {
    const { customer, sold } = await createTrade();
    await post('create', revaluationOf('1.00'));
    const funds = { ...dollars('150.00', '0.93'), date: '2026-04-10' };
    await office.pay('sales', customer, funds, [{ invoice_id: sold, amount: '150.00' }]);
    expect(await balancesOn('2026-04-30')).toMatchObject({ 1110: '0.00', 4530: '-5.50', 4535: '0.00' });
  });

  test('has no entry without foreign currency balances', async () => {
    const reply = await post('create', revaluationOf('1.00'));
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { journal_id: null, lines: [], rates: [], gain: '0.00' } },
    });
  });
});

describe('an invalid revaluation', () => {
  test('is rejected without a rate for each currency', async () => {
    await createTrade();
    const reply = await post('create', { date: '2026-03-31', rates: [{ currency: 'GBP', rate: '1.1' }] });
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'rate_missing', errors: { rates: ['Add a rate for USD.'] }, details: { currencies: ['USD'] } },
    });
  });

  test.each([
    ['of the base currency', [{ currency: 'EUR', rate: '1' }], 'rates.0.currency'],
    [
      'that is repeated',
      [
        { currency: 'USD', rate: '1' },
        { currency: 'USD', rate: '1' },
      ],
      'rates.1.currency',
    ],
    ['that is zero', [{ currency: 'USD', rate: '0' }], 'rates.0.rate'],
    ['that is negative', [{ currency: 'USD', rate: '-1' }], 'rates.0.rate'],
    ['that is too large', [{ currency: 'USD', rate: '999999999' }], 'rates.0.rate'],
  ])('is rejected with a rate %s', async (_, rates, field) => {
    await office.createInvoice(
      'sales',
      (await office.customer({ currency: 'USD' })).id,
      dollars('90000000000.00', '0.9'),
    );
    const reply = await post('create', { date: '2026-03-31', rates });
    expect(reply).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('is rejected for a day in the future', async () => {
    expect(await post('create', revaluationOf('1', { date: '2999-12-31' }))).toMatchObject({ status: 422 });
  });

  test.each(['2026-03-31', '2026-04-01'])(
    'is rejected when %s is locked, and changes nothing',
    async (locked_through) => {
      await createTrade();
      await ours.owner.post('/api/period-locks/create', { scope: 'banking', locked_through, reason: 'Closed' });
      expect(await post('create', revaluationOf('1'))).toMatchObject({ status: 409, body: { code: 'period_locked' } });
      expect(await office.read('/api/revaluations')).toEqual([]);
    },
  );

  test('requires the permission to close periods', async () => {
    const ledgerViewer = ours.member({ can: ['ledger.view'] });
    expect(await ledgerViewer.post('/api/revaluations/create', revaluationOf('1'))).toMatchObject({ status: 403 });
    expect(await ledgerViewer.get('/api/revaluations')).toMatchObject({ status: 200 });
  });
});

test.each([
  ["UPDATE journal_entries SET source_type = 'other' WHERE source_type = 'revaluation' AND purpose = 'next day'"],
  ["UPDATE journal_entries SET source_type = 'other' WHERE source_type = 'revaluation' AND purpose = 'post'"],
  ['UPDATE revaluations SET gain = gain + 1'],
  ["UPDATE revaluations SET status = 'reversed'"],
])('the auditor finds a revaluation that differs from its entries: %s', async (statement) => {
  await createTrade();
  await post('create', revaluationOf('1.00'));
  const found = await brokenBy(serving, ours.workspace, statement);
  expect(found).toContain('a revaluation is posted on its day, and its opposite on the next day');
});
