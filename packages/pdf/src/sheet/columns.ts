/** The columns of a letter's lines. */
import type { LetterLine } from '../letter.ts';
import { apart, type Said } from './said.ts';
import type { Writing } from './writing.ts';

/** A figure, a figure with its unit, or names one below the other. */
export type SheetCell = string | { figure: string; unit: Said } | Said[];

interface Column {
  title: string;
  kind: 'figure' | 'quantity' | 'names';
  cell(line: LetterLine): SheetCell;
}

/** `VAT 20 %`; the rate is added where the name does not tell it. */
export function taxName({ name, rate, kind }: { name: string; rate: string; kind: string }, hand: Writing): string {
  const tells = kind === 'fixed' || name.includes(rate) || name.includes(hand.number(rate));
  return tells ? apart(name) : `${apart(name)} ${hand.percent(rate)}`;
}

function reduction({ discount }: LetterLine, hand: Writing): string {
  if (!discount) return '';
  return discount.type === 'percent' ? hand.percent(discount.value) : hand.amount(discount.value);
}

const figure = (title: string, cell: (line: LetterLine) => string): Column => ({ title, kind: 'figure', cell });

/** Columns that would be empty are left out; what is said of each line takes the room. */
export function columnsOf(
  lines: readonly LetterLine[],
  { currency, hand, say }: { currency: string; hand: Writing; say: (text: string) => Said },
): Column[] {
  const taxes: Column = {
    title: 'Tax',
    kind: 'names',
    cell: (line) => line.taxes.map((tax) => say(`${taxName(tax, hand)}${tax.inclusive ? ' incl.' : ''}`)),
  };
  const quantity: Column = {
    title: 'Quantity',
    kind: 'quantity',
    cell: ({ qty, unit_name }) => ({ figure: qty === null ? '' : hand.number(qty), unit: say(unit_name ?? '') }),
  };
  const price = figure('Price', ({ unit_price }) => (unit_price === null ? '' : hand.amount(unit_price)));
  return [
    ...(lines.some(({ qty }) => qty !== null) ? [quantity] : []),
    ...(lines.some(({ unit_price }) => unit_price !== null) ? [price] : []),
    ...(lines.some(({ discount }) => discount) ? [figure('Discount', (line) => reduction(line, hand))] : []),
    ...(lines.some((line) => line.taxes.length > 0) ? [taxes] : []),
    figure(`Amount (${currency})`, ({ amount }) => hand.amount(amount)),
  ];
}
