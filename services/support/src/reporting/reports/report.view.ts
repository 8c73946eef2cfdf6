/** Report of the support desk: all metrics of all lines from one statement over index ranges. */
import { type Sql, sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { isAgent } from '../../tickets/ticket-states/ticket-side.rules.ts';
import { OPEN_STATES } from '../../tickets/ticket-states/ticket.rules.ts';
import type { Group, ReportMetrics, ReportLine, SupportReport } from './report.schema.ts';
import { distributionOf } from './distribution.rules.ts';
import { daysInSpan, type DaySpan, spanOf } from './day-span.rules.ts';

/** Totals of one kind of fact in one group, as summed by the database. */
interface FactTotals {
  kind: string;
  key: string | null;
  times: number;
  /** Measured seconds as unordered four-byte integers. Null if the kind has no durations. */
  seconds: Buffer | null;
  /** Number of facts with an SLA target, and number of targets met. */
  promised: number;
  kept: number;
  replies: number | null;
  stars: number | null;
}

/** Returns SQL for the key of a group. */
const groupKey = (group: Group, at: Sql, zone: string): Sql =>
  ({
    day: sql`(${at} AT TIME ZONE ${zone})::date`,
    agent: sql`user_id`,
    category: sql`category_id`,
    priority: sql`priority`,
    channel: sql`channel`,
  })[group];

/**
 * Returns a statement that sums up a span from the recorded facts. Open work has no fact yet, so open tickets are read
 * directly. The backlog contains everything open at the end: continuing work, and work that ended later. The database
 * does not sort anything: exact medians of a year would require sorting hundreds of thousands of wide rows, several
 * times. OFFSET prevents a plan that treats each timestamp as a separate day and stores the groups on disk.
 */
function reportQuery({ from, to }: DaySpan, group: Group, zone: string): Sql {
  const begin = sql`(${from}::date::timestamp AT TIME ZONE ${zone})`;
  const end = sql`((${to}::date + 1)::timestamp AT TIME ZONE ${zone})`;
  const lasting = sql`(SELECT *, assignee_id AS user_id FROM tickets
    WHERE status = ANY(${[...OPEN_STATES]}::text[]) AND deleted_at IS NULL) AS lasting`;
  const counted = (kind: string, at: Sql, source: Sql) => sql`
    SELECT ${kind}, ${kind === 'backlog' && group === 'day' ? sql`NULL` : groupKey(group, at, zone)}::text, count(*),
      NULL::bytea, 0::bigint, 0::bigint, NULL::bigint, NULL::bigint
    FROM ${source} GROUP BY 2`;
  return sql`
    SELECT kind, key::text AS key, count(*) AS times, string_agg(int4send(seconds), '') AS seconds, count(kept) AS promised,
      count(*) FILTER (WHERE kept) AS kept, sum(replies) AS replies, sum(rating) AS stars
    FROM (SELECT kind, seconds, kept, replies, rating, ${groupKey(group, sql`at`, zone)} AS key FROM ticket_facts WHERE at >= ${begin} AND at < ${end} OFFSET 0) AS facts
    GROUP BY kind, key
    UNION ALL ${counted('created', sql`opened_at`, sql`ticket_facts WHERE first AND opened_at >= ${begin} AND opened_at < ${end}`)}
    UNION ALL ${counted('created', sql`created_at`, sql`${lasting} WHERE reopened_at IS NULL AND created_at >= ${begin} AND created_at < ${end}`)}
    UNION ALL ${counted('backlog', sql`created_at`, sql`${lasting} WHERE coalesce(reopened_at, created_at) < ${end}`)}
    UNION ALL ${counted('backlog', sql`opened_at`, sql`ticket_facts WHERE at >= ${end} AND opened_at < ${end}`)}`;
}

const ratio = (part: number, whole: number, digits: number): number | null =>
  whole === 0 ? null : Math.round((part * 10 ** digits) / whole) / 10 ** digits;

const sum = (numbers: readonly (number | null)[]): number => numbers.reduce<number>((all, one) => all + (one ?? 0), 0);

function durationsOf(rows: readonly FactTotals[]): ReportMetrics['resolution'] {
  const distribution = distributionOf(rows.map(({ seconds }) => seconds).filter((seconds) => seconds !== null));
  return {
    count: sum(rows.map(({ times }) => times)),
    average_seconds: distribution.average,
    median_seconds: distribution.median,
    p90_seconds: distribution.p90,
    within_target_percent: ratio(sum(rows.map(({ kept }) => kept)) * 100, sum(rows.map(({ promised }) => promised)), 1),
  };
}

const countOf = (rows: readonly FactTotals[], ...kinds: readonly string[]): number =>
  sum(rows.filter(({ kind }) => kinds.includes(kind)).map(({ times }) => times));

/** Returns the metrics of a line from the rows of its kinds. */
function metricsOf(rows: readonly FactTotals[], backlog = countOf(rows, 'backlog')): ReportMetrics {
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  const [resolved, reopened, rated] = ['resolved', 'reopened', 'rated'].map((kind) => countOf(rows, kind));
  const replies = sum(of('resolved').map((row) => row.replies));
  const stars = sum(of('rated').map((row) => row.stars));
  return {
    created: countOf(rows, 'created'),
    resolved: resolved!,
    reopened: reopened!,
    reopened_percent: ratio(reopened! * 100, resolved!, 1),
    backlog,
    first_response: durationsOf(of('answered')),
    resolution: durationsOf(of('resolved')),
    breaches: {
      first_response: countOf(rows, 'first_response_breached'),
      resolution: countOf(rows, 'resolution_breached'),
      next_response: countOf(rows, 'next_response_breached'),
    },
    replies_per_resolution: ratio(replies, resolved!, 2),
    satisfaction: { average: ratio(stars, rated!, 2), count: rated! },
  };
}

type TotalsByKey = ReadonlyMap<string | null, readonly FactTotals[]>;

/** Returns a line for each day. The backlog of a day is the next day's backlog less that day's change. */
function linesOfDays(rows: TotalsByKey, span: DaySpan, backlog: number): ReportLine[] {
  let open = backlog;
  const lines = daysInSpan(span)
    .toReversed()
    .map((day) => {
      const ofDay = rows.get(day) ?? [];
      const line = { key: day, name: day, ...metricsOf(ofDay, open) };
      open += countOf(ofDay, 'resolved', 'merged', 'spam') - countOf(ofDay, 'created', 'reopened', 'restored');
      return line;
    });
  return lines.toReversed();
}

type GroupNames = ReadonlyMap<string, string>;

/** Returns the names of the agents or categories of lines. */
async function readGroupNames(db: Db, group: Group, rows: TotalsByKey): Promise<GroupNames> {
  const ids = [...rows.keys()].filter((key) => key !== null);
  if ((group !== 'agent' && group !== 'category') || ids.length === 0) return new Map();
  const table = group === 'agent' ? sql`users` : sql`categories`;
  const records = await db.rows<{ id: string; name: string }>(
    sql`SELECT id, name FROM ${table} WHERE id = ANY(${ids}::uuid[])`,
  );
  return new Map(records.map(({ id, name }) => [id, name]));
}

const NAMES_WITHOUT_GROUP: Partial<Record<Group, string>> = { agent: 'Nobody', category: 'No category' };
const NAMES_OF_DELETED: Partial<Record<Group, string>> = { agent: 'Former user', category: 'Former category' };

function linesOfGroup(rows: TotalsByKey, group: Group, labels: GroupNames): ReportLine[] {
  const lines = [...rows].map(([key, ofGroup]) => {
    const name = key === null ? NAMES_WITHOUT_GROUP[group] : (labels.get(key) ?? NAMES_OF_DELETED[group] ?? key);
    return { key, name: name!, ...metricsOf(ofGroup) };
  });
  return lines.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/**
 * Returns the report. It sums up all tickets, so it requires access to all tickets.
 * @throws Forbidden, and a 422 for the days
 */
export async function showReport(
  db: Db,
  caller: Caller,
  { group_by, ...requested }: { from?: string | undefined; to?: string | undefined; group_by: Group },
): Promise<SupportReport> {
  if (!isAgent(caller)) throw Forbidden({ permission: 'report.view' });
  if (!caller.permissions.includes('ticket.view')) throw Forbidden({ permission: 'ticket.view' });
  const { timezone: zone } = caller;
  const span = spanOf(requested, today(zone));
  const rows = await db.rows<FactTotals>(reportQuery(span, group_by, zone));
  const total = metricsOf(rows);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const lines =
    group_by === 'day'
      ? linesOfDays(byKey, span, total.backlog)
      : linesOfGroup(byKey, group_by, await readGroupNames(db, group_by, byKey));
  return { today: today(zone), ...span, group_by, total, lines };
}
