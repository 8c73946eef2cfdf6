import type { Send } from '@suite/chassis';
import type { Letter } from './letter.ts';
import { openPrinter } from './printer.ts';

/** One per service: two would only take the processor from each other. */
const printer = openPrinter({ idle_ms: 30_000, patience_ms: 7_000, waiting: 12 });

/** `Invoice-INV-2026-00001.pdf`: nothing that a header or a file system could take for something else. */
export const fileName = ({ title, number }: Letter): string =>
  `${`${title} ${number ?? 'draft'}`.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 100)}.pdf`;

/** Prints a letter, and answers with it, for a browser to show. @throws PrinterBusy */
export async function asPdf(letter: Letter): Promise<Send> {
  const pdf = await printer.print(letter);
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
