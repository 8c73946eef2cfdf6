/** Stops suites that test files share. */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitUntil } from '../waiting.ts';
import type { ProcessKind } from '../starting/kinds.ts';

/** Returns the folder of the suite that test files of a kind share, or a pattern for all kinds. */
export const sharedPlace = (kind: ProcessKind | '*'): string =>
  join(String(process.env['SUITE_TEST_DIR']), `suite-${kind}`);

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Stops all shared suites except one kind, and removes their data. */
export async function stopShared(kept?: ProcessKind): Promise<void> {
  const stop = async (facts: string) => {
    const { pid } = JSON.parse(readFileSync(facts, 'utf8')) as { pid?: number };
    if (pid !== undefined && isRunning(pid)) {
      process.kill(pid, 'SIGTERM');
      await waitUntil('the shared suite is stopped', () => !isRunning(pid), 60_000);
    }
    rmSync(dirname(facts), { recursive: true, force: true });
  };
  const spared = kept && sharedPlace(kept);
  const others = globSync(`${sharedPlace('*')}/suite.json`).filter((facts) => dirname(facts) !== spared);
  await Promise.all(others.map(stop));
}
