import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The import of the query compiler in a generated client: a module with a string of several megabytes. */
const AS_MODULE = /const \{ wasm \} = await import\("([^"]+\.wasm-base64)\.mjs"\)/;

/**
 * Reads the same text from the file of that module, so that it can be garbage-collected. Node retains a module's source
 * and its string permanently.
 */
const asFile = (_, name) => `const { readFile } = await import('node:fs/promises')
    const { createRequire } = await import('node:module')
    const text = await readFile(createRequire(import.meta.url).resolve("${name}.js"), 'latin1')
    const wasm = text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'))`;

/**
 * Characters that make Node store a whole source with two bytes per character. Escapes have the same meaning without
 * this cost.
 */
const WIDE = /[^\u0000-\u00ff]/g;
const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Reduces the memory use of a database client that Prisma generated. */
export function slimClient(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(folder, name);
    const source = readFileSync(file, 'utf8');
    const isClient = name.endsWith('class.ts');
    if (isClient && !AS_MODULE.test(source)) throw new Error(`${file} loads its compiler in an unknown way.`);
    const slim = source.replace(AS_MODULE, asFile).replaceAll(WIDE, escaped);
    if (slim !== source) writeFileSync(file, slim);
  }
}
