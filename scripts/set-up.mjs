import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { root } from './command.mjs';
import { compile } from './compile.mjs';
import { generate } from './generate.mjs';
import { install } from './install.mjs';

const lock = join(root, '.data/set-up.lock');
const FORGOTTEN_MS = 15 * 60_000;

/** Is the process that took the lock still at work? Its number may have been given to another one since, hence the age. */
function isHeld() {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return Date.now() - statSync(lock).mtimeMs < FORGOTTEN_MS;
  } catch {
    return false;
  }
}

/** `npm start` and `npm test` may begin at the same moment on a fresh clone; only one of them installs. */
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

/** Installs what is locked, generates code and compiles: first in both commands. Costs next to nothing when all is current. */
export async function setUp(giveUp = () => {}) {
  try {
    await alone(async () => {
      await install();
      await generate();
      await compile();
    });
  } catch (error) {
    console.error(error.message);
    giveUp();
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp();
