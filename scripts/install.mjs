import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, quietly, root, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages ?? {};

/** Checks if node_modules matches the lockfile, even after a manual `npm install`, which leaves no stamp. */
function matchesLockfile(development) {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const installed = read('node_modules/.package-lock.json');
  return Object.entries(read('package-lock.json')).every(([path, locked]) => {
    if (!path.includes('node_modules/')) return true;
    // A workspace package that came with a commit.
    if (locked.link) return existsSync(join(root, path));
    const isLeftOut = Boolean(locked.dev) && !development;
    if (!installed[path]) return isLeftOut || Boolean(locked.optional || locked.devOptional || locked.peer);
    // npm lists a package there even when it only writes the lock file.
    if (!existsSync(join(root, path))) return Boolean(locked.optional);
    return installed[path].version === locked.version && installed[path].integrity === locked.integrity;
  });
}

/**
 * Runs `npm ci`. If a start has already installed its part, adds the rest without changing the files of a running
 * suite. `npm ci` rejects a lockfile without the binaries of this platform, so those are added as well.
 */
async function installLocked(development) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error', ...(development ? [] : ['--omit=dev'])];
  const add = () => quietly('npm', ['install', '--no-save', ...options]);
  if (existsSync(node) && isStamped('install', stampOf(false))) return await add();
  const clean = await quietly('npm', ['ci', ...options]);
  return clean.output.includes('EUSAGE') ? await add() : clean;
}

const stampOf = (development) => `${hashOf(['package-lock.json'])} ${development ? 'development' : 'production'}`;

/** Runs the install scripts that package.json lists, and no others: .npmrc keeps npm from running any script. */
async function buildListed() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const listed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  const here = listed.filter((name) => existsSync(join(root, 'node_modules', name)));
  // The existing runtime may be the one that runs this script.
  const waiting = here.filter((name) => name !== 'node' || !existsSync(node));
  return await quietly('npm', ['rebuild', '--ignore-scripts=false', '--loglevel=error', ...waiting]);
}

/**
 * Installs the locked dependencies unless they are already installed.
 * @param development whether to include packages that only tests and checks need
 */
export async function install(development) {
  if (isCurrent(true, development) || matchesLockfile(development)) return;
  await step('Installing dependencies', 'npm failed to install the dependencies', () => installLocked(development));
}

/** Runs the install scripts of Node and PostgreSQL, and records that everything is installed. */
export async function prepareRuntimes(development) {
  if (isCurrent(true, development)) return;
  await step('Preparing Node and PostgreSQL', 'npm failed to run the install scripts', buildListed);
  stamp('install', stampOf(development));
}

const isCurrent = (...kinds) => existsSync(node) && kinds.some((kind) => isStamped('install', stampOf(kind)));
