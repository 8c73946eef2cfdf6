import { makeKeys, writeSecret } from '../local/src/data/keys.ts';
import { natsUsers } from '../local/src/data/nats-users.ts';
import { processes } from '../local/src/processes.ts';
import { awaitServer, createServiceDatabase } from '../local/src/servers/service-database.ts';
import { type DatabasesConfig, databasesConfig, keysConfig } from './prepare-config.ts';

// Creates the missing keys, databases and roles before the first process starts. Leaves existing ones unchanged, so it
// runs before every start. With `--databases <service>…`, it creates only the databases and roles of these services.
const services = processes.filter((row) => row.service).map((row) => row.name);

async function createDatabases({ admin_url, passwords }: DatabasesConfig): Promise<void> {
  await awaitServer(admin_url);
  for (const [name, password] of Object.entries(passwords)) await createServiceDatabase(admin_url, { name, password });
}

function createKeys(): void {
  const { keys, nats_users } = keysConfig();
  makeKeys(
    keys,
    processes.map((row) => row.name),
  );
  writeSecret(nats_users, natsUsers(keys, processes));
}

/** @throws Error that names an argument that is not a service */
function chosenServices(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !services.includes(name));
  if (unknown) throw new Error(`${unknown} is not a service. Use ${services.join(', ')}.`);
  return names.length > 0 ? names : services;
}

try {
  const [option, ...names] = process.argv.slice(2);
  if (option !== undefined && option !== '--databases') {
    throw new Error(`Unknown option ${option}. Use --databases, with names of services.`);
  }
  const chosen = chosenServices(names);
  const config = databasesConfig(chosen);
  if (!option) createKeys();
  await createDatabases(config);
  console.log(`${option ? 'Databases' : 'Keys and databases'} are ready: ${chosen.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
