import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, openly, root } from './command.mjs';
import { setUp } from './set-up.mjs';

// The databases of the local suite, unless DATABASE_URL_<SERVICE> names others.
const folder = join(root, '.data/environment');
const kept = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const addresses = Object.fromEntries(
  kept.flatMap((name) => {
    const { DATABASE_URL } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const variable = `DATABASE_URL_${name.replace('.json', '').toUpperCase()}`;
    return DATABASE_URL && !(variable in process.env) ? [[variable, DATABASE_URL]] : [];
  }),
);

await setUp();
process.exitCode = await openly(node, ['tests/audit/main.ts', ...process.argv.slice(2)], addresses);
