import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openFinance } from '../../../test/fixture.ts';
import { foreignCurrencySteps } from '../../../test/foreign-currency.ts';
import { setUpFixture } from '@suite/testing';
import { valueAtCarriedRate } from './carried-value.rules.ts';
import { credit, debit, toBaseCurrency } from './journal.rules.ts';
import { compare, isZero, sum, toBase } from '@suite/money';

const { serving, inventory, company } = await openFinance();
const ours = setUpFixture(company);
const trade = setUpFixture(async () => foreignCurrencySteps(ours, inventory));

const bankBase = async (bank_id: string): Promise<string> => {
  const [row] = await serving.sql`
    SELECT coalesce(sum(line.debit - line.credit), 0)::numeric(19, 2)::text AS base FROM bank_accounts AS bank
    JOIN journal_lines AS line ON line.account_id = bank.gl_account_id WHERE bank.id = ${bank_id}`;
  return row!.base as string;
};

/** Creates a dollar account with 500.00 received at 1.2. */
async function filled() {
  const { id: customer_id } = await trade.customer();
  const { id: vendor_id } = await trade.vendor();
  const invoice_id = await trade.createInvoice('sales', customer_id, {
    amount: '500.00',
    currency: 'USD',
    rate: '1.2',
  });
  const funds = { amount: '500.00', currency: 'USD', rate: '1.2' };
  const received = await trade.pay('sales', customer_id, funds, [{ invoice_id, amount: '500.00' }]);
  return { vendor_id, received: received.body.data, bank_id: await trade.findOrOpenBank('USD') };
}

describe('a bank account in a foreign currency', () => {
  test('has no base value after its last payment, and posts an exchange loss', async () => {
    const { vendor_id, bank_id } = await filled();
    expect(await bankBase(bank_id)).toBe('600.00');
    const bill = await trade.createInvoice('purchase', vendor_id, { amount: '500.00', currency: 'USD', rate: '1.0' });
    const funds = { amount: '500.00', currency: 'USD', rate: '1.0' };
    const paid = await trade.pay('purchase', vendor_id, funds, [{ invoice_id: bill, amount: '500.00' }]);
    expect(await trade.readEntryLines(paid.body.data.journal_id)).toEqual([
      'Trade payables 500.00, USD 500.00',
      'Example Bank USD -600.00, USD 500.00',
      'Losses by exchange rates 100.00, USD 0.00',
    ]);
    expect(await bankBase(bank_id)).toBe('0.00');
    await trade.expectSoundBooks(serving);
    const archived = await ours.owner.post(`/api/bank-accounts/update/${bank_id}`, { active: false });
    expect(archived).toMatchObject({ status: 200 });
  });

  test('has no value after an expense and its later reversal empty it', async () => {
    const { bank_id, received } = await filled();
    const { vendor_id } = { vendor_id: (await trade.vendor()).id };
    const spend = async (amount: string, rate: string) => {
      const { id } = (await trade.expense({ bank_account_id: bank_id, vendor_id, amount, rate })).body.data;
      await trade.act('expenses', 'approve', id);
      return (await trade.act('expenses', 'post', id)).body.data;
    };
    const spent = await spend('200.00', '1.0');
    expect(await trade.readEntryLines(spent.journal_id)).toEqual([
      'Rent 200.00, USD 200.00',
      'Example Bank USD -240.00, USD 200.00',
      'Losses by exchange rates 40.00, USD 0.00',
    ]);
    // 1000.00 dollars at 1.0 arrive, and half of the total leaves: the account has a base value of 1.04615 per dollar.
    const { id } = (await trade.revenue({ bank_account_id: bank_id, amount: '1000.00', rate: '1.0' })).body.data;
    await trade.act('revenues', 'approve', id);
    await trade.act('revenues', 'post', id);
    await spend('800.00', '1.0');
    expect(await bankBase(bank_id)).toBe('523.08');
    expect(await trade.act('revenues', 'reverse', received.id)).toMatchObject({ status: 200 });
    expect(await bankBase(bank_id)).toBe('0.00');
    await trade.expectSoundBooks(serving);
  });

  test('has no value after a reversal at a rate of 1 empties it', async () => {
    const { bank_id } = await filled();
    const { id } = (await trade.revenue({ bank_account_id: bank_id, amount: '500.00', rate: '1' })).body.data;
    for (const verb of ['approve', 'post']) await trade.act('revenues', verb, id);
    const spent = (await trade.expense({ bank_account_id: bank_id, amount: '500.00', rate: '1' })).body.data;
    for (const verb of ['approve', 'post']) await trade.act('expenses', verb, spent.id);
    expect(await bankBase(bank_id)).toBe('550.00');
    expect(await trade.act('revenues', 'reverse', id)).toMatchObject({ status: 200 });
    expect(await bankBase(bank_id)).toBe('0.00');
    await trade.expectSoundBooks(serving);
  });

  test('cannot be archived while it has a remaining value', async () => {
    const { bank_id } = await filled();
    expect(await ours.owner.post(`/api/bank-accounts/update/${bank_id}`, { active: false })).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { current_balance: '500.00', base_balance: '600.00' } },
    });
  });
});

test('entries at any rates balance, and an emptied account has no value', () => {
  const rates = fc.integer({ min: 1, max: 40_000 }).map((units) => String(units / 10_000));
  const step = fc.record({ cents: fc.integer({ min: 1, max: 500_000 }), rate: rates, out: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), rates, (steps, last) => {
      const accounts = new Map([['bank', { amount: '0.00', base: '0.00' }]]);
      const move = (amount: string, rate: string, out: boolean) => {
        fc.pre(compare(toBase(amount, rate, 'EUR'), '0') > 0);
        const sides = [(out ? credit : debit)({ id: 'bank' }, amount), (out ? debit : credit)('suspense', amount)];
        const lines = toBaseCurrency(sides, { currency: 'USD', rate, base_currency: 'EUR' });
        const valued = valueAtCarriedRate(lines, accounts, ({ account }) =>
          account === 'suspense' ? undefined : 'bank',
        );
        const total = (side: string) =>
          sum(
            valued.filter((line) => line.side === side).map(({ base }) => base),
            'EUR',
          );
        expect(total('debit')).toBe(total('credit'));
      };
      for (const { cents, rate, out } of steps) {
        move((cents / 100).toFixed(2), rate, out);
        const { amount, base } = accounts.get('bank')!;
        // A journal line cannot have a value of zero, so money worth less than a cent cannot leave at its value.
        fc.pre(isZero(amount) || (!isZero(base) && amount.startsWith('-') === base.startsWith('-')));
        expect([amount, base]).toEqual([amount, isZero(amount) ? '0.00' : base]);
      }
      const { amount } = accounts.get('bank')!;
      fc.pre(!isZero(amount));
      move(amount.replace('-', ''), last, !amount.startsWith('-'));
      expect(accounts.get('bank')).toEqual({ amount: '0.00', base: '0.00' });
    }),
    { numRuns: 1_000 },
  );
});
