/** Printed texts: their language, which determines fonts and line breaks, and their direction. */
import { printable } from './pdf-writer.ts';

/** A text with the properties that the typesetter needs. */
export interface PdfText {
  text: string;
  /** Language, such as `de`, `ja`, `zh-TW`. */
  language: string;
  /** True for right-to-left text. */
  rtl: boolean;
  /** Length of the longest unbreakable word. East Asian text can be broken between characters. */
  longest: number;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const HAN = /\p{Script=Han}/u;
const EASTERN = new Set(['ja', 'ko', 'zh', 'zh-TW']);

/** Scripts with one representative language, which screen readers and the typesetter need. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string, others: readonly string[]])[] = [
  [/\p{Script=Arabic}/u, 'ar', ['fa', 'ur', 'ps', 'ckb', 'sd', 'ug']],
  [/\p{Script=Hebrew}/u, 'he', ['yi']],
  [/\p{Script=Thai}/u, 'th', []],
  [/\p{Script=Devanagari}/u, 'hi', ['mr', 'ne', 'sa']],
];

const RTL_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Returns the direction of the first alphabetic character, as in a browser (`dir=auto`). */
export const isRightToLeft = (text: string): boolean => RTL_LETTER.test(/\p{L}/u.exec(text)?.[0] ?? '');

/** Returns the language of a text by its characters, or else the writer's own. */
function languageOf(text: string, own: string, han: string): string {
  if (KANA.test(text)) return 'ja';
  if (HANGUL.test(text)) return 'ko';
  if (/\p{Script=Bopomofo}/u.test(text)) return 'zh-TW';
  if (HAN.test(text)) return han;
  const [, usual, others] = SCRIPTS.find(([script]) => script.test(text)) ?? [];
  if (usual) return others?.includes(own) ? own : usual;
  return EASTERN.has(own) ? 'en' : own;
}

/**
 * Returns a function that finds the language of each text. Han characters alone can be Chinese or Japanese. The
 * writer's language or the rest of the document then decides.
 */
export function languageFinder({ language, script }: Intl.Locale, everything: string): (text: string) => PdfText {
  const own = language === 'zh' && script === 'Hant' ? 'zh-TW' : language;
  const others = languageOf(everything, 'en', 'zh');
  const han = EASTERN.has(own) ? own : EASTERN.has(others) ? others : 'zh';
  return (text) => {
    const clean = printable(text);
    const words = clean.match(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu) ?? [];
    const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
    return { text: clean, language: languageOf(clean, own, han), rtl: isRightToLeft(clean), longest };
  };
}

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Isolates a name within other text, so that it does not change the direction around it. */
export const isolateName = (name: string): string => {
  const clean = printable(name).replaceAll(/[\u2068\u2069]/g, '');
  return RTL_LETTER.test(clean) ? isolateValue(clean) : clean;
};

/** Isolates a value within right-to-left text. */
export const isolateValue = (value: string): string => `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`;
