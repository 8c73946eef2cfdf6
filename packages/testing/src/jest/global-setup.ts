import { join } from 'node:path';
import { freePort } from '@suite/local/ports';
import { natsProgram, startPostgres } from '@suite/local/servers';
import { createDataDirectory } from '../suite/test-place.ts';

/**
 * Starts the PostgreSQL server for the databases of all test files in this run. See global-teardown. Installs NATS if
 * it is missing, so that test files need not install it at the same time and block each other.
 */
export default async function setup(): Promise<void> {
  natsProgram(console.log);
  const directory = createDataDirectory('suite-test');
  const place = { directory: join(directory, 'postgres'), port: await freePort() };
  const postgres = await startPostgres({ ...place, fast: true, short_lived: true });
  Object.assign(globalThis, { suite_test: { directory, postgres } });
  process.env['SUITE_TEST_ADMIN_URL'] = postgres.adminUrl;
  process.env['SUITE_TEST_DIR'] = directory;
  process.env['SUITE_TEST_PID'] = String(process.pid);
  // Several files run at a time, so slow responses only mean a busy machine. A file that tests deadlines sets this to
  // 1.
  process.env['DEADLINE_FACTOR'] = '5';
}
