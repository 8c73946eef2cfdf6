/** How figures, days and words are written on paper. */
import { minorUnits } from '@suite/money';

/** More decimals than any amount or quantity has: nothing is ever rounded here. */
const EXACT = 6;

/** The minus sign of typography; a hyphen is shorter, and may be broken from its number. */
const MINUS = '\u2212';

/** Days as `10 Mar 2026`, amounts as `1,250.00`, unless the workspace says otherwise. */
const ELSEWHERE = 'en-GB';

function known(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? ELSEWHERE;
  } catch {
    return ELSEWHERE;
  }
}

/** Characters that are no text: control characters, and those that turn the direction of what follows. */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\u206a-\u206f\ufeff]/gu;

/** Text without characters that cannot be printed. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNPRINTABLE, '')
    .trim();

/** Whether a decimal string is anything but zero. */
export const isSome = (amount: string): boolean => /[1-9]/.test(amount);

function countryName(language: string, code: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The hand of a workspace: how it writes decimal strings and days. Decimals are written exactly, however long they are. */
export function writing(locale: string, currency: string) {
  const language = known(locale);
  const minor = minorUnits(currency);
  const amounts = new Intl.NumberFormat(language, { minimumFractionDigits: minor, maximumFractionDigits: EXACT });
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: EXACT });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  // Some languages steer the direction around their signs; the typesetter finds it out by itself.
  const written = (by: Intl.NumberFormat, value: string) =>
    printable(by.format(value as Intl.StringNumericLiteral)).replace('-', MINUS);
  return {
    /** Its language and where it is spoken. */
    language: new Intl.Locale(language).maximize(),
    amount: (value: string): string => written(amounts, value),
    /** Taken off: with a minus, as it is written there. */
    less: (value: string): string => written(amounts, `-${value}`),
    /** With the code of the currency, where an amount stands for itself. */
    sum: (value: string): string => `${written(amounts, value)} ${currency}`,
    number: (value: string): string => written(numbers, value),
    percent: (value: string): string => `${written(numbers, value)} %`,
    /** The name of a country by its ISO 3166 code. */
    country: (code: string): string => printable(countryName(language, code)),
    day: (day: string): string => printable(days.format(new Date(`${day}T00:00:00Z`))),
  };
}
export type Writing = ReturnType<typeof writing>;
