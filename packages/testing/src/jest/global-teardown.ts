import { rmSync } from 'node:fs';
import type { PostgresServer } from '@suite/local/servers';
import { stopShared } from '../suite/stop-shared.ts';

/** Stops what global-setup and test files started and removes its files. */
export default async function teardown(): Promise<void> {
  const { directory, postgres } = (
    globalThis as unknown as { suite_test: { directory: string; postgres: PostgresServer } }
  ).suite_test;
  await stopShared();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
