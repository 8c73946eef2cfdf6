/** Rounds of a drill: a load, a backup, and a restore after the loss of the data folder or to a point in time. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';
import { backUp } from '@suite/local/backup';
import { restore } from '@suite/local/restore';
import { countViolations, withDatabases } from './audited.ts';
import { measureCluster } from './ballast.ts';
import { type DrilledSuite, startDrilledSuite } from './drilled-suite.ts';
import { type Account, beginLoad, type Places } from './load.ts';
import { type Comparison, compareWrites, type Write } from './writes.ts';

/** Time of the load before the backup, between the backup and the restored time, and after that time. */
const PHASE_MS = 8_000;
const KEPT_DAYS = 14;
/** Killed servers may write for a moment. */
const REMOVAL_TRIES = 50;

/** The result of a round. */
export interface Round extends Comparison {
  kind: 'data folder lost' | 'point in time';
  writes: number;
  /** Size of all databases, in megabytes of 1,000,000 bytes. */
  megabytes: number;
  backup_s: number;
  restore_s: number;
  /** Seconds between the last acknowledged write and the restored time. */
  lost_s: number;
  violations: number;
}

const secondsSince = (started: number) => (performance.now() - started) / 1_000;

/** Restores a suite, and deletes its previous databases. */
async function restoreTo({ data, folder }: Places, until: Date): Promise<Date> {
  const { earlier_databases } = await restore({ data, folder, until });
  if (earlier_databases) rmSync(earlier_databases, { recursive: true });
  return until;
}

/** Restores to the last archived change, as an operator does after the loss of a disk. @returns the restored time */
async function restoreLatest(places: Places): Promise<Date> {
  try {
    return await restoreTo(places, clock.now());
  } catch (error) {
    const end = /^The archive ends at (\S+),/.exec((error as Error).message)?.[1];
    if (end === undefined) throw error;
    return await restoreTo(places, new Date(end));
  }
}

async function recover(suite: DrilledSuite, kind: Round['kind'], until: Date, places: Places): Promise<Date> {
  if (kind === 'point in time') {
    await suite.end('stop');
    return await restoreTo(places, until);
  }
  await suite.end('lose');
  rmSync(places.data, { recursive: true, force: true, maxRetries: REMOVAL_TRIES });
  return await restoreLatest(places);
}

const latestOf = (writes: readonly Write[]): number =>
  Math.max(...writes.map(({ acknowledged_at }) => acknowledged_at?.getTime() ?? 0));

/** Loads a suite, backs it up, and restores it. @returns the restored suite */
export async function runRound(suite: DrilledSuite, kind: Round['kind'], account: Account, places: Places) {
  const load = await beginLoad(suite, account, PHASE_MS);
  const megabytes = await measureCluster(places.data);
  let started = performance.now();
  await backUp(places.data, KEPT_DAYS);
  const backup_s = secondsSince(started);
  await pause(PHASE_MS);
  const chosen = clock.now();
  await pause(PHASE_MS);
  // The loss hits a suite under load.
  const ended = load.end();
  if (kind === 'point in time') await ended;
  started = performance.now();
  const until = await recover(suite, kind, chosen, places);
  const restore_s = secondsSince(started);
  const writes = await ended;
  const restored = await startDrilledSuite(places.data);
  const round: Round = {
    kind,
    writes: writes.filter(({ acknowledged_at }) => acknowledged_at).length,
    megabytes,
    backup_s,
    restore_s,
    lost_s: kind === 'point in time' ? 0 : Math.max(0, (latestOf(writes) - until.getTime()) / 1_000),
    ...(await withDatabases(restored, (access) => compareWrites(access, writes, until))),
    violations: await countViolations(restored),
  };
  return { restored, round };
}
