/** The entrance of the package: a letter as it is described, printed as PDF. Nothing in here computes an amount. */
export { asPdf, printFaults } from './answer.ts';
export type { Label } from './labels/labels.ts';
export type { Fact, Letter, Letterhead, LetterLine, LetterSums, Recipient, TaxSum } from './letter.ts';
