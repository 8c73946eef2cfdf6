import { join } from 'node:path';
import { freePort } from '@suite/local/ports';
import { natsProgram, startPostgres } from '@suite/local/servers';
import { placeOf } from './test-place.ts';

/**
 * Starts the PostgreSQL that every test file of this run makes its databases on; see global-teardown. NATS is installed
 * where it is missing: files that each did so in the midst of their tests would wait for one another.
 */
export default async function setup(): Promise<void> {
  natsProgram(console.log);
  const directory = placeOf('suite-test');
  const place = { directory: join(directory, 'postgres'), port: await freePort() };
  const postgres = await startPostgres({ ...place, fast: true, short_lived: true });
  Object.assign(globalThis, { suite_test: { directory, postgres } });
  process.env['SUITE_TEST_ADMIN_URL'] = postgres.adminUrl;
  process.env['SUITE_TEST_DIR'] = directory;
  process.env['SUITE_TEST_PID'] = String(process.pid);
  // Several files at a time: what answers late is busy. A file that looks at deadlines sets this to 1.
  process.env['DEADLINE_FACTOR'] = '5';
}
