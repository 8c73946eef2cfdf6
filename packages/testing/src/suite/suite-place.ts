/**
 * Places for suites. A suite alone keeps the machine busy, and three of them only wait for each other: as many test files that
 * need one run at once as there are places, and the other files beside them.
 */
import { existsSync, globSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Kind, sharedBy } from '../starting/kinds.ts';
import { sharedPlace, stopShared } from './stop-shared.ts';

const PLACES = ['1', '2'];
const LOOK_MS = 100;

/** A place that a test file has; the file starts no suite before, and none after it has left. */
export interface SuitePlace {
  leave(): Promise<void>;
}

/** Works with a connection whose locks end with it, also when this process dies. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env['SUITE_TEST_ADMIN_URL'] });
  // That the server is gone is told by what is asked of it next.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function isTaken(client: pg.Client, place: string): Promise<boolean> {
  const lock = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken';
  return (await client.query<{ taken: boolean }>(lock, [`suite place ${place}`])).rows[0]!.taken;
}

/** Whether a test file needs a suite, by its source. */
export const needsSuite = (source: string): boolean =>
  source.includes('await startedSuite(') || sharedBy(source) !== undefined;

/**
 * Waits for a place, in the order in which files asked. Suites that were shared there are stopped, but for one of the kind that the
 * file shares: files of a kind come one after another (sequencer.ts).
 */
export async function takePlace(kind: Kind | undefined): Promise<SuitePlace> {
  const client = await connect();
  await client.query("SELECT pg_advisory_lock(hashtextextended('suite turn', 0))");
  const hasSuch = (place: string) => kind !== undefined && existsSync(sharedPlace(place, kind));
  for (;;) {
    for (const place of PLACES.toSorted((one, other) => Number(hasSuch(other)) - Number(hasSuch(one)))) {
      if (!(await isTaken(client, place))) continue;
      await client.query("SELECT pg_advisory_unlock(hashtextextended('suite turn', 0))");
      process.env['SUITE_TEST_PLACE'] = place;
      await stopShared(sharedPlace(place, '*'), kind && sharedPlace(place, kind));
      return { leave: () => client.end() };
    }
    await pause(LOOK_MS);
  }
}

/** Stops the shared suites of places that nobody has any more: even when idle, each costs a sixth of a core. */
export async function clearPlaces(): Promise<void> {
  if (globSync(sharedPlace('*', '*')).length === 0) return;
  const client = await connect();
  try {
    for (const place of PLACES) if (await isTaken(client, place)) await stopShared(sharedPlace(place, '*'));
  } finally {
    await client.end();
  }
}
