/** The process that prints: pdfmake and its fonts live and end here, and never block a service or fill its memory. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { layOut, tableLayouts } from './layout.ts';
import type { Letter } from './letter.ts';

/** As much of pdfmake as is used; its own types would bring those of browsers into every file of the repository. */
interface Pdfmake {
  setFonts(fonts: Record<string, Record<string, string>>): void;
  setTableLayouts(layouts: object): void;
  setLocalAccessPolicy(allows: (path: string) => boolean): void;
  setUrlAccessPolicy(allows: (url: string) => boolean): void;
  createPdf(definition: object): { getBuffer(): Promise<Buffer> };
}

const require = createRequire(import.meta.url);
const pdfmake = require('pdfmake') as Pdfmake;

const folder = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const normal = join(folder, 'DejaVuSansCondensed.ttf');
const bold = join(folder, 'DejaVuSansCondensed-Bold.ttf');
pdfmake.setFonts({ DejaVu: { normal, bold, italics: normal, bolditalics: bold } });
pdfmake.setTableLayouts(tableLayouts);
// A letter brings its picture along: nothing is ever fetched, and no file is read but the fonts.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path === normal || path === bold);

process.on('message', (letter: Letter) => {
  pdfmake
    .createPdf(layOut(letter))
    .getBuffer()
    .then(
      (pdf) => process.send?.({ pdf }),
      (error: unknown) => process.send?.({ error }),
    );
});
