/** Converts payment texts to the characters that all SEPA banks accept. */
import anyAscii from 'any-ascii';

/** Characters with a two-character transcription, or without a diacritic to remove. */
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

/**
 * Transcribes characters of any script to Latin. Pictographs are not passed on, because the library would replace them
 * with their names.
 */
const latinOf = (sign: string): string => LETTERS[sign] ?? (/\p{L}|\p{N}|\p{M}/u.test(sign) ? anyAscii(sign) : sign);

/**
 * Converts a text to the Latin characters of SEPA, up to a maximum length. `Jürgen Müller` becomes `Juergen Mueller`,
 * `Юрий Щербаков` becomes `Yuriy Shcherbakov`. Chosen: a character without a Latin form becomes a full stop, as the
 * SEPA rules recommend.
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
