import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { compare, minorUnits, subtract, sum, toBase } from '@suite/money';
import fc from 'fast-check';
import { type BaseLine, toBaseCurrency, type Party } from '../../ledger/ledger/journal.rules.ts';
import {
  applicationLines,
  type OpenItem,
  planSettlements,
  type Settlement,
} from '../../ledger/ledger/open-items.rules.ts';
import { paymentLines } from './payment.rules.ts';
import { RUNS, BASE, rates, terms, total, expectBalanced, customer, vendor } from '../../../test/balanced-entries.ts';

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

/** Returns an item after a settlement step. */
const itemAfter = (item: OpenItem, step: Settlement): OpenItem => ({
  ...item,
  settled: sum([item.settled, item.kind === 'claim' ? step.amount : step.credit_amount], item.currency),
  base_settled: sum([item.base_settled, item.kind === 'claim' ? step.claim_base : step.credit_base], BASE),
});

/** Checks that the exchange account has no remainder, and that amounts in base currency keep their value. */
function expectExchanged(lines: readonly BaseLine[]): void {
  expectBalanced(lines);
  const exchanged = lines.filter(({ account }) => account === 'currency_exchange');
  expect(exchanged).toHaveLength(2);
  expect(total(exchanged, 'debit')).toBe(total(exchanged, 'credit'));
  const own = lines.filter(({ currency, amount }) => currency === BASE && compare(amount, '0') > 0);
  for (const { amount, base } of own) expect(compare(amount, base)).toBe(0);
}

describe('a payment', () => {
  test('balances for any settlement and rate, and settles items to the cent', () => {
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
          const requested = [{ open_item_id: item.id, amount: paid }];
          const nothing = { settled: '0', base_settled: '0' };
          const credit = { amount: paid, base_amount, ...nothing, currency, party, date: '2026-03-10', number: 'P' };
          const settlements = planSettlements(credit, new Map([[item.id, item]]), requested, {
            base_currency: BASE,
            field: 'x',
            date: '2026-03-10',
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
          item = itemAfter(item, settlements[0]!);
        }
        expect(compare(item.settled, item.amount)).toBe(0);
        expect(compare(item.base_settled, item.base_amount)).toBe(0);
      }),
      RUNS,
    );
  });

  test('balances in both currencies if they differ, without a remaining cent', () => {
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
          const requested = [{ open_item_id: item.id, amount, rate }];
          const options = { base_currency: BASE, field: 'x', date: '2026-03-10' };
          const settlements = planSettlements({ ...spent, party }, new Map([[item.id, item]]), requested, options);
          const [step] = settlements as [Settlement];
          fc.pre(compare(step.claim_base, '0') > 0 && compare(step.credit_base, '0') > 0);
          expectExchanged(toBaseCurrency(applicationLines(spent, settlements), given));
          const { credit_amount, credit_base: base_amount } = step;
          const figures = { bank: { id: 'bank' }, party, amount: credit_amount, base_amount, settlements };
          const paid = paymentLines({ ...figures, rest: '0', rest_base: '0', open_item_id: 'x' });
          expectExchanged(toBaseCurrency(paid, given));
          [item, spent] = [itemAfter(item, step), itemAfter(spent, step)];
        }
        for (const { settled, amount, base_settled, base_amount } of [item, spent]) {
          expect([compare(settled, amount), compare(base_settled, base_amount)]).toEqual([0, 0]);
        }
      }),
      RUNS,
    );
  });
});
