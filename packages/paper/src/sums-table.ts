/** What a letter comes to: the sums as they are stored, tax by tax. */
import { INK, PALE } from './ink.ts';
import type { Letter } from './letter.ts';
import { taxName } from './lines-table.ts';
import { isSome, type Writing } from './writing.ts';

type Row = readonly [name: string, amount: string];

/** The sums block, which is never torn apart. */
export function sumsTable({ sums, taxes, settlement, currency }: Letter, hand: Writing): object {
  const reduced: Row[] = isSome(sums.discount_total)
    ? [
        ['Subtotal', hand.amount(sums.subtotal)],
        ['Discount', hand.less(sums.discount_total)],
      ]
    : [];
  const levied = taxes.map(
    (tax): Row => [`${taxName(tax, hand)} on ${hand.amount(tax.base)}`, hand.amount(tax.amount)],
  );
  const plain: Row[] = [...reduced, ['Net', hand.amount(sums.net_total)], ...levied];
  const settled = settlement.map(([name, amount]): Row => [name, hand.sum(amount)]);
  const cells = ([name, amount]: Row, style: object = {}) => [
    { text: name, color: PALE, ...style },
    { text: amount, alignment: 'right', ...style },
  ];
  const strong = { bold: true, color: INK, fontSize: 10.8 };
  const last = settled.length - 1;
  const total = plain.length;
  const body = [
    ...plain.map((row) => cells(row)),
    cells(['Total', `${hand.amount(sums.total)} ${currency}`], strong),
    ...settled.map((row, at) => cells(row, at === last ? { bold: true, color: INK } : {})),
  ];
  return {
    unbreakable: true,
    margin: [0, 12, 0, 0],
    columns: [
      { width: '*', text: '' },
      {
        width: 285,
        table: { widths: [125, 160], body },
        layout: {
          hLineWidth: (at: number) => (at === total ? 0.9 : 0),
          hLineColor: () => INK,
          vLineWidth: () => 0,
          paddingLeft: () => 0,
          paddingRight: () => 0,
          paddingTop: (at: number) => (at === total ? 6 : 2.2),
          paddingBottom: (at: number) => (at === total ? 5 : 2.2),
        },
      },
    ],
  };
}
