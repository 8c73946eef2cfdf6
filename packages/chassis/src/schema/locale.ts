/** Locales and countries in bodies. */
import { z } from 'zod';

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** A BCP 47 tag, such as `de-AT`. */
export const Locale = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Enter a locale such as "de" or "de-AT".')
  .refine(isLocale, { error: 'Locale not found. Enter a locale such as "de" or "de-AT".', abort: true })
  .meta({ example: 'de-AT' });

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** An ISO 3166 country code, such as `DE`. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Enter a two-character country code such as "DE".', abort: true })
  .refine((code) => countries.of(code) !== undefined, 'Country not found. Enter a two-character code such as "DE".')
  .meta({ example: 'DE' });
