/** The lines of a letter as a table, whose head is repeated on every page. */
import { PALE } from './ink.ts';
import type { LetterLine } from './letter.ts';
import { printable, type Writing } from './writing.ts';

interface Column {
  title: string;
  width?: number;
  alignment?: 'right';
  cell(line: LetterLine, at: number, hand: Writing): object | string;
}

/** `VAT 20 %`; the rate is added where the name does not tell it. */
export function taxName({ name, rate, kind }: { name: string; rate: string; kind: string }, hand: Writing): string {
  const tells = kind === 'fixed' || name.includes(rate) || name.includes(hand.number(rate));
  return printable(tells ? name : `${name} ${hand.percent(rate)}`);
}

function said({ product_name, description, sku }: LetterLine): object {
  const [first = '', more = ''] = [product_name, description]
    .map((text) => printable(text ?? ''))
    .filter((text) => text !== '');
  const small = { color: PALE, fontSize: 7.6 };
  return {
    stack: [
      { text: first },
      ...(more ? [{ text: more, ...small, margin: [0, 1.5, 0, 0] }] : []),
      ...(sku ? [{ text: printable(sku), ...small, margin: [0, 1.5, 0, 0] }] : []),
    ],
  };
}

function reduction({ discount }: LetterLine, hand: Writing): string {
  if (!discount) return '';
  return discount.type === 'percent' ? hand.percent(discount.value) : hand.amount(discount.value);
}

const PADDING = 10;

/** Columns that would be empty are left out; what is said of each line takes the room. */
function columnsOf(lines: readonly LetterLine[], currency: string, width: number): Column[] {
  const columns: Column[] = [
    { title: '#', width: 17, cell: (_, at) => ({ text: String(at + 1), color: PALE }) },
    { title: 'Description', cell: (line) => said(line) },
    {
      ...{ title: 'Quantity', width: 54, alignment: 'right' },
      cell: ({ qty, unit_name }, _, hand) => printable(`${hand.number(qty)} ${unit_name ?? ''}`),
    },
    { title: 'Price', width: 62, alignment: 'right', cell: ({ unit_price }, _, hand) => hand.amount(unit_price) },
    ...(lines.some(({ discount }) => discount)
      ? [{ title: 'Discount', width: 46, alignment: 'right', cell: (line, _, hand) => reduction(line, hand) } as Column]
      : []),
    ...(lines.some(({ taxes }) => taxes.length > 0)
      ? [{ title: 'Tax', width: 62, cell: (line, _, hand) => taxesOf(line, hand) } as Column]
      : []),
    { title: `Net (${currency})`, width: 68, alignment: 'right', cell: ({ net }, _, hand) => hand.amount(net) },
  ];
  const taken = columns.reduce((sum, column) => sum + (column.width ?? 0) + PADDING, -PADDING);
  return columns.map((column) => ({ width: width - taken, ...column }));
}

const taxesOf = ({ taxes }: LetterLine, hand: Writing): string =>
  taxes.map((tax) => `${taxName(tax, hand)}${tax.inclusive ? ' incl.' : ''}`).join('\n');

/** The table. Rows stay whole where all of them are short. */
export function linesTable(
  lines: readonly LetterLine[],
  { currency, hand, width, keepRows }: { currency: string; hand: Writing; width: number; keepRows: boolean },
): object {
  const columns = columnsOf(lines, currency, width);
  const aligned = ({ alignment }: Column, cell: object | string): object => ({
    ...(typeof cell === 'string' ? { text: cell } : cell),
    ...(alignment && { alignment }),
  });
  const title = (column: Column) => aligned(column, { text: column.title, bold: true, fontSize: 8 });
  const rows = lines.map((line, at) => columns.map((column) => aligned(column, column.cell(line, at, hand))));
  return {
    table: {
      headerRows: 1,
      dontBreakRows: keepRows,
      keepWithHeaderRows: keepRows ? 1 : 0,
      widths: columns.map((column) => column.width),
      body: [columns.map(title), ...rows],
    },
  };
}
