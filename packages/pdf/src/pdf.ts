/** Public API of the package: prints a description as a PDF. This package calculates no amounts. */
export { sendPdf, printFaults } from './pdf-response.ts';
export type { PdfLabel } from './labels/en.ts';
export type {
  PdfFact,
  PdfDocument,
  PdfEntry,
  Letterhead,
  PdfLine,
  PdfSums,
  PdfRecipient,
  TaxSum,
} from './pdf-document.ts';
export { LINES_TOO_LONG, linesFit } from './text-work.ts';
