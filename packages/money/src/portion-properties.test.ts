import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyDocument, totalsOf } from '../test/any-document.ts';
import { figuresOf } from '../test/figures-of.ts';
import { RUNS, formatUnits } from '../test/properties.ts';
import { type LineAmounts, partOfLine, portion, sumLines, sum } from './money.ts';

/** Quantity in steps: returned in several parts, until nothing remains. */
const steps = fc.array(fc.bigInt(0n, 3_000_000n), { minLength: 1, maxLength: 3 }).map((parts) => {
  const whole = parts.reduce((a, b) => a + b, 1n);
  let before = 0n;
  return [...parts, 1n].map((now) => {
    const step = { whole: formatUnits(whole, 6), before: formatUnits(before, 6), now: formatUnits(now, 6) };
    before += now;
    return step;
  });
});

/** Adds lines up to one line, amount by amount. */
const together = (lines: readonly LineAmounts[], currency: string): LineAmounts => {
  const column = (name: 'gross' | 'discount' | 'header_discount' | 'net' | 'tax' | 'total') =>
    sum(
      lines.map((line) => line[name]),
      currency,
    );
  const { taxes } = sumLines(lines, currency);
  return {
    gross: column('gross'),
    discount: column('discount'),
    header_discount: column('header_discount'),
    net: column('net'),
    tax: column('tax'),
    total: column('total'),
    taxes,
  };
};

test('returns in any steps add up to the line, and no amount is negative', () => {
  fc.assert(
    fc.property(anyDocument, steps, (document, steps) => {
      const [line] = totalsOf({ ...document, lines: document.lines.slice(0, 2) }).lines;
      fc.pre(line !== undefined);
      const parts = steps.map((step) => partOfLine(line, step, document.currency));
      expect(together(parts, document.currency)).toEqual(line);
      expect(parts.flatMap(figuresOf).filter((figure) => figure.startsWith('-'))).toEqual([]);
    }),
    RUNS,
  );
});

test('portions in any steps add up to the amount', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), steps, (units, steps) => {
      const total = formatUnits(units, 2);
      const parts = steps.map((step) => portion(total, step, 'EUR'));
      expect(sum(parts, 'EUR')).toBe(total);
    }),
    RUNS,
  );
});
