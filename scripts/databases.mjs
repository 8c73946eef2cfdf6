import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';

/** Returns the databases of the local suite, by variable. DATABASE_URL_<SERVICE> overrides them. */
export function localDatabases() {
  const folder = join(root, '.data/environment');
  const kept = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const { DATABASE_URL } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const variable = `DATABASE_URL_${name.replace('.json', '').toUpperCase()}`;
      return DATABASE_URL && !(variable in process.env) ? [[variable, DATABASE_URL]] : [];
    }),
  );
}
