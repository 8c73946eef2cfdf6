/** Runs the auditor again and again during all other work. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Violation } from '@suite/auditor';
import { findViolations } from '@suite/tools/audit';
import type { OwnSuite } from '@suite/testing/suite/started';

/** The result of the rounds: completed rounds, rounds skipped because the database was down, and faults found. */
export interface Watch {
  rounds: number;
  skipped: number;
  found: Violation[];
}

/**
 * Minimum pause between two rounds. The pause is at least as long as the last round, because the rules read whole
 * tables.
 */
const REST_MS = 2_000;

/** Checks if an error means that the database was killed, is starting, or does not exist. */
function isDown(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isDown);
  const { code = '', message } = error as Error & { code?: string };
  return (
    /^(?:57P|08|ECONN|EPIPE)/.test(code) ||
    /^(?:Connection terminated|Client has encountered a connection error)/.test(message)
  );
}

/** Runs audit rounds until the signal stops it. */
export async function watchSuite(suite: OwnSuite, over: AbortSignal): Promise<Watch> {
  const watch: Watch = { rounds: 0, skipped: 0, found: [] };
  while (!over.aborted) {
    const began = performance.now();
    await findViolations(suite, { amid_faults: true }).then(
      (found) => {
        watch.rounds += 1;
        watch.found.push(...found);
      },
      (error: unknown) => {
        if (!isDown(error)) throw error;
        watch.skipped += 1;
      },
    );
    await pause(Math.max(REST_MS, performance.now() - began));
  }
  return watch;
}
