/** Workspace packages: the folders whose sources can be part of an image. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface PackageJson {
  name: string;
  dependencies?: Record<string, string>;
}

const readManifest = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;

/** Sample data is for tests and laptops. No image contains it. */
const LEFT_OUT = new Set(['packages/demo']);

/** Returns the folders of a package and of all workspace packages that it needs at run time, relative to the root. */
export function closure(root: string, folder: string): string[] {
  const folders = new Map<string, string>();
  for (const name of readdirSync(join(root, 'packages'))) {
    const path = `packages/${name}`;
    if (existsSync(join(root, path, 'package.json'))) folders.set(readManifest(join(root, path)).name, path);
  }
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path) || LEFT_OUT.has(path)) return;
    found.add(path);
    for (const name of Object.keys(readManifest(join(root, path)).dependencies ?? {})) {
      const next = folders.get(name);
      if (next) visit(next);
    }
  };
  visit(folder);
  return [...found];
}
