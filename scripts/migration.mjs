import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run migration';
const help = `
Usage: npm run migration -- <service> <name>

Writes a migration for what has changed in services/<service>/prisma/schema.prisma since the last one, and generates the
database client anew: npm run migration -- crm add_archived_at

It prints the new file. Read it, and change it where the database has to do more than the schema says. npm start and npm test
apply it; no database has to run now.`;
const { positionals } = parseArguments({ command, help, most: 2 });
const [service = '', name = ''] = positionals;

if (!service || !name) {
  console.error(help.trim());
  process.exit(2);
}
const directory = ['services', 'packages'].map((parent) => `${parent}/${service}`).find((path) => isDatabaseOf(path));
if (!/^[a-z]+$/.test(service) || !directory) refuse(command, `"${service}" is no service with a database.`);
if (!/^[a-z][a-z0-9_]{2,60}$/.test(name)) refuse(command, `A name is like add_archived_at, not "${name}".`);

await setUp();
process.exitCode = await openly(node, ['packages/migrations/src/migrate.ts', directory, '--new', name]);

function isDatabaseOf(path) {
  return existsSync(join(root, path, 'prisma/schema.prisma'));
}
