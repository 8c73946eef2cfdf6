/** Random amounts, currencies and rates, and the check that an entry balances. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { compare, minorUnits, sum, toBase } from '@suite/money';
import fc from 'fast-check';
import type { BaseLine, Party, JournalLine, CurrencyTerms } from '../src/ledger/ledger/journal.rules.ts';

export const RUNS = { numRuns: 2_000 };
export const BASE = 'EUR';
export const currencies = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD');

/** Generates a positive amount in a currency. */
export const amountOf = (currency: string, max = 10_000_000) =>
  fc.integer({ min: 1, max }).map((units) => {
    const digits = minorUnits(currency);
    const text = String(units).padStart(digits + 1, '0');
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  });
export const rates = fc
  .integer({ min: 1_000, max: 90_000 })
  .map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`);
export const terms = fc
  .record({ currency: currencies, rate: rates })
  .map(({ currency, rate }): CurrencyTerms => ({ currency, rate: currency === BASE ? '1' : rate, base_currency: BASE }))
  // Excludes amounts that round to zero in base currency. Other tests cover their rejection.
  .filter(({ currency, rate }) => compare(toBase(minorUnits(currency) === 3 ? '0.1' : '1', rate, BASE), '0.09') > 0);

export const total = (lines: readonly BaseLine[], side: JournalLine['side']) =>
  sum(
    lines.filter((line) => line.side === side).map(({ base }) => base),
    BASE,
  );

/**
 * Asserts that both sides are equal, in base currency and in every currency of the entry. Every line must have an
 * amount.
 */
export function expectBalanced(lines: readonly BaseLine[]): void {
  expect(total(lines, 'debit')).toBe(total(lines, 'credit'));
  for (const currency of new Set(lines.map((line) => line.currency))) {
    const own = lines.filter((line) => line.currency === currency);
    const amounts = (wanted: JournalLine['side']) =>
      own.filter(({ side }) => side === wanted).map(({ amount }) => amount);
    expect(sum(amounts('debit'), currency)).toBe(sum(amounts('credit'), currency));
  }
  expect(lines.every(({ base }) => compare(base, '0') > 0)).toBe(true);
}

export const customer: Party = { kind: 'customer', id: randomUUID() };
export const vendor: Party = { kind: 'vendor', id: randomUUID() };
export const accounts = { bank: { id: 'bank' }, category: { id: 'category' } };

/** Generates an amount in two parts. */
export const parts = (currency: string) =>
  fc.tuple(amountOf(currency), amountOf(currency)).map(([net, tax_amount]) => ({
    net,
    tax_amount,
    amount: sum([net, tax_amount], currency),
    tax_id: randomUUID(),
  }));

export const inTerms = <T>(of: (given: CurrencyTerms) => fc.Arbitrary<T>) =>
  terms.chain((given) => fc.tuple(fc.constant(given), of(given)));
