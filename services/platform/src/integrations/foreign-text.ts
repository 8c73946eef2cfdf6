/** Half of a pair of surrogates, which no text is to have. */
const HALF = /\p{Surrogate}/gu;
const CONTROL = /\p{Cc}/gu;

/** Words of a server outside, as they can be kept and shown: on one line, of signs that there are, and no longer than this. */
export const foreignText = (text: string, most: number): string =>
  text.replaceAll(CONTROL, '').slice(0, most).replaceAll(HALF, '').trim();
