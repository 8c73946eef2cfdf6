/**
 * Starts one more process of a service, or of the gateway, next to the suite of `npm start`, on free ports: `npm start
 * -w @suite/crm`. The process uses the same database and NATS. Variables of the environment take precedence.
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
