import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { root } from './command.mjs';
import { compile } from './compile.mjs';
import { describeApi } from './describe.mjs';
import { generate } from './generate.mjs';
import { install, prepareRuntimes } from './install.mjs';

const lock = join(root, '.data/set-up.lock');
const FORGOTTEN_MS = 15 * 60_000;

/**
 * Checks whether the process that owns the lock is still running. Its process ID may have been reused, hence the age.
 */
function isHeld() {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return Date.now() - statSync(lock).mtimeMs < FORGOTTEN_MS;
  } catch {
    return false;
  }
}

/**
 * Runs the work under a lock. `npm start` and `npm test` may begin at the same moment on a fresh clone, and only one of
 * them must install.
 */
async function alone(work) {
  mkdirSync(join(root, '.data'), { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isHeld()) await sleep(200);
      else rmSync(lock, { force: true });
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The oldest Node.js that runs these scripts and npm's installation. */
const OLDEST_NODE = [20, 19];

async function provideNats() {
  // Loaded here, because a command that only prints its help needs no other folder than this one.
  const { provideNatsServer } = await import('../deploy/local/src/servers/nats-server.mjs');
  provideNatsServer(process.env, console.log);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Error(
    `Node.js ${OLDEST_NODE.join('.')} or later is required; this is ${process.versions.node}. Update it.`,
  );
}

/**
 * Installs the locked dependencies, generates code and compiles. Takes almost no time when everything is current.
 * @param development false for commands that only run the suite, without the tools of tests and checks
 * @param description whether the command needs docs/openapi.json
 * @param servers whether the command starts servers: nats-server is not an npm package, so it is checked before
 * anything else
 */
export async function setUp({ development = true, description = false, servers = false, giveUp = () => {} } = {}) {
  try {
    await alone(async () => {
      checkNode();
      if (servers && !process.env.NATS_URL) await provideNats();
      await install(development);
      // Without the runtime that runs this script, no generator can start. `npm ci` has deleted it if npm found this
      // script's Node in node_modules.
      if (!existsSync(process.execPath)) await prepareRuntimes(development);
      await Promise.all([prepareRuntimes(development), generate('', development)]);
      await Promise.all([compile(), description && describeApi()]);
    });
  } catch (error) {
    console.error(error.message);
    giveUp();
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp({ description: true });
