import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The way in which a generated client gets its compiler of queries: as a module that is one string of megabytes. */
const AS_MODULE = /const \{ wasm \} = await import\("([^"]+\.wasm-base64)\.mjs"\)/;

/** The same from the file of that module, whose text is then forgotten: Node keeps a module's source and its string for ever. */
const asFile = (_, name) => `const { readFile } = await import('node:fs/promises')
    const { createRequire } = await import('node:module')
    const text = await readFile(createRequire(import.meta.url).resolve("${name}.js"), 'latin1')
    const wasm = text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'))`;

/** Signs that make Node keep a whole source in two bytes for each letter; written as escapes they are the same. */
const WIDE = /[^\u0000-\u00ff]/g;
const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes a database client smaller in memory than Prisma has generated it. */
export function slimClient(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(folder, name);
    const source = readFileSync(file, 'utf8');
    const isClient = name.endsWith('class.ts');
    if (isClient && !AS_MODULE.test(source)) throw new Error(`${file} gets its compiler in another way than it did.`);
    const slim = source.replace(AS_MODULE, asFile).replaceAll(WIDE, escaped);
    if (slim !== source) writeFileSync(file, slim);
  }
}
