/**
 * Estimates how long texts take to print, so that a document is accepted or rejected regardless of the machine and its
 * load. A unit of work is a Latin character, about 5 µs of processor time. Another script needs another font, and each
 * change of fonts takes as long as 20 characters.
 */
const EUROPEAN = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
/** Spaces, digits and punctuation, which belong to the script around them. */
const NEUTRAL = String.raw`[^\p{L}\p{M}\p{Extended_Pictographic}\u200d]`;
/** Characters of one script, by the name of the script. */
const RUN = new RegExp(
  [
    `(?<european>[${EUROPEAN}]+)`,
    `(?<neutral>${NEUTRAL}+)`,
    String.raw`(?<eastern>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]+)`,
    String.raw`(?<hangul>\p{Script=Hangul}+)`,
    String.raw`(?<arabic>\p{Script=Arabic}+)`,
    String.raw`(?<hebrew>\p{Script=Hebrew}+)`,
    String.raw`(?<indic>[\p{Script=Thai}\p{Script=Devanagari}]+)`,
    String.raw`(?<mark>(?![\u200d\ufe0f])\p{Script=Inherited}+)`,
    '(?<other>.)',
  ].join('|'),
  'gsu',
);
/** Work per character. The position of each combining mark is calculated. */
const WORK = { european: 1, neutral: 1, eastern: 3, hangul: 3, arabic: 3, hebrew: 3, indic: 4, mark: 16, other: 6 };
const CHANGE = 20;
/** A word that may be wider than its column is measured, and broken into parts. */
const WIDE_WORD = /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{31,}/gu;
const BREAK = 6;

/** The highest work of a document: about 3 seconds. */
export const DOCUMENT_WORK_MAX = 600_000;
/** The highest work of all descriptions of lines. Notes and product names have room next to the lines. */
const LINES_WORK_MAX = 250_000;

/** Returns the work of printing a text. */
export function textWork(text: string): number {
  let sum = 0;
  let before = '';
  for (const { 0: run, groups = {} } of text.matchAll(RUN)) {
    const [script] = Object.entries(groups).find(([, found]) => found !== undefined) as [keyof typeof WORK, string];
    sum += run.length * WORK[script];
    if (script === 'mark' || script === 'neutral' || script === before) continue;
    sum += CHANGE;
    before = script;
  }
  for (const [word] of text.matchAll(WIDE_WORD)) sum += word.length * BREAK;
  return sum;
}

export const LINES_TOO_LONG = 'These descriptions are too long for a PDF. Shorten them, or use several documents.';

/** Checks that the descriptions of the lines of a document can be printed. Its message is `LINES_TOO_LONG`. */
export const linesFit = (lines: readonly { description?: string | null | undefined }[]): boolean =>
  lines.reduce((sum, { description }) => sum + textWork(description ?? ''), 0) <= LINES_WORK_MAX;
