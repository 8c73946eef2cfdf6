/** The print process. It contains typesetter and fonts, so that they never block a service or fill its memory. */
import type { PdfDocument } from './pdf-document.ts';
import { sheetOf } from './sheet/sheet.ts';
import { codeOf } from './payment-code.ts';
import { openTypesetter } from './typesetter.ts';

/** Memory limit of the print process. The typesetter never frees its cache, so a larger process ends. */
const RESIDENT_MAX = 320 * 2 ** 20;

let typesetter: ReturnType<typeof openTypesetter> | undefined;

async function printDocument(letter: PdfDocument): Promise<Uint8Array> {
  const { set } = await (typesetter ??= openTypesetter());
  return await set(sheetOf(letter), { logo: letter.from.logo, payment: codeOf(letter) });
}

process.on('message', (letter: PdfDocument) => {
  printDocument(letter).then(
    (pdf) => process.send?.({ pdf, is_spent: process.memoryUsage.rss() > RESIDENT_MAX }),
    (error: unknown) => process.send?.({ error }),
  );
});
