/** The sums of a letter, as a reader adds them up from top to bottom. */
import { taxName } from './columns.ts';
import type { Letter, TaxSum } from '../letter.ts';
import type { Said } from './said.ts';
import { isSome, type Writing } from './writing.ts';

/** A line of the sums. What is said aside is no part of the addition. */
export interface SumRow {
  name: Said;
  amount: string;
  style: 'plain' | 'total' | 'strong' | 'aside';
}

/** The lines of the sums: each is the sum of the ones before it, or is added to them. */
export function rowsOfSums(letter: Letter, hand: Writing, say: (text: string) => Said): SumRow[] {
  const { sums, discount, settlement } = letter;
  const row = (style: SumRow['style'], name: string, amount: string): SumRow => ({ name: say(name), amount, style });
  const taxRow = (style: SumRow['style'], prefix: string) => (tax: TaxSum) =>
    row(style, `${prefix}${taxName(tax, hand)} on ${hand.amount(tax.base)}`, hand.amount(tax.amount));
  const isReduced = isSome(sums.discount);
  const rate = discount?.type === 'percent' ? ` ${hand.percent(discount.value)}` : '';
  const reduced = [
    row('plain', 'Subtotal', hand.amount(sums.subtotal)),
    row('plain', `Discount${rate}`, hand.less(sums.discount)),
  ];
  const priceName = sums.included.length === 0 ? 'Net' : isReduced ? 'After discount' : 'Subtotal';
  const last = settlement.length - 1;
  return [
    ...(isReduced ? reduced : []),
    ...(sums.added.length > 0 ? [row('plain', priceName, hand.amount(sums.price))] : []),
    ...sums.added.map(taxRow('plain', '')),
    row('total', sums.total_name ?? 'Total', hand.sum(sums.total)),
    ...sums.included.map(taxRow('aside', 'Includes ')),
    ...(sums.included.length > 0 ? [row('aside', 'Net, without any tax', hand.amount(sums.net))] : []),
    ...settlement.map(([name, amount], at) => row(at === last ? 'strong' : 'plain', name, hand.sum(amount))),
  ];
}
