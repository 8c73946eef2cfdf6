/** Texts of payments in the characters that every bank of SEPA takes. */

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
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
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
 * A text in the Latin characters of SEPA, of at most so many: `Jürgen Müller` is `Juergen Mueller`, `Łukasz Gięć` is
 * `Lukasz Giec`. Chosen: a character that has no Latin form is a full stop, as the rules of SEPA recommend.
 */
export function sepaText(text: string, most: number): string {
  const plain = [...text.normalize('NFC')].map((sign) => LETTERS[sign] ?? sign).join('');
  const unmarked = plain.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const latin = unmarked
    .replaceAll(/[^A-Za-z0-9/?:().,'+ -]/gu, '.')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return latin.slice(0, most).trim();
}
