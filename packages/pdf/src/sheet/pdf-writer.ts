/** Printed formats of amounts, days and words. */
import { minorUnits } from '@suite/money';

/** More decimals than any amount or quantity has, so that nothing is rounded here. */
const EXACT = 6;

/** The typographic minus sign. A hyphen is shorter and allows a line break before the number. */
const MINUS = '\u2212';

/** Default locale: days as `10 Mar 2026`, amounts as `1,250.00`. */
const ELSEWHERE = 'en-GB';

function known(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? ELSEWHERE;
  } catch {
    return ELSEWHERE;
  }
}

/** Characters that are not text: control characters, and characters that change the direction of the following text. */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\u206a-\u206f\ufeff]/gu;

/** Removes characters that cannot be printed. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNPRINTABLE, '')
    .trim();

/** Returns true if a decimal string is not zero. */
export const isSome = (amount: string): boolean => /[1-9]/.test(amount);

function countryName(language: string, code: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * Returns the formatters of a workspace for decimal strings and dates. Decimals are formatted exactly, at any length.
 */
export function pdfWriter(locale: string, currency: string) {
  const language = known(locale);
  const made = new Map<string, Intl.NumberFormat>();
  /** Returns the format of a currency, with at least as many decimals as ISO 4217 defines. */
  function amountsIn(code: string): Intl.NumberFormat {
    const minor = minorUnits(code);
    const format =
      made.get(code) ?? new Intl.NumberFormat(language, { minimumFractionDigits: minor, maximumFractionDigits: EXACT });
    made.set(code, format);
    return format;
  }
  const amounts = amountsIn(currency);
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: EXACT });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  // Some languages put direction marks around minus and percent characters. The typesetter does not need them.
  const written = (by: Intl.NumberFormat, value: string) =>
    printable(by.format(value as Intl.StringNumericLiteral)).replace('-', MINUS);
  return {
    /** Language with its most likely script and region. */
    language: new Intl.Locale(language).maximize(),
    amount: (value: string): string => written(amounts, value),
    /** Formats a deduction with the minus of the language. */
    less: (value: string): string => written(amounts, `-${value}`),
    /** Adds the currency code, for an amount without context. */
    sum: (value: string, code = currency): string => `${written(amountsIn(code), value)} ${code}`,
    number: (value: string): string => written(numbers, value),
    percent: (value: string): string => `${written(numbers, value)} %`,
    /** Returns the name of a country by its ISO 3166 code. */
    country: (code: string): string => printable(countryName(language, code)),
    day: (day: string): string => printable(days.format(new Date(`${day}T00:00:00Z`))),
  };
}
export type PdfWriter = ReturnType<typeof pdfWriter>;
