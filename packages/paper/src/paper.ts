/** The front door of paper: a letter as it is described, printed as PDF. Nothing in here computes an amount. */
export { asPdf } from './answer.ts';
export type { Letter, Letterhead, LetterLine, Recipient, TaxSum } from './letter.ts';
