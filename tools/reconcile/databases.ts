/** Access to the databases of all services. */
import { fileURLToPath } from 'node:url';
import { checkMigrations } from '@suite/migrations';
import type { Databases } from '@suite/auditor';
import pg from 'pg';
import { databasesFrom, variableOf } from '../audit/addresses.ts';

/** Returns a sentence about a database that cannot be used, or undefined. */
async function problemOf(service: string, url: string): Promise<string | undefined> {
  const directory = fileURLToPath(new URL(`../../services/${service}`, import.meta.url));
  try {
    const { problem } = await checkMigrations({ databaseUrl: url, directory });
    return problem ? `The database of ${service} does not fit this release: ${problem}` : undefined;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return `The database of ${service} is unavailable: ${message || code}. Start it, or correct ${variableOf(service)}.`;
  }
}

/**
 * Returns the databases of the services, from variables such as DATABASE_URL_CRM.
 * @throws an Error of one sentence for each missing, unreachable or outdated database
 */
export async function openedDatabases(
  services: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Databases> {
  const databases = databasesFrom(services, variables);
  const problems = await Promise.all(services.map((service) => problemOf(service, databases[service]!)));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new Error(found.join('\n'));
  return databases;
}

/** Runs `work` in a transaction of its own on a database. */
export async function inTransaction<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c lock_timeout=5s' });
  // A connection may end between two statements. The next statement then fails with an error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN; SELECT set_config('suite.operation', 'npm run reconcile', true)");
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}
