/** Entitlements that end with time: the grace period of a subscription, a trial, or the end of a paid period. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { refreshEntitlements } from './entitlement.ts';

const SCHEDULE = 'platform.end-entitlements';
const INTERVAL_MS = 60_000;
const BATCH = 500;

const endedEntitlements = (now: Date) => sql`
  SELECT workspace_id FROM entitlements WHERE until <= ${now} AND ${isNotPostponed(SCHEDULE, sql`workspace_id`)}
  ORDER BY until LIMIT ${BATCH}`;

/**
 * Announces ended entitlements, however long ago they ended. The gateway and services check the time themselves. The
 * announcement updates services with a copy of the entitlements.
 */
export async function announceEnds(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  for (let found = BATCH; found === BATCH; ) {
    const now = clock.now();
    const due = await findEverywhere<{ workspace_id: string }>(database, SCHEDULE, endedEntitlements(now));
    await runDueWork(tools, SCHEDULE, due, ({ workspace_id }) =>
      database.write(jobTransaction(SCHEDULE, workspace_id), (db, emit) =>
        refreshEntitlements({ db, emit }, workspace_id, now),
      ),
    );
    found = due.length;
  }
}

export const endEntitlements = declareSchedule(SCHEDULE, INTERVAL_MS, announceEnds);
