/** The next changes of a workspace in the journal, for the feed of all services. */
import { raw, sqltag as sql } from '@prisma/client/runtime/client';
import type { FeedPlace, ListNewChangesResponse, NewChange } from '@suite/proto/records/v1/records';
import type { RowReader } from '../database/database.ts';
import { currentTransaction } from '../database/running.ts';
import type { RecordType } from './record-type.ts';

/** Number of days for which a feed has changes. */
export const FEED_DAYS = 30;

/**
 * The search leaves out the monthly partitions before this time, with a margin for long transactions and for a clock that was set
 * back.
 */
const MARGIN = "interval '40 days'";

interface Claimed {
  epoch: string;
  since: string;
  /** The first transaction that has not ended, or the end of a backlog. */
  until: string;
  /** The first transaction that has not begun. */
  next_settled: string;
  /** The newest position. Transactions that have not begun will have higher ones. */
  newest: string;
  now: string;
  /** Null if there is no change. */
  position: string | null;
  at: string;
  changed: [number: number, table: string, id: string, action: string, kind: string | null][] | null;
}

/** Returns a place before all changes that a feed can have. Its epoch is not known yet. */
const firstPlace = (): Omit<FeedPlace, 'since'> & { since: undefined } => ({
  epoch: '0',
  settled: '0',
  since: undefined,
  floor: '0',
  next_floor: '0',
  next_settled: '0',
  until: undefined,
  resume: undefined,
});

/**
 * Reads the changes of all transactions that have ended since a place. A transaction in progress may have taken a lower position,
 * so positions alone would skip it. All values are of one snapshot, as in the relay.
 */
const claim = (types: readonly RecordType[], place: ReturnType<typeof firstPlace> | FeedPlace, limit: number) => {
  const { workspace_id } = currentTransaction();
  const tables = [...new Set(types.map(({ table }) => table))];
  return sql`
    WITH span AS MATERIALIZED (
      SELECT suite_epoch()::text AS epoch,
        coalesce(${place.since ?? null}::timestamptz, now() - ${raw(`interval '${FEED_DAYS} days'`)}) AS since,
        coalesce(${place.until ?? null}::text::xid8, pg_snapshot_xmin(pg_current_snapshot())) AS until,
        pg_snapshot_xmax(pg_current_snapshot())::text AS next_settled, (now() - ${raw(MARGIN)})::timestamptz AS now,
        coalesce((SELECT max(position) FROM journal WHERE workspace_id = ${workspace_id}::uuid AND changes IS NOT NULL), 0)::text AS newest)
    SELECT span.epoch, span.since, span.until::text, span.next_settled, span.newest, span.now, found.*
    FROM span LEFT JOIN LATERAL (
      SELECT position::text, at, (
        SELECT json_agg(json_build_array(number, value ->> 'table', value ->> 'id',
          CASE WHEN value -> 'old' IS NULL THEN 'created' WHEN value -> 'new' IS NULL THEN 'deleted' ELSE 'updated' END,
          coalesce(value -> 'new' ->> 'kind', value -> 'old' ->> 'kind')) ORDER BY number)
        FROM json_array_elements(changes) WITH ORDINALITY AS change (value, number)
        WHERE value ->> 'table' = ANY (${tables}::text[])) AS changed
      FROM journal
      WHERE workspace_id = ${workspace_id}::uuid AND position > ${place.resume ?? place.floor}::text::bigint
        AND transaction_id >= ${place.settled}::text::xid8 AND transaction_id < span.until AND changes IS NOT NULL
        AND at > span.since
      ORDER BY journal.position LIMIT ${limit}) AS found ON true`;
};

/** Returns the column `kind` of records by their ID, for a table with records of several types. */
async function kindsOf(db: RowReader, table: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; kind: string }>(
    sql`SELECT id, kind FROM ${raw(table)} WHERE id = ANY (${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

/** Returns the name of the type of each changed record. */
async function typeNames(db: RowReader, types: readonly RecordType[], rows: readonly Claimed[]) {
  const changes = rows.flatMap(({ changed }) => changed ?? []);
  const known = new Map<string, string>();
  for (const [, table, id, , kind] of changes) if (kind !== null) known.set(`${table} ${id}`, kind);
  for (const table of new Set(types.filter(({ kind }) => kind !== undefined).map((type) => type.table))) {
    const ids = changes.filter(([, of, id]) => of === table && !known.has(`${table} ${id}`)).map(([, , id]) => id);
    if (ids.length === 0) continue;
    for (const [id, kind] of await kindsOf(db, table, ids)) known.set(`${table} ${id}`, kind);
  }
  return (table: string, id: string): string | undefined => {
    const kind = known.get(`${table} ${id}`);
    return types.find((type) => type.table === table && (type.kind === undefined || type.kind === kind))?.name;
  };
}

/** Returns the place after all changes of the ended transactions. */
const settledPlace = (place: Omit<FeedPlace, 'since'>, claimed: Claimed): FeedPlace => {
  const isReached = BigInt(claimed.until) >= BigInt(place.next_settled);
  return {
    epoch: claimed.epoch,
    settled: claimed.until,
    since: claimed.now,
    floor: isReached ? place.next_floor : place.floor,
    next_floor: isReached ? claimed.newest : place.next_floor,
    next_settled: isReached ? claimed.next_settled : place.next_settled,
    until: undefined,
    resume: undefined,
  };
};

/**
 * Returns the next changes of the workspace, in the order of each record. After a restore, the epoch of the place is another one,
 * and the changes of the last 30 days are returned again.
 */
export async function readNewChanges(
  db: RowReader,
  types: readonly RecordType[],
  { after, limit }: { after?: FeedPlace | undefined; limit: number },
): Promise<ListNewChangesResponse> {
  let place = after ?? firstPlace();
  let claimed = await db.rows<Claimed>(claim(types, place, limit));
  if (after && after.epoch !== claimed[0]!.epoch) {
    place = firstPlace();
    claimed = await db.rows<Claimed>(claim(types, place, limit));
  }
  const { epoch, since, until } = claimed[0]!;
  const rows = claimed.filter(({ position }) => position !== null);
  const nameOf = await typeNames(db, types, rows);
  const changes = rows.flatMap(({ position, at, changed }) =>
    (changed ?? []).flatMap(([number, table, record_id, action]): NewChange[] => {
      const record_type = nameOf(table, record_id);
      return record_type === undefined ? [] : [{ position: position!, number, record_type, record_id, action, at }];
    }),
  );
  const here: FeedPlace = { ...place, epoch, since, until };
  const has_more = rows.length === limit;
  const next = has_more ? { ...here, resume: rows.at(-1)!.position! } : settledPlace(place, claimed[0]!);
  return { changes, next, here, has_more, last_at: has_more ? rows.at(-1)!.at : undefined };
}
