/** Validity of offers: until the end of a day in the workspace's time zone. That time is stored with the offer. */
import { type Sql, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { ListRequest } from '@suite/chassis/lists';
import { lifecycle } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import { type Db, tableNamed } from '../../operations.ts';

/** Offers that can expire. */
type OfferTable = 'quotes' | 'proposals';

export const ValidityIsOver = fault(409, 'validity_is_over', 'This offer has expired. Extend its validity first.');

/** Returns the end of a day in the caller's time zone. */
export async function endOfDay(db: Db, day: string, { timezone }: Caller): Promise<string> {
  const [end] = await db.rows<{ at: string }>(sql`SELECT (${day}::date + 1)::timestamp AT TIME ZONE ${timezone} AS at`);
  return end!.at;
}

const SCHEDULE = 'crm.expire-offers';
const INTERVAL_MS = 30_000;

/** Transitions shared by quotes and proposals. */
const validity = lifecycle(
  'offer',
  { sent: { expire: 'expired' }, expired: {} },
  { actions: { expire: { by: SCHEDULE } } },
);

const isDue = (offers: OfferTable): Sql =>
  sql`${validity.moving('expire', offers).guard} AND ${tableNamed(offers)}.expires_at <= ${clock.now()}::timestamptz`;

const expire = (offers: OfferTable): Sql => sql`UPDATE ${tableNamed(offers)} SET ${validity.moving('expire').set}`;

/** Returns the current status of an offer, even before the schedule has stored it. */
export const currentStatus = (offers: OfferTable): Sql =>
  sql`CASE WHEN ${isDue(offers)} THEN 'expired' ELSE ${tableNamed(offers)}.status END`;

/**
 * The condition of a filter by the present status. The stored status is compared, because an index finds its values; undefined
 * for filters by another operator.
 */
export function currentStatusCondition(
  offers: OfferTable,
  { operator, values }: ListRequest['filters'][number],
): Sql | undefined {
  if (operator !== 'eq' && operator !== 'in') return undefined;
  const status = sql`${tableNamed(offers)}.status`;
  const present = sql`${status} = ANY (${values}::text[]) AND (${isDue(offers)}) IS NOT TRUE`;
  return values.includes('expired') ? sql`(${present} OR ${isDue(offers)})` : present;
}

/** Locks an offer until the transaction ends, and marks it as expired if its validity has ended. */
export async function lockOffer(db: Db, offers: OfferTable, id: string): Promise<void> {
  await db.rows(sql`SELECT id FROM ${tableNamed(offers)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  await db.rows(sql`${expire(offers)} WHERE id = ${id}::uuid AND ${isDue(offers)}`);
}

/** Marks quotes and proposals as expired after their validity. Returns the number of workspaces with expired offers. */
export async function expireOffers(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const due = await findEverywhere<{ workspace_id: string }>(
    database,
    SCHEDULE,
    sql`SELECT workspace_id FROM (
        SELECT workspace_id FROM quotes WHERE ${isDue('quotes')}
        UNION SELECT workspace_id FROM proposals WHERE ${isDue('proposals')}) AS due
      WHERE ${isNotPostponed(SCHEDULE, sql`workspace_id`)}`,
  );
  await runDueWork(tools, SCHEDULE, due, ({ workspace_id }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), async (db) => {
      for (const offers of ['quotes', 'proposals'] as const) {
        await db.rows(sql`${expire(offers)} WHERE ${isDue(offers)}`);
      }
    }),
  );
  return due.length;
}

export const expireDueOffers = declareSchedule(SCHEDULE, INTERVAL_MS, expireOffers);
