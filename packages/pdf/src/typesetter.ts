/**
 * Typst, compiled to WebAssembly: breaks lines and pages, joins Arabic, lays out right-to-left text and tags the PDF.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  initSync,
  type TypstCompiler,
  TypstCompilerBuilder,
  TypstFontResolverBuilder,
} from '@myriaddreamin/typst-ts-web-compiler';
import { fontsFor } from './fonts.ts';
import type { Sheet } from './sheet/sheet.ts';

const require = createRequire(import.meta.url);
const PARTS = ['style.typ', 'lines.typ', 'sums.typ', 'letter.typ'];
/** Returns diagnostics as objects, without source excerpts. */
const STRUCTURED = 1;

/** Loads the typesetter and the templates. The typesetter reads no other files and fetches nothing. */
async function open(): Promise<TypstCompiler> {
  initSync({ module: readFileSync(require.resolve('@myriaddreamin/typst-ts-web-compiler/wasm')) });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  const compiler = await builder.build();
  for (const part of PARTS) {
    compiler.add_source(`/${part}`, readFileSync(new URL(`./sheet/${part}`, import.meta.url), 'utf8'));
  }
  return compiler;
}

/** Opens a typesetter that sets many sheets, one after the other. */
export async function openTypesetter() {
  const compiler = await open();
  const families = new Map<string, readonly string[]>();

  async function loadFonts(sheet: Sheet): Promise<void> {
    const missing = fontsFor(sheet).filter(({ family }) => !families.has(family));
    if (missing.length === 0) return;
    for (const { family, files } of missing) families.set(family, files);
    const resolver = new TypstFontResolverBuilder();
    for (const path of [...families.values()].flat()) resolver.add_raw_font(readFileSync(path));
    compiler.set_fonts(await resolver.build());
  }

  return {
    /**
     * @param images the logo as PNG, and the QR code as SVG
     * @throws when a sheet cannot be set, such as for a logo that is not an image
     */
    async set(sheet: Sheet, images: { logo: Uint8Array; payment: string | null }): Promise<Uint8Array> {
      await loadFonts(sheet);
      compiler.map_shadow('/sheet.json', Buffer.from(JSON.stringify({ ...sheet, families: [...families.keys()] })));
      if (sheet.logo) compiler.map_shadow('/logo.png', images.logo);
      if (images.payment) compiler.map_shadow('/payment.svg', Buffer.from(images.payment));
      try {
        return (compiler.compile('/letter.typ', undefined, 'pdf', STRUCTURED) as { result: Uint8Array }).result;
      } catch (refusal) {
        // The typesetter throws a string with the position in the template.
        throw new Error(String(refusal), { cause: refusal });
      }
    },
  };
}
