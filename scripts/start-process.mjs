/**
 * Starts one more process of a service, or of the gateway, beside the suite that `npm start` runs, on ports that are free:
 * `npm start -w @suite/crm`. It uses the same database and NATS. What is set in the environment already is left as it is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { node, openly, root } from './command.mjs';

const directory = process.argv[2] ?? '';
const kept = join(root, '.data/environment', `${basename(directory)}.json`);
if (!existsSync(kept)) {
  console.error('Start the suite first (npm start): its settings, database and keys are used.');
  process.exit(1);
}
const settings = JSON.parse(readFileSync(kept, 'utf8'));
const ports = Object.fromEntries(Object.keys(settings).flatMap((name) => (name.endsWith('PORT') ? [[name, '0']] : [])));
process.exitCode = await openly(node, [`${directory}/src/main.ts`], { ...settings, ...ports, ...process.env });
