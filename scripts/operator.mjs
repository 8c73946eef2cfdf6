/**
 * Runs a command for operators with the environment of a process of the local suite:
 *   node scripts/operator.mjs services/platform/src/cli/workspace.ts platform create …
 * What is set in the environment already is left as it is, so that the same commands work on any deployment.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';

const [program, name, ...words] = process.argv.slice(2);
const file = join(root, '.data/environment', `${name}.json`);
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const missing = Object.fromEntries(Object.entries(kept).filter(([variable]) => !(variable in process.env)));

await setUp();
process.exitCode = await openly(node, [program, ...words], missing);
