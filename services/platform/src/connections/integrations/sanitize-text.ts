/** Unpaired surrogate, which is invalid in text. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/gu;
const CONTROL = /\p{Cc}/gu;

/**
 * Returns a text from an external server in a form that can be stored and displayed: one line, valid characters only,
 * at most `length_max` characters.
 */
export const sanitizeText = (text: string, length_max: number): string =>
  text.replaceAll(CONTROL, '').slice(0, length_max).replaceAll(UNPAIRED_SURROGATE, '').trim();
