import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { compare, minorUnits, subtract, sum, toBase } from '@suite/money';
import fc from 'fast-check';
import { type Moved, type TransferSide, transferLines } from './banking/transfer.rules.ts';
import { type BaseLine, toBaseCurrency, type Party, type JournalLine, type Terms } from './ledger/journal.rules.ts';
import { applicationLines, type OpenItem, planSettlements, type Settlement } from './ledger/claims.rules.ts';
import { paymentLines } from './payments/payment.rules.ts';
import { expenseLines, revenueLines } from './revenues-expenses/cash.rules.ts';
import { adjustmentLines } from './stock/stock.rules.ts';
import { tillRefundLines, tillLines } from './till/till.rules.ts';

const RUNS = { numRuns: 2_000 };
const BASE = 'EUR';
const currencies = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD');

/** An amount of a currency, more than nothing. */
const amountOf = (currency: string, max = 10_000_000) =>
  fc.integer({ min: 1, max }).map((units) => {
    const digits = minorUnits(currency);
    const text = String(units).padStart(digits + 1, '0');
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  });
const rates = fc
  .integer({ min: 1_000, max: 90_000 })
  .map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`);
const terms = fc
  .record({ currency: currencies, rate: rates })
  .map(({ currency, rate }): Terms => ({ currency, rate: currency === BASE ? '1' : rate, base_currency: BASE }))
  // A yen at a thousandth of a cent is nothing in the books; that is refused elsewhere.
  .filter(({ currency, rate }) => compare(toBase(minorUnits(currency) === 3 ? '0.1' : '1', rate, BASE), '0.09') > 0);

const total = (lines: readonly BaseLine[], side: JournalLine['side']) =>
  sum(
    lines.filter((line) => line.side === side).map(({ base }) => base),
    BASE,
  );

/** Both sides are the same, in base currency and in every currency of the entry; every line has something on it. */
function expectBalanced(lines: readonly BaseLine[]): void {
  expect(total(lines, 'debit')).toBe(total(lines, 'credit'));
  for (const currency of new Set(lines.map((line) => line.currency))) {
    const own = lines.filter((line) => line.currency === currency);
    const amounts = (wanted: JournalLine['side']) =>
      own.filter(({ side }) => side === wanted).map(({ amount }) => amount);
    expect(sum(amounts('debit'), currency)).toBe(sum(amounts('credit'), currency));
  }
  expect(lines.every(({ base }) => compare(base, '0') > 0)).toBe(true);
}

const customer: Party = { kind: 'customer', id: randomUUID() };
const vendor: Party = { kind: 'vendor', id: randomUUID() };
const accounts = { bank: { id: 'bank' }, category: { id: 'category' } };

/** An amount in two parts. */
const parts = (currency: string) =>
  fc.tuple(amountOf(currency), amountOf(currency)).map(([net, tax_amount]) => ({
    net,
    tax_amount,
    amount: sum([net, tax_amount], currency),
    tax_id: randomUUID(),
  }));

const inTerms = <T>(of: (given: Terms) => fc.Arbitrary<T>) =>
  terms.chain((given) => fc.tuple(fc.constant(given), of(given)));

describe('a posting rule balances', () => {
  test('revenues and expenses', () => {
    fc.assert(
      fc.property(
        inTerms(({ currency }) => parts(currency)),
        ([given, figures]) => {
          fc.pre(
            compare(toBase(figures.net, given.rate, BASE), '0') > 0 &&
              compare(toBase(figures.tax_amount, given.rate, BASE), '0') > 0,
          );
          expectBalanced(toBaseCurrency(revenueLines(accounts, figures, customer), given));
          expectBalanced(toBaseCurrency(expenseLines(accounts, figures, { party: vendor, project_id: null }), given));
        },
      ),
      RUNS,
    );
  });

  test('till sales and corrected stock', () => {
    fc.assert(
      fc.property(parts(BASE), amountOf(BASE), fc.boolean(), ({ net, tax_amount, amount }, cost, falls) => {
        const given = { currency: BASE, rate: '1', base_currency: BASE };
        const payments = [{ method: 'cash', amount }];
        const taxes = [{ tax_id: '', amount: tax_amount }];
        const usual = { income_account_id: null, expense_account_id: null, stock_account_id: null, cost };
        const own = { ...usual, stock_account_id: 'own stock', net: '0' };
        const figures = { taxes, payments, party: null, shares: [{ ...usual, net }, own] };
        const [sale, refund] = [tillLines(figures, BASE), tillRefundLines(figures, BASE)].map((s) =>
          toBaseCurrency(s, given),
        );
        expectBalanced(sale!);
        expectBalanced(refund!);
        expect(
          refund!.map(({ account, side, base }) => [account, side === 'debit' ? 'credit' : 'debit', base]),
        ).toEqual(sale!.map(({ account, side, base }) => [account, side, base]));
        expectBalanced(
          toBaseCurrency(adjustmentLines(falls ? `-${cost}` : cost, 'stock_adjustment', 'inventory'), given),
        );
      }),
      RUNS,
    );
  });

  test('transfers, with a fee, also between currencies', () => {
    fc.assert(
      fc.property(currencies, currencies, fc.boolean(), fc.nat(), (of, to, isWon, seed) => {
        const amount = (currency: string, at: number) =>
          fc.sample(amountOf(currency), { seed: seed + at, numRuns: 1 })[0]!;
        const side = (id: string, currency: string): TransferSide => ({
          id,
          gl_account_id: id,
          account_name: id,
          currency,
          active: true,
          amount: '0',
          base: '0',
        });
        const sent = amount(of, 1);
        const fee = amount(of, 2);
        const value = of === BASE ? sent : amount(BASE, 3);
        const arrives = to === BASE || of === to ? value : isWon ? sum([value, '1.00'], BASE) : value;
        const moved: Moved = {
          amount: sent,
          fee,
          amount_base: value,
          fee_base: of === BASE ? fee : amount(BASE, 4),
          received: of === to ? sent : to === BASE ? arrives : amount(to, 5),
          received_base: arrives,
        };
        const given = { currency: of, rate: '1', base_currency: BASE };
        expectBalanced(toBaseCurrency(transferLines(side('a', of), side('b', to), moved, BASE), given));
      }),
      RUNS,
    );
  });
});

const claim = (party: Party, currency: string, amount: string, rate: string): OpenItem => ({
  id: randomUUID(),
  kind: 'claim',
  document_type: 'sales_invoice',
  document_id: randomUUID(),
  number: 'INV',
  voided: false,
  customer_id: party.kind === 'customer' ? party.id : null,
  vendor_id: party.kind === 'vendor' ? party.id : null,
  account_id: 'control',
  date: '2026-01-01',
  due_date: '2026-01-01',
  currency,
  rate,
  amount,
  settled: '0',
  base_settled: '0',
  base_amount: toBase(amount, currency === BASE ? '1' : rate, BASE),
});

/** The rest of an item once it is settled so far. */
const afterwards = (item: OpenItem, step: Settlement): OpenItem => ({
  ...item,
  settled: sum([item.settled, item.kind === 'claim' ? step.amount : step.credit_amount], item.currency),
  base_settled: sum([item.base_settled, item.kind === 'claim' ? step.claim_base : step.credit_base], BASE),
});

/** Currencies meet on the account of exchanges, which keeps nothing; what is in base currency is worth what it is. */
function expectExchanged(lines: readonly BaseLine[]): void {
  expectBalanced(lines);
  const exchanged = lines.filter(({ account }) => account === 'currency_exchange');
  expect(exchanged).toHaveLength(2);
  expect(total(exchanged, 'debit')).toBe(total(exchanged, 'credit'));
  const own = lines.filter(({ currency, amount }) => currency === BASE && compare(amount, '0') > 0);
  for (const { amount, base } of own) expect(compare(amount, base)).toBe(0);
}

describe('a payment', () => {
  test('balances, whatever it settles at whatever rate, and leaves no cent of a settled claim', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(terms, rates, shares, fc.boolean(), ({ currency, rate }, then, units, isCustomer) => {
        const party = isCustomer ? customer : vendor;
        const whole = units.reduce((all, one) => all + one, 0) * 10 ** minorUnits(currency);
        const [amount] = fc.sample(fc.constant(whole), 1);
        const text = subtract(String(amount! / 10 ** minorUnits(currency)), '0', currency);
        let item = claim(party, currency, text, currency === BASE ? '1' : then);
        for (const share of units) {
          const paid = subtract(String(share), '0', currency);
          const base_amount = toBase(paid, rate, BASE);
          const asked = [{ open_item_id: item.id, amount: paid }];
          const credit = { amount: paid, base_amount, settled: '0', currency, party };
          const settlements = planSettlements(credit, new Map([[item.id, item]]), asked, {
            base_currency: BASE,
            field: 'x',
          });
          fc.pre(
            settlements.every(
              ({ claim_base, credit_base }) => compare(claim_base, '0') > 0 && compare(credit_base, '0') > 0,
            ),
          );
          const [rest, rest_base] = ['0', subtract(base_amount, settlements[0]!.credit_base, BASE)];
          const figures = {
            bank: { id: 'bank' },
            party,
            amount: paid,
            base_amount,
            settlements,
            rest,
            rest_base,
            open_item_id: 'x',
          };
          expectBalanced(toBaseCurrency(paymentLines(figures), { currency, rate, base_currency: BASE }));
          const spent = { ...claim(party, currency, paid, rate), kind: 'credit' as const };
          expectBalanced(toBaseCurrency(applicationLines(spent, settlements), { currency, rate, base_currency: BASE }));
          item = afterwards(item, settlements[0]!);
        }
        expect(compare(item.settled, item.amount)).toBe(0);
        expect(compare(item.base_settled, item.base_amount)).toBe(0);
      }),
      RUNS,
    );
  });

  test('in another currency balances in each of the two, and leaves no cent on either side', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(terms, terms, rates, shares, fc.boolean(), (given, owed, rate, units, isCustomer) => {
        const { currency } = given;
        fc.pre(currency !== owed.currency && compare(toBase('1', rate, currency), '0') > 0);
        const party = isCustomer ? customer : vendor;
        const amounts = units.map((share) => subtract(String(share), '0', owed.currency));
        const taken = amounts.map((amount) => toBase(amount, rate, currency));
        let item = claim(party, owed.currency, sum(amounts, owed.currency), owed.rate);
        let spent: OpenItem = { ...claim(party, currency, sum(taken, currency), given.rate), kind: 'credit' };
        for (const amount of amounts) {
          const asked = [{ open_item_id: item.id, amount, rate }];
          const means = { base_currency: BASE, field: 'x' };
          const settlements = planSettlements({ ...spent, party }, new Map([[item.id, item]]), asked, means);
          const [step] = settlements as [Settlement];
          fc.pre(compare(step.claim_base, '0') > 0 && compare(step.credit_base, '0') > 0);
          expectExchanged(toBaseCurrency(applicationLines(spent, settlements), given));
          const { credit_amount, credit_base: base_amount } = step;
          const figures = { bank: { id: 'bank' }, party, amount: credit_amount, base_amount, settlements };
          const paid = paymentLines({ ...figures, rest: '0', rest_base: '0', open_item_id: 'x' });
          expectExchanged(toBaseCurrency(paid, given));
          [item, spent] = [afterwards(item, step), afterwards(spent, step)];
        }
        for (const { settled, amount, base_settled, base_amount } of [item, spent]) {
          expect([compare(settled, amount), compare(base_settled, base_amount)]).toEqual([0, 0]);
        }
      }),
      RUNS,
    );
  });
});
