/** Unpaired surrogate, which is invalid in text. */
const HALF = /\p{Surrogate}/gu;
const CONTROL = /\p{Cc}/gu;

/**
 * Returns a text from an external server in a form that can be stored and displayed: one line, valid characters only,
 * at most `most` characters.
 */
export const foreignText = (text: string, most: number): string =>
  text.replaceAll(CONTROL, '').slice(0, most).replaceAll(HALF, '').trim();
