/** Files of packages that are copied into an image next to the bundle: native code, WebAssembly and fonts. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

interface PackageJson {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Files that run. The rest of a package is for its developers: sources in C++, types, documentation. */
const RUNS = /\.(?:[cm]?js|json|node|wasm)$|\.so(?:\.[\d.]+)?$|^licen[cs]e/i;

/** Returns the folder of a package that a module in this folder imports, or undefined if it is not installed. */
function packageFolder(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Returns the files of a native package and of its dependencies, without packages for other platforms. */
export function nativeFiles(name: string, from: string, found = new Set<string>()): string[] {
  const folder = packageFolder(name, from);
  if (!folder || found.has(folder)) return [];
  found.add(folder);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as PackageJson;
  const own = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((file) => file.isFile() && RUNS.test(file.name))
    .map((file) => join(file.parentPath, file.name));
  const others = Object.keys({ ...dependencies, ...optionalDependencies });
  return [...own, ...others.flatMap((other) => nativeFiles(other, folder, found))];
}

/** Returns the folder of the package that contains a file. */
export function packageOf(file: string): string {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  if (!folder) throw new Error(`${file} is not part of a package.`);
  return folder;
}

/** Returns a file of a package that a module looks up, with the package.json that leads there, and the licence. */
export function resolvedFiles(name: string, from: string): string[] {
  const file = createRequire(join(from, 'module.js')).resolve(name);
  return [...new Set([file, ...describingFiles(packageOf(file))])];
}

/** Returns the files that describe a package: its package.json and its licence. */
export function describingFiles(folder: string): string[] {
  return globSync('{package.json,[lL][iI][cC][eE][nN][cCsS][eE]*,OFL*}', { cwd: folder }).map((name) =>
    join(folder, name),
  );
}

/** Copies files of the repository to the same places of another folder. */
export function copyFiles(root: string, files: readonly string[], target: string): void {
  for (const file of new Set(files)) {
    const place = join(target, relative(root, file));
    mkdirSync(dirname(place), { recursive: true });
    // Without symbolic links: an image contains no other folder of the repository.
    cpSync(file, place, { recursive: true, dereference: true });
  }
}
