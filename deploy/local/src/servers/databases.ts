import { join, resolve } from 'node:path';
import { migrate } from '@suite/migrations';
import { databasePasswords } from '../data/keys.ts';
import type { StartPlan } from '../plan.ts';
import { LaunchError, sentence } from '../launch-error.ts';
import { createServiceDatabase } from './service-database.ts';

/** Returns the database of each service: the configured databases, or one each on the embedded PostgreSQL. */
export async function serviceDatabases(plan: StartPlan, adminUrl: string | null): Promise<Record<string, string>> {
  if (!adminUrl) return plan.config.database_urls;
  const names = plan.rows.filter((row) => row.service).map((row) => row.name);
  const passwords = databasePasswords(join(plan.data, 'secrets.json'), names);
  const entries = names.map(async (name) => {
    const login = { name, password: passwords[name] ?? '', deadline_factor: plan.deadline_factor };
    return [name, await createServiceDatabase(adminUrl, login)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Migrates the databases of all services concurrently. */
export async function migrateAll(plan: StartPlan, databases: Record<string, string>): Promise<void> {
  const services = plan.rows.flatMap((row) => (row.service ? [{ name: row.name, ...row.service }] : []));
  await Promise.all(
    services.map(async ({ name, directory }) => {
      try {
        await migrate({ databaseUrl: databases[name] ?? '', directory: resolve(plan.root, directory) });
      } catch (error) {
        const isOurs = Object.keys(plan.config.database_urls).length === 0;
        const advice = isOurs ? ' (To start over without the data: npm start -- --reset)' : '';
        throw new LaunchError(`The database of ${name} could not be brought up to date: ${sentence(error)}${advice}`);
      }
    }),
  );
}
