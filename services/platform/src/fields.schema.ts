import { z } from 'zod';

/** Whether a tag is well formed, and of a language that is known. */
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
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Write a locale as in "de" or "de-AT".')
  .refine(isLocale, { error: 'There is no such locale.', abort: true })
  .meta({ example: 'de-AT' });

/** For operations that replace a password: somebody who knew the old one may have made API keys. */
export const revoke_api_keys = z
  .boolean()
  .default(false)
  .describe('Whether the API keys of the account are revoked, too.');
