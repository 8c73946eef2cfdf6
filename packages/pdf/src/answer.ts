import { deadline, type FaultMaker, type Send } from '@suite/chassis';
import type { Letter } from './letter.ts';
import { DocumentTooLong, openPrinter, TooManyPrints } from './printer.ts';

/** One per service: two would only take the processor from each other. Together, both times end before the gateway's. */
const printer = openPrinter({
  idle_ms: 30_000,
  deadline_ms: deadline(6_000),
  patience_ms: deadline(7_000),
  share: 4,
  waiting: 40,
});

/** The faults of an operation that prints. */
export const printFaults: FaultMaker[] = [TooManyPrints, DocumentTooLong];

/** `Invoice-INV-2026-00001.pdf`: nothing that a header or a file system could take for something else. */
export const fileName = ({ title, number }: Letter): string =>
  `${`${title} ${number ?? 'draft'}`.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 100)}.pdf`;

/** Prints a letter for a workspace, and answers with it, for a browser to show. @throws PrinterBusy, or one of `printFaults` */
export async function asPdf(letter: Letter, workspace_id: string): Promise<Send> {
  const pdf = await printer.print(letter, workspace_id);
  return (response) => {
    response.writeHead(200, {
      'Content-Type': 'application/pdf',
      'Content-Length': pdf.length,
      'Content-Disposition': `inline; filename="${fileName(letter)}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    response.end(pdf);
    return Promise.resolve();
  };
}
