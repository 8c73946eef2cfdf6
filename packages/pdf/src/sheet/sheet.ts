/**
 * Converts a document description to all printed texts. A pure function: the same input always gives the same result.
 */
import type { PdfDocument, PdfEntry, PdfLine } from '../pdf-document.ts';
import { columnsOf, entryColumns, type SheetCell } from './columns.ts';
import { isolateName, type PdfText } from './text-language.ts';
import { totalsRows, type SumRow } from './sums.ts';
import { type PdfTerms, pdfTermsOf } from './terms.ts';
import { printable } from './pdf-writer.ts';

/** The input of the typesetter (`sheet/*.typ`). */
export interface Sheet {
  /** The language of the labels. */
  language: string;
  /** True if the page is laid out from right to left. */
  rtl: boolean;
  subject: string;
  author: string;
  title: string;
  /** Number and reference, below the title. */
  reference: PdfText;
  mark: string | null;
  logo: boolean;
  from: PdfText;
  /** Single line above the address, visible in the window of an envelope. */
  sender: PdfText;
  to: { said: PdfText; size: number; bold: boolean; pale: boolean }[];
  facts: (readonly [name: string, value: PdfText])[];
  /** The title of the description column. */
  description: string;
  columns: { title: string; kind: 'figure' | 'quantity' | 'names' }[];
  rows: { first: PdfText; more: PdfText | null; sku: PdfText | null; long: boolean; cells: SheetCell[] }[];
  sums: SumRow[];
  /** `scan` is the text below the QR code. Null without a code. */
  payment: { title: string; facts: Sheet['facts']; scan: string | null } | null;
  texts: (readonly [title: string, text: PdfText])[];
  /** Title, text and the two field names of an acceptance by signature. */
  acceptance: { title: string; text: string; blanks: string[] } | null;
  foot: PdfText[];
  /** Texts before, between and after the page number and the page count. */
  page: string[];
  /** Maximum number of pages. A longer document is not printed. */
  pages_max: number;
}

/** More pages than a real document has. The limit keeps one PDF from delaying the others. */
export const PAGES_MAX = 100;

const printableLines = (text: string): string[] => text.split('\n').map(printable).filter(Boolean);

function recipientLines({ to }: PdfDocument, { say, hand, insert }: PdfTerms): Sheet['to'] {
  const style = { size: 8.6, bold: false, pale: false };
  const { name, company, address, tax_number, country } = to;
  const where = printableLines(address ?? '');
  const land = country ? hand.country(country) : '';
  const isNamed = where.at(-1)?.toLowerCase() === land.toLowerCase();
  return [
    ...printableLines(company ?? '').map((text) => ({ said: say(text), ...style, bold: true })),
    ...(name === company ? [] : printableLines(name).map((text) => ({ said: say(text), ...style, bold: !company }))),
    ...[...where, ...(land && !isNamed ? [land] : [])].map((text) => ({ said: say(text), ...style })),
    ...(tax_number
      ? [{ said: insert('tax_number', { number: isolateName(tax_number) }), ...style, size: 7.8, pale: true }]
      : []),
  ];
}

/** Text that fills more than a page must be able to continue on the next one. */
const LONG = 1_200;
const LONG_LINES = 30;
const isLong = ({ product_name, description }: PdfLine): boolean => {
  const text = `${product_name}${description}`;
  return text.length > LONG || text.split('\n').length > LONG_LINES;
};

/** Returns the texts of a line next to its amounts. */
function lineTexts({ product_name, description, sku, facts = [] }: PdfLine, { say, wording, value }: PdfTerms) {
  const further = facts.map(([name, fact]) => `${wording(name)}: ${value(fact)}`).join(' · ');
  const texts = [product_name, description, further].map((text) => printable(text ?? '')).filter(Boolean);
  const [first = '', ...more] = texts;
  return {
    first: say(first),
    more: more.length > 0 ? say(more.join('\n')) : null,
    sku: sku ? say(sku) : null,
  };
}

