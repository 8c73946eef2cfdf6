import { globSync, readFileSync, rmSync } from 'node:fs';
import type { PostgresServer } from '@suite/local/servers';
import { until } from '../patience.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Stops the suite that test files of a worker have shared; see suite/started.ts. */
async function stopShared(facts: string): Promise<void> {
  const { pid } = JSON.parse(readFileSync(facts, 'utf8')) as { pid?: number };
  if (pid === undefined || !isRunning(pid)) return;
  process.kill(pid, 'SIGTERM');
  await until('the shared suite is stopped', () => !isRunning(pid), 60_000);
}

/** Stops what global-setup and test files started and removes its files. */
export default async function teardown(): Promise<void> {
  const { directory, postgres } = (
    globalThis as unknown as { suite_test: { directory: string; postgres: PostgresServer } }
  ).suite_test;
  await Promise.all(globSync(`${directory}/suite-*/suite.json`).map(stopShared));
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
