import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';
import { parseArguments, refuse } from './words.mjs';

const command = 'npm run migration';
const help = `
Usage: npm run migration -- <service> <name>

Writes a migration for the changes of services/<service>/prisma/schema.prisma since the last migration, and generates the
database client again. Example: npm run migration -- crm add_archived_at_to_leads

Prints the name of the new file. Read the file, and add checks, functions and triggers that Prisma cannot express. npm start
and npm test apply the migration. This command needs no database.`;
const { positionals } = parseArguments({ command, help, most: 2 });
const [service = '', name = ''] = positionals;

if (!service || !name) {
  console.error(help.trim());
  process.exit(2);
}
const directory = ['services', 'packages'].map((parent) => `${parent}/${service}`).find((path) => isDatabaseOf(path));
if (!/^[a-z]+$/.test(service) || !directory) refuse(command, `"${service}" is not a service with a database.`);
if (!/^[a-z][a-z0-9_]{2,60}$/.test(name))
  refuse(command, `"${name}" is not a migration name, such as add_archived_at_to_leads.`);

await setUp();
process.exitCode = await openly(node, ['packages/migrations/src/cli/new-migration.ts', directory, name]);

function isDatabaseOf(path) {
  return existsSync(join(root, path, 'prisma/schema.prisma'));
}
