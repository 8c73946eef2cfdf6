import { rmSync } from 'node:fs';
import type { PostgresServer } from '@suite/local/servers';

/** Stops what global-setup started and removes its files. */
export default async function teardown(): Promise<void> {
  const { directory, postgres } = (
    globalThis as unknown as { suite_test: { directory: string; postgres: PostgresServer } }
  ).suite_test;
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
