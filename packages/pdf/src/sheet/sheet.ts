/** A letter → everything that is printed of it, as words. A pure function: the same letter always looks the same. */
import type { Letter, LetterLine } from '../letter.ts';
import { columnsOf, type SheetCell } from './columns.ts';
import { apart, hearing, type Said } from './said.ts';
import { rowsOfSums, type SumRow } from './sums.ts';
import { printable, writing } from './writing.ts';

/** The input of the typesetter (`sheet/*.typ`). */
export interface Sheet {
  subject: string;
  author: string;
  title: string;
  /** Number and mark, below the title. */
  reference: Said;
  mark: string | null;
  logo: boolean;
  from: Said;
  /** In one line above the address, as it shows in the window of an envelope. */
  sender: Said;
  to: { said: Said; size: number; bold: boolean; pale: boolean }[];
  facts: (readonly [name: string, value: Said])[];
  columns: { title: string; kind: 'figure' | 'quantity' | 'names' }[];
  rows: { first: Said; more: Said | null; sku: Said | null; long: boolean; cells: SheetCell[] }[];
  sums: SumRow[];
  texts: (readonly [title: string, text: Said])[];
  foot: Said[];
  /** Beyond so many pages a letter is not printed. */
  pages_max: number;
}

/** More than anybody reads, and less than would keep others waiting. */
export const PAGES_MAX = 100;

type Say = (text: string) => Said;

const someLines = (text: string): string[] => text.split('\n').map(printable).filter(Boolean);

function addressee({ to }: Letter, say: Say): Sheet['to'] {
  const style = { size: 8.6, bold: false, pale: false };
  const { name, company, address, tax_number } = to;
  return [
    ...someLines(company ?? '').map((text) => ({ said: say(text), ...style, bold: true })),
    ...(name === company ? [] : someLines(name).map((text) => ({ said: say(text), ...style, bold: !company }))),
    ...someLines(address ?? '').map((text) => ({ said: say(text), ...style })),
    ...(tax_number ? [{ said: say(`Tax number ${apart(tax_number)}`), ...style, size: 7.8, pale: true }] : []),
  ];
}

/** Text that fills more than a page must be able to go on to the next one. */
const LONG = 1_200;
const LONG_LINES = 30;
const isLong = ({ product_name, description }: LetterLine): boolean => {
  const text = `${product_name}${description}`;
  return text.length > LONG || text.split('\n').length > LONG_LINES;
};

/** The texts of a line besides its figures. */
function words({ product_name, description, sku }: LetterLine, say: Say) {
  const [first = '', more = ''] = [product_name, description].map((text) => printable(text ?? '')).filter(Boolean);
  return { first: say(first), more: more ? say(more) : null, sku: sku ? say(sku) : null };
}

/** Everything that somebody wrote, to find out what languages are spoken. */
const everything = ({ from, to, facts, lines, texts }: Letter): string =>
  JSON.stringify([from.name, from.address, from.footer, to, facts, lines, texts]);

/** The input of the typesetter for a letter. */
export function sheetOf(letter: Letter): Sheet {
  const { title, number, mark, currency, from, lines, texts, facts } = letter;
  const hand = writing(from.locale, currency);
  const say = hearing(hand.language, everything(letter));
  const told = facts.map(([name, value]) => [name, 'day' in value ? hand.day(value.day) : (value.text ?? '')] as const);
  const own = [...told, ['Our tax number', from.tax_number] as const];
  const columns = columnsOf(lines, { currency, hand, say });
  const foot = someLines(from.footer);
  const subject = printable([title, number ?? mark?.toLowerCase()].filter(Boolean).join(' '));
  return {
    subject,
    author: printable(from.name),
    title,
    mark,
    logo: from.logo.length > 0,
    reference: say([number, mark].filter((part) => part !== null).join(' · ')),
    from: say(from.name),
    sender: say([from.name, ...someLines(from.address)].map(apart).join(' · ')),
    to: addressee(letter, say),
    facts: own.map(([name, value]) => [name, say(value)] as const).filter(([, { text }]) => text !== ''),
    columns: columns.map((column) => ({ title: column.title, kind: column.kind })),
    rows: lines.map((line) => ({
      ...words(line, say),
      long: isLong(line),
      cells: columns.map((column) => column.cell(line)),
    })),
    sums: rowsOfSums(letter, hand, say),
    texts: texts.map(([name, text]) => [name, say(text ?? '')] as const).filter(([, { text }]) => text !== ''),
    foot: (foot.length > 0 ? foot : [[from.name, ...someLines(from.address)].map(apart).join(' · ')]).map(say),
    pages_max: PAGES_MAX,
  };
}
