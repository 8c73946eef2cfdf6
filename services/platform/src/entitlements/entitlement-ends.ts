/** Entitlements that time has ended: the grace of a subscription, a trial, a period after which nothing is paid. */
import { clock, eachDue, every, findEverywhere, notPostponed, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { refreshEntitlements } from './entitlement.ts';

const SCHEDULE = 'platform.end-entitlements';
const INTERVAL_MS = 60_000;
const BATCH = 500;

const dueBy = (now: Date) => sql`
  SELECT workspace_id FROM entitlements WHERE until <= ${now} AND ${notPostponed(SCHEDULE, sql`workspace_id`)}
  ORDER BY until LIMIT ${BATCH}`;

/**
 * Announces what has ended, however long ago. The gateway and services go by time anyway: this tells those who keep a copy, and
 * brings nobody anything a minute late.
 */
export async function announceEnds(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  for (let found = BATCH; found === BATCH; ) {
    const now = clock.now();
    const due = await findEverywhere<{ workspace_id: string }>(database, SCHEDULE, dueBy(now));
    await eachDue(tools, SCHEDULE, due, ({ workspace_id }) =>
      database.write(scheduled(SCHEDULE, workspace_id), (db, emit) =>
        refreshEntitlements({ db, emit }, workspace_id, now),
      ),
    );
    found = due.length;
  }
}

export const endEntitlements = every(SCHEDULE, INTERVAL_MS, announceEnds);
