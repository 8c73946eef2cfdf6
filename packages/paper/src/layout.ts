/** A letter → what pdfmake draws. A pure function: the same letter always looks the same. */
import { INK, PALE, RULE } from './ink.ts';
import type { Letter, LetterLine } from './letter.ts';
import { linesTable } from './lines-table.ts';
import { sumsTable } from './sums-table.ts';
import { printable, type Writing, writing } from './writing.ts';

/** A part of a document, in pdfmake's own terms. */
export type Part = object;

const SIDE = 50;
const WIDTH = 595.28 - 2 * SIDE;

/** Words in one style; a text that is empty takes no room. */
const words = (text: string | null | undefined, style: object = {}): Part[] => {
  const clean = printable(text ?? '');
  return clean === '' ? [] : [{ text: clean, ...style }];
};

/** The letterhead: the logo or else the name, and what this is. */
function head({ from, title, number }: Letter): Part {
  const logo = `data:image/png;base64,${Buffer.from(from.logo).toString('base64')}`;
  const sender: Part[] = from.logo.length
    ? [{ image: logo, fit: [190, 64] }]
    : words(from.name, { fontSize: 17, bold: true, color: INK });
  return {
    columns: [
      { width: '*', stack: sender },
      {
        width: 220,
        stack: [...words(title, { fontSize: 20, color: INK }), ...words(number, { fontSize: 10.5, color: PALE })],
        alignment: 'right',
      },
    ],
    margin: [0, 0, 0, 34],
  };
}

/** The address of who is written to, below that of who writes, as it shows in the window of an envelope. */
function address({ from, to }: Letter): Part {
  const sender = [from.name, ...from.address.split('\n')].map(printable).filter((line) => line !== '');
  return {
    width: 270,
    stack: [
      { text: sender.join(' · '), fontSize: 6.8, color: PALE, margin: [0, 0, 0, 7] },
      ...words(to.company, { bold: true }),
      ...words(to.name === to.company ? '' : to.name, { bold: !to.company }),
      ...words(to.address),
      ...words(to.tax_number && `Tax number ${to.tax_number}`, { color: PALE, fontSize: 8, margin: [0, 4, 0, 0] }),
    ],
    lineHeight: 1.18,
  };
}

/** Number, dates and references, beside the address. */
function facts({ facts: all, from }: Letter, { day }: Writing): Part {
  const told = all.map(([name, value]) => [name, 'day' in value ? day(value.day) : printable(value.text ?? '')]);
  const own: string[][] = [...told, ['Our tax number', printable(from.tax_number)]];
  const body = own
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [
      { text: name, color: PALE },
      { text: value, alignment: 'right' },
    ]);
  return { width: 190, table: { widths: [82, 108], body }, layout: 'facts' };
}

/** What stands at the foot of each page. */
const foot =
  ({ from }: Letter) =>
  (page: number, pages: number): Part => ({
    margin: [SIDE, 6, SIDE, 0],
    stack: [
      { canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: 0.5, lineColor: RULE }] },
      {
        margin: [0, 6, 0, 0],
        columns: [
          { width: '*', text: printable(from.footer || [from.name, from.address].join('\n').replaceAll('\n', ' · ')) },
          { width: 80, text: `Page ${page} of ${pages}`, alignment: 'right' },
        ],
      },
    ],
    fontSize: 7,
    color: PALE,
    lineHeight: 1.15,
  });

/** What the later pages begin with, should they be separated from the first. */
const running =
  ({ title, number, from }: Letter) =>
  (page: number): Part | undefined =>
    page === 1
      ? undefined
      : {
          margin: [SIDE, 26, SIDE, 0],
          columns: [
            { width: '*', text: printable(from.name) },
            { width: 240, text: printable(`${title} ${number ?? ''}`), alignment: 'right' },
          ],
          fontSize: 8,
          color: PALE,
        };

/** Below the sums: what else is to be said. A title is never left alone at the end of a page. */
const text = ([title, said]: Letter['texts'][number]): Part[] => {
  const body = words(said, { color: INK, lineHeight: 1.25 });
  return body.length === 0
    ? []
    : [{ text: title, bold: true, margin: [0, 18, 0, 4], headlineLevel: 1 }, { stack: body }];
};

/** How lines and tables are ruled. */
export const tableLayouts = {
  facts: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: () => 0,
    paddingRight: () => 0,
    paddingTop: () => 1.6,
    paddingBottom: () => 1.6,
  },
  lines: {
    hLineWidth: (at: number, { table }: { table: { body: unknown[] } }) =>
      at === 0 ? 0 : at === 1 || at === table.body.length ? 0.9 : 0.4,
    hLineColor: (at: number) => (at === 1 ? INK : RULE),
    vLineWidth: () => 0,
    paddingLeft: (at: number) => (at === 0 ? 0 : 5),
    paddingRight: (at: number, { table }: { table: { widths: unknown[] } }) => (at === table.widths.length - 1 ? 0 : 5),
    paddingTop: () => 5,
    paddingBottom: () => 5,
  },
};

/** Text that fills more than a page must be able to go on to the next one. */
const LONG = 1_200;
const isShort = ({ product_name, description }: LetterLine) => `${product_name}${description}`.length < LONG;

/** What pdfmake draws for a letter. */
export function layOut(letter: Letter): object {
  const { title, number, mark, currency, from, lines, texts } = letter;
  const hand = writing(from.locale, currency);
  const subject = printable(`${title} ${number ?? ''}`);
  return {
    info: { title: subject, author: printable(from.name), subject },
    language: 'en',
    pageSize: 'A4',
    pageMargins: [SIDE, 52, SIDE, 74],
    defaultStyle: { font: 'DejaVu', fontSize: 8.8, color: INK, lineHeight: 1.12 },
    ...(mark && { watermark: { text: mark, color: PALE, opacity: 0.12, bold: true, angle: -38, fontSize: 96 } }),
    header: running(letter),
    footer: foot(letter),
    content: [
      head(letter),
      { columns: [address(letter), { width: '*', text: '' }, facts(letter, hand)], margin: [0, 0, 0, 30] },
      { ...linesTable(lines, { currency, hand, width: WIDTH, keepRows: lines.every(isShort) }), layout: 'lines' },
      sumsTable(letter, hand),
      ...texts.flatMap(text),
    ],
    pageBreakBefore: (
      part: { headlineLevel?: number; pageNumbers: number[] },
      { getFollowingNodesOnPage }: Neighbours,
    ) => part.headlineLevel === 1 && getFollowingNodesOnPage().length === 0,
  };
}

interface Neighbours {
  getFollowingNodesOnPage(): unknown[];
}
