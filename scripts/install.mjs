import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, quietly, root, seconds } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages ?? {};

/** Does node_modules hold what the lockfile says? True after somebody's own `npm install`, which leaves no stamp. */
function matchesLockfile() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const installed = read('node_modules/.package-lock.json');
  return Object.entries(read('package-lock.json')).every(([path, locked]) => {
    if (!path.includes('node_modules/')) return true;
    // A package of our own that came with somebody's commit.
    if (locked.link) return existsSync(join(root, path));
    if (!installed[path]) return Boolean(locked.optional || locked.devOptional || locked.peer);
    // npm enters a package there also when it only writes the lock file.
    if (!existsSync(join(root, path))) return Boolean(locked.optional);
    return installed[path].version === locked.version && installed[path].integrity === locked.integrity;
  });
}

/** `npm ci`; where it refuses a lockfile that lacks the binaries of this platform, an install that adds only those. */
async function installLocked() {
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const clean = await quietly('npm', ['ci', ...options]);
  return clean.output.includes('EUSAGE') ? await quietly('npm', ['install', '--no-save', ...options]) : clean;
}

/** Runs the install scripts that package.json lists, and no others: .npmrc keeps npm from running any by itself. */
async function buildListed() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const listed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  const here = listed.filter((name) => existsSync(join(root, 'node_modules', name)));
  // The runtime that is there already may be the one that runs this.
  const waiting = here.filter((name) => name !== 'node' || !existsSync(node));
  return await quietly('npm', ['rebuild', '--ignore-scripts=false', '--loglevel=error', ...waiting]);
}

async function step(title, failure, work) {
  process.stdout.write(`${title} … `);
  const started = performance.now();
  const { code, output } = await work();
  console.log(code === 0 ? seconds(started) : 'failed');
  if (code !== 0) throw new Error(`${failure}:\n${output}`);
}

/** Installs the locked dependencies unless they are there already. */
export async function install() {
  const hash = hashOf(['package-lock.json']);
  if (existsSync(node) && isStamped('install', hash)) return;
  if (!matchesLockfile())
    await step('Installing dependencies', 'npm could not install the dependencies', installLocked);
  await step('Preparing Node and PostgreSQL', 'npm could not prepare what it installed', buildListed);
  stamp('install', hash);
}
