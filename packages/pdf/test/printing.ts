/** A PDF printer for tests, with longer timeouts for a busy machine. */
import { pagesOf } from '@suite/testing';
import type { Letter } from '../src/letter.ts';
import { openPrinter } from '../src/printer.ts';

export const PATIENT = { idle_ms: 60_000, deadline_ms: 120_000, patience_ms: 120_000, share: 100, waiting: 100 };

/** Prints PDFs of one workspace. */
export function printing() {
  const { print, close } = openPrinter(PATIENT);
  const pages = async (of: Letter) => pagesOf(await print(of, 'ours'));
  return {
    close,
    print: async (of: Letter) => await print(of, 'ours'),
    pages,
    first: async (of: Letter) => (await pages(of))[0]!,
  };
}
