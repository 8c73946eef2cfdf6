/** Public API of the package: prints a description as a PDF. This package calculates no amounts. */
export { asPdf, printFaults } from './answer.ts';
export type { Label } from './labels/labels.ts';
export type { Fact, Letter, Letterhead, LetterLine, LetterSums, Recipient, TaxSum } from './letter.ts';
