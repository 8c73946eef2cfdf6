/** Words on paper: their language, from which the typesetter takes fonts and breaks, and their direction. */
import { printable } from './writing.ts';

/** Words as the typesetter sets them. */
export interface Said {
  text: string;
  /** `de`, `ja`, `zh-TW` */
  language: string;
  /** Whether they are read from right to left. */
  rtl: boolean;
  /** How long the longest word is that cannot be broken: characters of the east can. */
  longest: number;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const HAN = /\p{Script=Han}/u;
const EASTERN = new Set(['ja', 'ko', 'zh', 'zh-TW']);

/** Scripts that one language stands for well enough: readers of documents aloud and the typesetter want one. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string, others: readonly string[]])[] = [
  [/\p{Script=Arabic}/u, 'ar', ['fa', 'ur', 'ps', 'ckb', 'sd', 'ug']],
  [/\p{Script=Hebrew}/u, 'he', ['yi']],
  [/\p{Script=Thai}/u, 'th', []],
  [/\p{Script=Devanagari}/u, 'hi', ['mr', 'ne', 'sa']],
];

const RTL_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The first letter decides, as in a browser (`dir=auto`). */
export const isRightToLeft = (text: string): boolean => RTL_LETTER.test(/\p{L}/u.exec(text)?.[0] ?? '');

/** The language of a text by its letters, or else the writer's own. */
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
 * How a letter's words are understood. Han characters alone do not tell whether they are Chinese or Japanese: then the
 * writer's language says it, or what else is said in the letter.
 */
export function hearing({ language, script }: Intl.Locale, everything: string): (text: string) => Said {
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

/** A name amid other words, which turns nothing around itself. */
export const apart = (name: string): string => {
  const clean = printable(name).replaceAll(/[\u2068\u2069]/g, '');
  return RTL_LETTER.test(clean) ? isolated(clean) : clean;
};

/** A value amid words that are read from right to left. */
export const isolated = (value: string): string => `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`;
