/** The colours of a letter: what is read, what only names it, and the lines between. */
export const INK = '#1f2933';
export const PALE = '#6b7785';
export const RULE = '#c9d1d9';
