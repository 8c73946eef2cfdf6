/** Columns of the lines of a PDF. */
import type { PdfEntry, PdfLine } from '../pdf-document.ts';
import { isolateName, type PdfText } from './text-language.ts';
import type { PdfTerms } from './terms.ts';
import { isSome, type PdfWriter } from './pdf-writer.ts';

/** Number, number with a unit, or names one below the other. */
export type SheetCell = string | { figure: string; unit: PdfText } | PdfText[];

interface Column<Row> {
  title: string;
  kind: 'figure' | 'quantity' | 'names';
  cell(row: Row): SheetCell;
}

/** Returns `VAT 20 %`. The rate is added if the name does not contain it. */
export function taxName({ name, rate, kind }: { name: string; rate: string; kind: string }, hand: PdfWriter): string {
  const tells = kind === 'fixed' || name.includes(rate) || name.includes(hand.number(rate));
  return tells ? isolateName(name) : `${isolateName(name)} ${hand.percent(rate)}`;
}

function discountCell({ discount }: PdfLine, hand: PdfWriter): string {
  if (!discount) return '';
  return discount.type === 'percent' ? hand.percent(discount.value) : hand.amount(discount.value);
}

const amountCell = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({ title, kind: 'figure', cell });

/** Omits empty columns. The description column gets their width. */
export function columnsOf(
  lines: readonly PdfLine[],
  { hand, say, label, insert }: PdfTerms,
  currency: string,
): Column<PdfLine>[] {
  const taxes: Column<PdfLine> = {
    title: label('tax'),
    kind: 'names',
    cell: (line) =>
      line.taxes.map((tax) =>
        tax.inclusive ? insert('inclusive', { tax: taxName(tax, hand) }) : say(taxName(tax, hand)),
      ),
  };
  const quantity: Column<PdfLine> = {
    title: label('quantity'),
    kind: 'quantity',
    cell: ({ qty, unit_name }) => ({ figure: qty === null ? '' : hand.number(qty), unit: say(unit_name ?? '') }),
  };
  const price = amountCell<PdfLine>(label('price'), ({ unit_price }) =>
    unit_price === null ? '' : hand.amount(unit_price),
  );
  return [
    ...(lines.some(({ qty }) => qty !== null) ? [quantity] : []),
    ...(lines.some(({ unit_price }) => unit_price !== null) ? [price] : []),
    ...(lines.some(({ discount }) => discount)
      ? [amountCell<PdfLine>(label('discount'), (line) => discountCell(line, hand))]
      : []),
    ...(lines.some((line) => line.taxes.length > 0) ? [taxes] : []),
    amountCell(label('amount', { currency }), ({ amount }) => hand.amount(amount)),
  ];
}

/** Returns the columns of a statement. Amounts name their currency if the entries have several. */
export function entryColumns(entries: readonly PdfEntry[], { hand, label }: PdfTerms, currency: string) {
  const isSingle = entries.every((entry) => entry.currency === currency);
  const amountOf = (amount: string, entry: PdfEntry): string =>
    isSingle ? hand.amount(amount) : hand.sum(amount, entry.currency);
  const side = (name: 'debit' | 'credit') =>
    amountCell<PdfEntry>(label(name), (entry) => (isSome(entry[name]) ? amountOf(entry[name], entry) : ''));
  return [
    side('debit'),
    side('credit'),
    amountCell<PdfEntry>(label('balance'), (entry) => amountOf(entry.balance, entry)),
  ];
}
