/**
 * Runs a command for operators with the environment of a process of the local suite:
 *   node scripts/operator.mjs services/platform/src/cli/workspace.ts platform create … Variables of the environment
 *   take precedence, so that the same commands work on any deployment.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';
import { refuse } from './words.mjs';

const [program, name = '', ...words] = process.argv.slice(2);
const command = `npm run ${basename(program, '.ts')}`;
const help = readFileSync(join(root, program.replace(/\.ts$/, '.help.txt')), 'utf8');
const directory = join(root, '.data/environment');
const file = join(directory, `${name}.json`);

if (name === '' || [name, ...words].some((word) => word === '--help' || word === '-h')) {
  // A call without arguments prints the help, too, but on stderr.
  (name === '' ? console.error : console.log)(help.trim());
  process.exitCode = name === '' ? 2 : 0;
} else if (!/^[a-z]+$/.test(name)) {
  refuse(command, `"${name}" is not the name of a service.`);
} else if (!existsSync(file) && !process.env.DATABASE_URL) {
  const known = existsSync(directory) ? readdirSync(directory).map((one) => one.replace('.json', '')) : [];
  const choice = known.length > 0 ? `choose one of ${known.join(', ')}` : 'start the suite first (npm start)';
  console.error(`Unknown service "${name}": ${choice}, or set DATABASE_URL.`);
  process.exitCode = 1;
} else {
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const missing = Object.fromEntries(Object.entries(kept).filter(([variable]) => !(variable in process.env)));
  await setUp({ development: false });
  process.exitCode = await openly(node, [program, ...words], missing);
}
