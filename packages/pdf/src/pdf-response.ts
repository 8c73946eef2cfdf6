import type { FaultMaker } from '@suite/chassis/faults';
import type { ResponseWriter } from '@suite/chassis/operations';
import { deadline } from '@suite/chassis/runtime';
import { labelsFor } from './labels/labels.ts';
import type { PdfDocument } from './pdf-document.ts';
import { DocumentTooLong, openPrinter, TooManyPrints } from './printer.ts';

/**
 * One printer per service: two would only compete for the processor. The sum of both timeouts is below the deadline of
 * PDFs at the gateway.
 */
const printer = openPrinter({
  idle_ms: 30_000,
  deadline_ms: deadline(6_000),
  patience_ms: deadline(7_000),
  share: 4,
  waiting: 40,
});

/** The faults of an operation that prints. */
export const printFaults: FaultMaker[] = [TooManyPrints, DocumentTooLong];

/** Returns the file name in the language of the PDF: `Rechnung-INV-2026-00001.pdf`. */
const localName = ({ title, number, to, from }: PdfDocument): string => {
  const { label } = labelsFor(/^[a-z]+/.exec(to.language || from.locale)?.[0] ?? 'en');
  const named = `${label(title)} ${number ?? label('draft').toLowerCase()}`;
  return `${named
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, 100)}.pdf`;
};

/** Returns the file name in ASCII, for clients that support no other: `Invoice-INV-2026-00001.pdf`. */
const plainName = ({ title, number }: PdfDocument): string =>
  `${`${labelsFor('en').label(title)} ${number ?? 'draft'}`.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 100)}.pdf`;

/**
 * Returns the `Content-Disposition` of a PDF. Neither name contains characters with a special meaning in headers or
 * file systems.
 */
export function disposition(letter: PdfDocument): string {
  const [plain, local] = [plainName(letter), localName(letter)];
  const encoded = local === plain ? '' : `; filename*=UTF-8''${encodeURIComponent(local)}`;
  return `inline; filename="${plain}"${encoded}`;
}

/**
 * Prints a PDF for a workspace, and returns it for display in a browser. @throws PrinterBusy, or one of `printFaults`
 */
export async function sendPdf(letter: PdfDocument, workspace_id: string): Promise<ResponseWriter> {
  const pdf = await printer.print(letter, workspace_id);
  return (response) => {
    response.writeHead(200, {
      'Content-Type': 'application/pdf',
      'Content-Length': pdf.length,
      'Content-Disposition': disposition(letter),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    response.end(pdf);
    return Promise.resolve();
  };
}
