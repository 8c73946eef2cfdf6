/** Texts of payments in the characters that every bank of SEPA takes. */
import anyAscii from 'any-ascii';

/** Letters that are written in two, or that have no mark to leave out. */
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  '&': '+',
  '–': '-',
  '—': '-',
  '’': "'",
};

/** Letters of any script as Latin ones, and pictures as nothing: the library writes those out by their names. */
const latinOf = (sign: string): string => LETTERS[sign] ?? (/\p{L}|\p{N}|\p{M}/u.test(sign) ? anyAscii(sign) : sign);

/**
 * A text in the Latin characters of SEPA, of at most so many: `Jürgen Müller` is `Juergen Mueller`, `Юрий Щербаков` is
 * `Yuriy Shcherbakov`. Chosen: a character that has no Latin form is a full stop, as the rules of SEPA recommend.
 */
export function sepaText(text: string, most: number): string {
  const latin = [...text.normalize('NFC')]
    .map(latinOf)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^A-Za-z0-9/?:().,'+ -]/gu, '.')
    .trim();
  return latin.slice(0, most).trim();
}
