/**
 * Runs a command for operators with the environment of a process of the local suite:
 *   node scripts/operator.mjs services/platform/src/cli/workspace.ts platform create …
 * What is set in the environment already is left as it is, so that the same commands work on any deployment.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';

const [program, name, ...words] = process.argv.slice(2);
const directory = join(root, '.data/environment');
const file = join(directory, `${name}.json`);
const isHelp = name === undefined || name.startsWith('-');

if (!isHelp && !existsSync(file) && !process.env.DATABASE_URL) {
  const known = existsSync(directory) ? readdirSync(directory).map((one) => one.replace('.json', '')) : [];
  const choice = known.length > 0 ? `say one of ${known.join(', ')}` : 'start the suite first (npm start)';
  console.error(`Nothing is known here of a service "${name}": ${choice}, or set DATABASE_URL.`);
  process.exitCode = 1;
} else {
  const kept = !isHelp && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const missing = Object.fromEntries(Object.entries(kept).filter(([variable]) => !(variable in process.env)));
  await setUp();
  process.exitCode = await openly(node, [program, ...(name === undefined ? [] : isHelp ? ['--help'] : words)], missing);
}
