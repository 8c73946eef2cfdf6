import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '@prisma/client/runtime/client';
import type { Pool, PoolClient } from 'pg';
import { type Stoppable, untilStopped } from './bus.ts';
import type { Database, Rows } from '../database/database.ts';
import type { Caller } from '../runtime/identity.ts';
import type { Log } from '../runtime/log.ts';
import { type Context, everyWorkspace } from '../database/transaction.ts';

/** Work that a service does by itself, again and again. `T` is what it is given: the database, the mailer, … */
export interface Schedule<T = unknown> {
  name: string;
  interval_ms: number;
  work(tools: T): Promise<unknown>;
}

/** Declares scheduled work: `every('crm.deliver-mail', 5_000, async ({ database, mailer }: Tools) => …)`. */
export function every<T>(name: string, interval_ms: number, work: (tools: T) => Promise<unknown>): Schedule<T> {
  return { name, interval_ms, work };
}

/** Lends a connection. One on which the work failed is given up, and with it its transaction and its locks. */
export async function lent<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

/** Does the work unless another replica is at it. The lock is its connection's and ends with it. */
export const alone = <T>(pool: Pool, name: string, work: (client: PoolClient) => Promise<T>): Promise<T | undefined> =>
  lent(pool, async (client) => {
    const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine', [name]);
    if (!rows[0].mine) return undefined;
    const result = await work(client);
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
    return result;
  });

/** Runs schedules until stopped; a run that fails is logged and tried again at its next turn. */
export function startSchedules<T extends { database: Database; log: Log }>(
  schedules: readonly Schedule<T>[],
  tools: T,
): Stoppable {
  const turns = async ({ name, interval_ms, work }: Schedule<T>, signal: AbortSignal) => {
    for (;;) {
      // The jitter keeps replicas that start together from knocking together.
      await pause(interval_ms * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await alone(tools.database.pool, name, () => work(tools)).catch((error: unknown) => {
        tools.log.error({ err: error, schedule: name }, 'Scheduled work failed.');
      });
    }
  };
  return untilStopped((stopping) => Promise.all(schedules.map((schedule) => turns(schedule, stopping))));
}

/** The context of scheduled work: nobody's, in one workspace or, to find out what is due, in none. */
export const scheduled = (schedule: string, workspace_id: string | null): Context => ({
  workspace_id,
  caller: null,
  operation: `schedule:${schedule}`,
  request_id: '',
});

/** What is due, over all workspaces. What is found is then done inside its own workspace. */
export const findEverywhere = <Row>(
  database: Pick<Database<Rows>, 'read'>,
  schedule: string,
  statement: Sql,
): Promise<Row[]> =>
  database.read(scheduled(schedule, null), (db) => everyWorkspace(db, () => db.rows<Row>(statement)));

/** Speaks to other services for whoever asked for what is settled later: in the workspace, and with no rights there. */
export const onBehalfOf = (user_id: string, workspace_id: string): Caller => ({
  ...{ user_id, user_name: '', kind: 'staff', workspace_id, role: '', permissions: [], record_scopes: {} },
  ...{ modules: [], timezone: 'UTC', currency: 'EUR' },
});
