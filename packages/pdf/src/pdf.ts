/** Public API of the package: prints a description as a PDF. This package calculates no amounts. */
export { asPdf, printFaults } from './answer.ts';
export type { PdfLabel } from './labels/en.ts';
export type { Fact, PdfDocument, PdfEntry, Letterhead, PdfLine, PdfSums, PdfRecipient, TaxSum } from './letter.ts';
export { LINES_TOO_LONG, linesFit } from './text-work.ts';
