import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PackageJson {
  name: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Files in every image in addition to its own process: the preparing step, and the documents that the gateway serves.
 */
const ALONG = [
  'deploy/docker/prepare.ts',
  'deploy/docker/prepare-config.ts',
  'deploy/local/src/data/keys.ts',
  'deploy/local/src/data/nats-users.ts',
  'deploy/local/src/processes.ts',
  'deploy/local/src/servers/service-database.ts',
  'docs',
];
const LEFT_OUT = new Set(['node_modules', '.turbo', '.data', 'test', 'fixtures']);

/**
 * Copies the files that one process runs: its package, the workspace packages that it depends on at run time, and the
 * lockfile. Removes the development dependencies from the manifests, because npm would install them for workspaces.
 */
export function prune(root: string, service: string, target: string): void {
  mkdirSync(target, { recursive: true });
  const workspaces = closure(root, service);
  const manifest = readManifest(root);
  writeManifest(target, { ...manifest, workspaces, dependencies: {}, devDependencies: {} });
  for (const file of ['package-lock.json', '.npmrc', ...ALONG]) copy(root, target, file);
  for (const folder of workspaces) {
    copy(root, target, folder);
    writeManifest(join(target, folder), { ...readManifest(join(root, folder)), devDependencies: {} });
  }
}

/** Returns the folders of a package and of all workspace packages that it needs at run time. */
function closure(root: string, service: string): string[] {
  const folders = new Map<string, string>();
  for (const parent of ['.', 'services', 'packages']) {
    for (const name of readdirSync(join(root, parent))) {
      const folder = join(parent, name);
      if (existsSync(join(root, folder, 'package.json'))) folders.set(readManifest(join(root, folder)).name, folder);
    }
  }
  const found = new Set<string>();
  const visit = (folder: string) => {
    if (found.has(folder)) return;
    found.add(folder);
    for (const name of Object.keys(readManifest(join(root, folder)).dependencies ?? {})) {
      const next = folders.get(name);
      if (next) visit(next);
    }
  };
  visit(service);
  return [...found];
}

function copy(root: string, target: string, path: string): void {
  if (!existsSync(join(root, path))) return;
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    filter: (source) => !LEFT_OUT.has(basename(source)) && !source.endsWith('.test.ts'),
  });
}

function readManifest(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
}

function writeManifest(folder: string, manifest: PackageJson): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) {
  const [service, target] = process.argv.slice(2);
  if (service && target) {
    prune(fileURLToPath(new URL('../..', import.meta.url)), service, target);
  } else {
    console.error('Usage: node deploy/docker/prune.ts <folder of the process> <target folder>');
    process.exitCode = 1;
  }
}
