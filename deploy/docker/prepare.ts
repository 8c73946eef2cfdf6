import { makeKeys, writeSecret } from '../local/src/data/keys.ts';
import { natsUsers } from '../local/src/data/nats-users.ts';
import { processes } from '../local/src/processes.ts';
import { createServiceDatabase } from '../local/src/servers/service-database.ts';
import { prepareConfig } from './prepare-config.ts';

// Creates the missing keys, databases and roles before the first process starts. Leaves existing ones unchanged, so it
// runs before every start.
const services = processes.filter((row) => row.service).map((row) => row.name);

try {
  const config = prepareConfig(services);
  makeKeys(
    config.keys,
    processes.map((row) => row.name),
  );
  writeSecret(config.nats_users, natsUsers(config.keys, processes));
  for (const name of services) {
    await createServiceDatabase(config.admin_url, { name, password: config.passwords[name] ?? '' });
  }
  console.log(`Keys and databases are ready: ${services.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