/** Returns the columns and rows of the sold items, or of the entries of a statement. */
function tableOf(letter: PdfDocument, terms: PdfTerms): Pick<Sheet, 'columns' | 'rows'> {
  const { lines, entries, currency } = letter;
  const titled = (columns: Sheet['columns']) => columns.map(({ title, kind }) => ({ title, kind }));
  if (entries) {
    const columns = entryColumns(entries, terms, currency);
    const first = ({ date, description }: PdfEntry) =>
      terms.say([terms.hand.day(date), description].map(terms.isolate).join(' · '));
    return {
      columns: titled(columns),
      rows: entries.map((entry) => ({
        first: first(entry),
        more: null,
        sku: null,
        long: false,
        cells: columns.map(({ cell }) => cell(entry)),
      })),
    };
  }
  const columns = columnsOf(lines, terms, currency);
  return {
    columns: titled(columns),
    rows: lines.map((line) => ({
      ...lineTexts(line, terms),
      long: isLong(line),
      cells: columns.map(({ cell }) => cell(line)),
    })),
  };
}

/** Returns the details next to the address, the sender's details last. */
function factsOf({ facts, from }: PdfDocument, { say, label, wording, value }: PdfTerms): Sheet['facts'] {
  const own = [
    ['our_tax_number', from.tax_number],
    ['email', from.email],
    ['phone', from.phone],
    ['website', from.website],
  ] as const;
  const all = [
    ...facts.map(([name, fact]) => [wording(name), value(fact)] as const),
    ...own.map(([name, text]) => [label(name), text ?? ''] as const),
  ];
  return all.map(([name, text]) => [name, say(text)] as const).filter(([, { text }]) => text !== '');
}

function paymentOf({ payment }: PdfDocument, { say, label, wording, value }: PdfTerms): Sheet['payment'] {
  if (!payment) return null;
  const facts = payment.facts.map(([name, fact]) => [wording(name), say(value(fact))] as const);
  return {
    title: label('payment'),
    facts: facts.filter(([, { text }]) => text !== ''),
    scan: payment.code === null ? null : label('scan_to_pay'),
  };
}

/** Returns the texts below the totals. */
function textsOf({ texts }: PdfDocument, { say, label, wording, value }: PdfTerms): Sheet['texts'] {
  const written = (text: PdfDocument['texts'][number][1]): string =>
    typeof text === 'string' ? text : (text ?? []).map(([name, fact]) => `${wording(name)}: ${value(fact)}`).join('\n');
  return texts
    .map(([title, text]) => [label(title), say(written(text))] as const)
    .filter(([, { text }]) => text !== '');
}

const acceptanceOf = ({ acceptance }: PdfDocument, { label }: PdfTerms): Sheet['acceptance'] =>
  acceptance
    ? {
        title: label('acceptance'),
        text: label('acceptance_text'),
        blanks: [label('place_and_date'), label('signature')],
      }
    : null;

/** Returns the input of the typesetter for a PDF. */
export function sheetOf(letter: PdfDocument): Sheet {
  const { number, from } = letter;
  const terms = pdfTermsOf(letter);
  const { language, rtl, hand, say, label } = terms;
  const title = label(letter.title);
  const mark = letter.mark && label(letter.mark);
  const foot = printableLines(from.footer);
  const line = [from.name, ...printableLines(from.address)].map(isolateName).join(' · ');
  return {
    language,
    rtl,
    subject: printable([title, number ?? mark?.toLocaleLowerCase(hand.language)].filter(Boolean).join(' ')),
    author: printable(from.name),
    title,
    mark,
    logo: from.logo.length > 0,
    reference: say([number, mark].filter((part) => part !== null).join(' · ')),
    from: say(from.name),
    sender: say(line),
    to: recipientLines(letter, terms),
    facts: factsOf(letter, terms),
    description: label('description'),
    ...tableOf(letter, terms),
    sums: totalsRows(letter, terms),
    payment: paymentOf(letter, terms),
    texts: textsOf(letter, terms),
    acceptance: acceptanceOf(letter, terms),
    foot: (foot.length > 0 ? foot : [line]).map(say),
    page: label('page').split(/\{pages?\}/),
    pages_max: PAGES_MAX,
  };
}
