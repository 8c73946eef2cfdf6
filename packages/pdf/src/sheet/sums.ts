/** Sums of a PDF, as a reader adds them up from top to bottom. */
import { taxName } from './columns.ts';
import type { PdfDocument, PdfSums, TaxSum } from '../pdf-document.ts';
import type { PdfText } from './text-language.ts';
import type { PdfTerms } from './terms.ts';
import { isSome } from './pdf-writer.ts';

/** A row of the totals. Rows of the kind `aside` are not part of the addition. */
export interface SumRow {
  name: PdfText;
  amount: string;
  style: 'plain' | 'total' | 'strong' | 'aside';
}

const row = (say: PdfTerms['say'], style: SumRow['style'], name: string, amount: string): SumRow => ({
  name: say(name),
  amount,
  style,
});

/** Returns the rows from the subtotal to the total. */
function totalRows(letter: PdfDocument, sums: PdfSums, { hand, say, label, insert, isolate }: PdfTerms): SumRow[] {
  const { discount } = letter;
  const taxRow = (style: SumRow['style'], name: 'tax_on' | 'includes') => (tax: TaxSum) => ({
    name: insert(name, { tax: taxName(tax, hand), base: hand.amount(tax.base) }),
    amount: hand.amount(tax.amount),
    style,
  });
  const isReduced = isSome(sums.discount);
  const rate = discount?.type === 'percent' ? ` ${isolate(hand.percent(discount.value))}` : '';
  const reduced = [
    row(say, 'plain', label('subtotal'), hand.amount(sums.subtotal)),
    row(say, 'plain', `${label('discount')}${rate}`, hand.less(sums.discount)),
  ];
  const price = sums.included.length === 0 ? 'net' : isReduced ? 'after_discount' : 'subtotal';
  const isUntaxed = ![...sums.added, ...sums.included].some(({ amount }) => isSome(amount));
  return [
    ...(isReduced ? reduced : []),
    ...(sums.added.length > 0 ? [row(say, 'plain', label(price), hand.amount(sums.price))] : []),
    ...sums.added.map(taxRow('plain', 'tax_on')),
    row(say, 'total', label(sums.total_name ?? 'total'), hand.sum(sums.total)),
    ...sums.included.map(taxRow('aside', 'includes')),
    ...(sums.included.length > 0 ? [row(say, 'aside', label('net_without_tax'), hand.amount(sums.net))] : []),
    ...(letter.states_tax && isUntaxed ? [row(say, 'aside', label('no_tax'), '')] : []),
  ];
}

/** Returns the rows below the lines. Each row of the totals is added to the previous ones or is their sum. */
export function totalsRows(letter: PdfDocument, terms: PdfTerms): SumRow[] {
  const { sums, settlement } = letter;
  const last = settlement.length - 1;
  return [
    ...(sums ? totalRows(letter, sums, terms) : []),
    ...settlement.map(([name, amount, currency], at) =>
      row(terms.say, at === last ? 'strong' : 'plain', terms.wording(name), terms.hand.sum(amount, currency)),
    ),
  ];
}
