import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';

// Inside node_modules on purpose: a fresh install removes every stamp, so that everything is generated again.
const folder = join(root, 'node_modules/.suite');

function filesOf(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)));
}

/** Returns a hash over the names and contents of files and folders. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf)) {
    hash.update(`${path}\0`);
    hash.update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

/** Checks whether the work called `name` is already done for exactly these inputs. */
export function isStamped(name, hash) {
  const file = join(folder, name);
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

/** Records that the work called `name` was done for these inputs. */
export function stamp(name, hash) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), hash);
}
