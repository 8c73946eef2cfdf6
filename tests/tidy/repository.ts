import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './rule.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const GENERATED = ['packages/proto/src', 'docs', 'gateway/src/routes.json', 'package-lock.json'];
const FOREIGN = new Set(['node_modules', '.git', '.data', '.turbo', 'generated', 'coverage', 'dist']);
const TEXT = /\.(ts|mjs|cjs|json|md|sql|prisma|proto|ya?ml|sh|html|toml)$|Dockerfile$|^\.ci\//;

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (FOREIGN.has(entry.name) || GENERATED.includes(path)) return [];
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Every text of the repository that people write. */
export const repository = (): SourceFile[] =>
  walk('.')
    .filter((path) => TEXT.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
