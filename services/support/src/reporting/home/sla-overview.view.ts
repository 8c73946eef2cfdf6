/** Due and overdue SLA targets, and response times. Reads counters that each change of a ticket updates. */
import { sql } from '@suite/chassis/database';
import { clock, today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import type { Home } from './home.schema.ts';

type Durations = NonNullable<z.input<typeof Home>['first_response']>;

interface DueCount {
  kind: string;
  late: number;
  due: number;
  my_late: number;
  my_due_today: number;
}

interface DurationClass {
  target: string;
  tickets: number;
  kept: number;
  seconds: number;
}

/**
 * Returns SQL for the due times of the tickets that a user requested, each counted as -1. Agents' lists omit these
 * tickets. The slots match `count_ticket_dues`.
 */
const ownDueTimes = (user_id: string) => sql`
  SELECT kind, user_id, date_bin('1 minute', due + interval '59.999 seconds', 'epoch') AS slot, -1 AS tickets
  FROM tickets, LATERAL (VALUES
    ('first_response', first_response_due, NULL::uuid),
    ('resolution', resolution_due, NULL),
    ('next', next_due_at, assignee_id),
    ('warning', next_warning_at, NULL)) AS dues (kind, due, user_id)
  WHERE requester_user_id = ${user_id}::uuid AND deleted_at IS NULL AND due IS NOT NULL`;

/**
 * Reads the counts of due tickets. A slot is the first full minute at or after a due time, so tickets in earlier slots
 * are overdue.
 */
async function countDueTickets(db: Db, user_id: string, zone: string) {
  const now = clock.now();
  const rows = await db.rows<DueCount>(sql`
    SELECT kind, coalesce(sum(tickets) FILTER (WHERE slot < ${now}), 0) AS late, sum(tickets) AS due,
      coalesce(sum(tickets) FILTER (WHERE slot < ${now} AND user_id = ${user_id}::uuid), 0) AS my_late,
      coalesce(sum(tickets) FILTER (WHERE slot >= ${now} AND user_id = ${user_id}::uuid), 0) AS my_due_today
    FROM (SELECT kind, user_id, slot, tickets FROM ticket_dues UNION ALL ${ownDueTimes(user_id)}) AS dues
    WHERE tickets <> 0 AND kind IN ('first_response', 'resolution', 'next', 'warning')
      AND slot <= CASE kind WHEN 'next' THEN ((${today(zone)}::date + 1)::timestamp AT TIME ZONE ${zone}) ELSE ${now} END
    GROUP BY kind`);
  const of = (kind: string) => rows.find((row) => row.kind === kind);
  const next = of('next');
  return {
    overdue: { first_response: of('first_response')?.late ?? 0, resolution: of('resolution')?.late ?? 0 },
    // Warnings include overdue tickets. The remaining tickets with a warning are nearly overdue.
    near_breach: Math.max((of('warning')?.due ?? 0) - (next?.late ?? 0), 0),
    mine: { overdue: next?.my_late ?? 0, due_today: next?.my_due_today ?? 0 },
  };
}

/** Returns the duration at a rank: the average of its class, whose durations differ by 2 %. */
function durationAt(classes: readonly DurationClass[], rank: number): number {
  let before = 0;
  const found = classes.find(({ tickets }) => (before += tickets) > rank);
  return found ? found.seconds / found.tickets : 0;
}

function durationsOf(classes: readonly DurationClass[]): Durations {
  const total = (name: 'tickets' | 'kept' | 'seconds') => classes.reduce((sum, row) => sum + Number(row[name]), 0);
  const count = total('tickets');
  if (count === 0) return { average_seconds: null, median_seconds: null, within_target_percent: null };
  const ranks = [Math.floor((count - 1) / 2), Math.floor(count / 2)];
  const median = ranks.reduce((sum, rank) => sum + durationAt(classes, rank) / 2, 0);
  return {
    average_seconds: Math.round(total('seconds') / count),
    median_seconds: Math.round(median),
    within_target_percent: Math.round((total('kept') / count) * 1_000) / 10,
  };
}

/** Reads the durations of first responses and resolutions in the last thirty days. */
async function readDurations(db: Db): Promise<{ first_response: Durations; resolution: Durations }> {
  // Chosen: the dashboard covers 30 times 24 hours, to the full hour. A monthly average does not depend on the end of a
  // day.
  const rows = await db.rows<DurationClass>(sql`
    SELECT target, sum(tickets) AS tickets, sum(kept) AS kept, sum(seconds) AS seconds FROM response_times
    WHERE slot > ${clock.now()}::timestamptz - interval '30 days' GROUP BY target, bucket HAVING sum(tickets) > 0
    ORDER BY target, bucket`);
  const classes = rows.map((row) => ({ ...row, tickets: Number(row.tickets), seconds: Number(row.seconds) }));
  const of = (target: string) => durationsOf(classes.filter((row) => row.target === target));
  return { first_response: of('first_response'), resolution: of('resolution') };
}

/** Reads the tickets due next, without tickets that the caller requested: requesters may not see SLA targets. */
const readDueNext = (db: Db, user_id: string) =>
  db.rows<{ ticket_id: string; number: string; subject: string; next_due_at: string }>(sql`
    SELECT id AS ticket_id, number, subject, next_due_at FROM tickets
    WHERE next_due_at IS NOT NULL AND deleted_at IS NULL AND requester_user_id IS DISTINCT FROM ${user_id}::uuid
    ORDER BY next_due_at, id LIMIT 10`);

/** Reads the SLA overview of the support desk. */
export const readSlaOverview = async (db: Db, user_id: string, zone: string) => ({
  ...(await countDueTickets(db, user_id, zone)),
  ...(await readDurations(db)),
  due_next: await readDueNext(db, user_id),
});
