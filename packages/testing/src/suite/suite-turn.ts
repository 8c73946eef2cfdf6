/**
 * Turns of the test files that need a suite. A suite alone keeps two cores busy; two of them take each other the processor's caches:
 * on a virtual machine both together took half as long again as one after the other.
 */
import { globSync } from 'node:fs';
import pg from 'pg';
import { type Kind, sharedBy } from '../starting/kinds.ts';
import { sharedPlace, stopShared } from './stop-shared.ts';

/** The turn of a test file; the file starts no suite before, and none after it has ended. */
export interface SuiteTurn {
  end(): Promise<void>;
}

const TURN = "hashtextextended('suite turn', 0)";

/** Works with a connection whose locks end with it, also when this process dies. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env['SUITE_TEST_ADMIN_URL'] });
  // That the server is gone is told by what is asked of it next.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Whether a test file needs a suite, by its source. */
export const needsSuite = (source: string): boolean =>
  source.includes('await startedSuite(') || sharedBy(source) !== undefined;

/**
 * Waits for the turn of a file, in the order in which files asked. Suites that were shared until then are stopped, but for one of
 * the kind that the file shares: files of a kind come one after another (sequencer.ts).
 */
export async function takeTurn(kind: Kind | undefined): Promise<SuiteTurn> {
  const client = await connect();
  await client.query(`SELECT pg_advisory_lock(${TURN})`);
  await stopShared(kind);
  return { end: () => client.end() };
}

/** Stops the shared suites when it is nobody's turn any more: even when idle, each costs a sixth of a core. */
export async function clearSuites(): Promise<void> {
  if (globSync(sharedPlace('*')).length === 0) return;
  const client = await connect();
  try {
    const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_lock(${TURN}) AS free`);
    if (rows[0]!.free) await stopShared();
  } finally {
    await client.end();
  }
}
