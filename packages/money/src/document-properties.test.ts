import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyDocument, decimalsOf, totalsOf } from '../test/any-document.ts';
import { figuresOf } from '../test/figures-of.ts';
import { FEWER, RUNS, unitsOf } from '../test/properties.ts';
import type { DocumentTotals, LineAmounts, DocumentSums } from './money.ts';

/** Sums amounts of a currency in minor units. BigInt shares no code with the tested functions. */
const inUnits = (currency: string) => {
  const units = (amount: string) => unitsOf(amount, decimalsOf(currency));
  return { units, added: (amounts: readonly string[]) => amounts.map(units).reduce((a, b) => a + b, 0n) };
};

/** Returns the sums of a document in minor units: its own totals, and the sums of its lines. */
function bothSums(totals: DocumentTotals, currency: string) {
  const { units, added } = inUnits(currency);
  const { lines, taxes } = totals;
  const shares = (id: string) => lines.flatMap((line) => line.taxes.filter((tax) => tax.id === id));
  const said = {
    subtotal: units(totals.subtotal),
    discount: units(totals.discount_total),
    net: units(totals.net_total),
    tax: units(totals.tax_total),
    total: units(totals.total),
    taxes: taxes.map(({ id, base, amount }) => [id, units(base), units(amount)]),
    allTaxes: units(totals.tax_total),
  };
  const found = {
    subtotal: added(lines.map(({ gross }) => gross)),
    discount: added(lines.flatMap((line) => [line.discount, line.header_discount])),
    net: added(lines.map(({ net }) => net)),
    tax: added(lines.map(({ tax }) => tax)),
    total: added(lines.flatMap(({ net, tax }) => [net, tax])),
    taxes: taxes.map(({ id }) => [
      id,
      added(shares(id).map(({ base }) => base)),
      added(shares(id).map(({ amount }) => amount)),
    ]),
    allTaxes: added(taxes.map(({ amount }) => amount)),
  };
  return { said, found };
}

/** Returns the price of each line with added taxes in minor units: from its total, and from the prices. */
function bothPrices({ lines }: DocumentTotals, currency: string) {
  const { units, added } = inUnits(currency);
  const priced = lines.map((line) => {
    const onTop = line.taxes.filter(({ inclusive }) => !inclusive).map(({ amount }) => amount);
    return units(line.gross) - units(line.discount) - units(line.header_discount) + added(onTop);
  });
  return { owed: lines.map((line) => units(line.total)), priced };
}

test('totals are the sum of their lines, and no amount is negative', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const totals = totalsOf(document);
      const { said, found } = bothSums(totals, document.currency);
      expect(said).toEqual(found);
      const { owed, priced } = bothPrices(totals, document.currency);
      expect(owed).toEqual(priced);
      expect([totals, ...totals.lines].flatMap(figuresOf).filter((figure) => figure.startsWith('-'))).toEqual([]);
    }),
    RUNS,
  );
});

test('one added tax is the rounded rate of the rounded net of the document', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const taxes = [
        { id: 'vat', name: 'VAT', rate: '19', kind: 'percent', inclusive: false, compound: true } as const,
      ];
      const lines = document.lines.map((line) => ({ ...line, taxes }));
      const { net_total, tax_total } = totalsOf({ ...document, lines });
      const { units } = inUnits(document.currency);
      expect(units(tax_total)).toBe((units(net_total) * 19n + 50n) / 100n);
    }),
    FEWER,
  );
});

test('one inclusive tax is the rounded share of the price of the document', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const taxes = [
        { id: 'vat', name: 'VAT', rate: '25', kind: 'percent', inclusive: true, compound: false } as const,
      ];
      const lines = document.lines.map((line) => ({ ...line, taxes }));
      const { total, tax_total } = totalsOf({ ...document, lines });
      const { units } = inUnits(document.currency);
      expect(units(tax_total)).toBe((units(total) * 2n + 5n) / 10n);
    }),
    FEWER,
  );
});

test('the order of taxes matters only for compound taxes', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const lines = document.lines.map((line) => ({
        ...line,
        taxes: line.taxes.map((tax) => ({ ...tax, compound: false })),
      }));
      const turned = lines.map((line) => ({ ...line, taxes: line.taxes.toReversed() }));
      const totals = totalsOf({ ...document, lines });
      const other = totalsOf({ ...document, lines: turned });
      const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
      const sorted = <S extends LineAmounts | DocumentSums>(of: S) => ({ ...of, taxes: of.taxes.toSorted(byId) });
      expect({ ...sorted(other), lines: other.lines.map(sorted) }).toEqual({
        ...sorted(totals),
        lines: totals.lines.map(sorted),
      });
    }),
    FEWER,
  );
});
