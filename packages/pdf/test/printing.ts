/** A PDF printer for tests, with longer timeouts for a busy machine. */
import { pagesOf } from '@suite/testing';
import type { PdfDocument } from '../src/pdf-document.ts';
import { openPrinter } from '../src/printer.ts';

export const PATIENT_LIMITS = { idle_ms: 60_000, deadline_ms: 120_000, patience_ms: 120_000, share: 100, waiting: 100 };

/** Prints PDFs of one workspace. */
export function openTestPrinter() {
  const { print, close } = openPrinter(PATIENT_LIMITS);
  const pages = async (of: PdfDocument) => pagesOf(await print(of, 'ours'));
  return {
    close,
    print: async (of: PdfDocument) => await print(of, 'ours'),
    pages,
    first: async (of: PdfDocument) => (await pages(of))[0]!,
  };
}
