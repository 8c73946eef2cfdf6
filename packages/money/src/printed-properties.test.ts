import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyDocument, decimalsOf, totalsOf } from '../test/any-document.ts';
import { FEWER, unitsOf } from '../test/properties.ts';
import { partOfLine, printedTotals, type PrintedTotals, sumLines } from './money.ts';

/** Calculates the amounts that a reader gets from the printed ones with a pocket calculator, as minor units. */
function readBy(printed: PrintedTotals, currency: string) {
  const units = (amount: string) => unitsOf(amount, decimalsOf(currency));
  const added = (amounts: readonly string[]) => amounts.map(units).reduce((one, other) => one + other, 0n);
  const taxes = (of: PrintedTotals['added']) => added(of.map(({ amount }) => amount));
  return {
    said: [printed.subtotal, printed.price, printed.total, printed.net].map(units),
    found: [
      added(printed.amounts),
      units(printed.subtotal) - units(printed.discount),
      units(printed.price) + taxes(printed.added),
      units(printed.price) - taxes(printed.included),
    ],
  };
}

test('printed amounts add up from top to bottom to the amount payable', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const { lines, ...totals } = totalsOf(document);
      const printed = printedTotals(lines, document.currency);
      const { said, found } = readBy(printed, document.currency);
      expect(said).toEqual(found);
      expect([printed.total, printed.net]).toEqual([totals.total, totals.net_total]);
      const undiscounted = totalsOf({ ...document, discount: null }).lines;
      expect(printed.amounts).toEqual(printedTotals(undiscounted, document.currency).amounts);
    }),
    FEWER,
  );
});

test('the printed amounts of a returned part also add up', () => {
  fc.assert(
    fc.property(anyDocument, fc.integer({ min: 1, max: 7 }), (document, taken) => {
      const { currency } = document;
      const progress = { whole: '7', before: '0', now: String(taken) };
      const parts = totalsOf(document).lines.map((line) => partOfLine(line, progress, currency));
      const printed = printedTotals(parts, currency);
      const { said, found } = readBy(printed, currency);
      expect(said).toEqual(found);
      expect(printed.total).toBe(sumLines(parts, currency).total);
    }),
    FEWER,
  );
});

test('a discount of the document does not change its line amounts', () => {
  const line = { qty: '1', unit_price: '100.00', taxes: [] };
  const document = { currency: 'EUR', discount: { type: 'percent', value: '10' } as const, lines: [line] };
  expect(printedTotals(totalsOf(document).lines, 'EUR')).toMatchObject({
    amounts: ['100.00'],
    subtotal: '100.00',
    discount: '10.00',
    price: '90.00',
    total: '90.00',
  });
});

test('invalid amounts are rejected by name', () => {
  const [line] = totalsOf({ currency: 'EUR', lines: [{ qty: '1', unit_price: '100.00', taxes: [] }] }).lines;
  expect(() => printedTotals([{ ...line!, gross: '1.005' }], 'EUR')).toThrow(
    expect.objectContaining({ field: 'lines.0.gross' }),
  );
});
