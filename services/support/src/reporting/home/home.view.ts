/** Support dashboard. Reads counters that each change updates, and never counts tickets. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { isAgent } from '../../tickets/ticket-states/ticket-side.rules.ts';
import { OPEN_STATES } from '../../tickets/ticket-states/ticket.rules.ts';
import type { Home } from './home.schema.ts';
import { readSlaOverview } from './sla-overview.view.ts';

const UNASSIGNED_ID = '00000000-0000-0000-0000-000000000000';
const CREATED_DAYS = 14;
const RATED_DAYS = 30;
const DAY_MS = 86_400_000;
const RECENT = 10;
/** Number of history entries read. Entries of an agent's own tickets are then omitted for that agent. */
const RECENT_READ = 100;

interface StatusCount {
  user_id: string;
  status: string;
  tickets: number;
}

interface DailyCounts {
  day: string;
  created: number;
  resolved: number;
  closed: number;
  rated: number;
  stars: number;
}

const sum = (rows: readonly StatusCount[], ...states: readonly string[]): number =>
  rows.filter(({ status }) => states.includes(status)).reduce((total, { tickets }) => total + tickets, 0);

/** Returns the ticket counts of the last days in the workspace's calendar, summed over quarters of an hour. */
const readDailyCounts = (db: Db, zone: string): Promise<DailyCounts[]> =>
  db.rows<DailyCounts>(sql`
    SELECT (slot AT TIME ZONE ${zone})::date AS day, sum(created) AS created, sum(resolved) AS resolved, sum(closed) AS closed,
      sum(rated) AS rated, sum(stars) AS stars
    FROM ticket_figures WHERE slot >= ((${today(zone)}::date - ${RATED_DAYS - 1}::int)::timestamp AT TIME ZONE ${zone})
    GROUP BY 1 ORDER BY 1`);

/** Returns the last days, including days without tickets. */
function lastDays(zone: string): string[] {
  const last = Date.parse(`${today(zone)}T00:00:00Z`);
  return Array.from({ length: CREATED_DAYS }, (_, at) =>
    new Date(last - (CREATED_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

async function agentHome(db: Db, { user_id, timezone: zone }: Caller): Promise<z.input<typeof Home>> {
  // An agent reads their own tickets as a requester. Lists and totals for agents exclude these tickets.
  const counts = await db.rows<StatusCount>(sql`
    SELECT user_id, status, sum(tickets)::int AS tickets FROM (
      SELECT user_id, status, tickets FROM ticket_counts WHERE side = 'assignee' AND tickets > 0
      UNION ALL
      SELECT coalesce(assignee_id, ${UNASSIGNED_ID}::uuid), status, -1 FROM tickets
      WHERE requester_user_id = ${user_id}::uuid AND deleted_at IS NULL) AS counted
    GROUP BY 1, 2`);
  const days = await readDailyCounts(db, zone);
  const sla = await readSlaOverview(db, user_id, zone);
  const recent = await db.rows<{ ticket_id: string; number: string; subject: string; verb: string; at: string }>(sql`
    SELECT ticket_id, number, subject, verb, at FROM (
      SELECT ticket_id, verb, at, id FROM activities ORDER BY at DESC, id DESC LIMIT ${RECENT_READ}) AS latest
    JOIN tickets ON tickets.id = latest.ticket_id AND tickets.deleted_at IS NULL
      AND tickets.requester_user_id IS DISTINCT FROM ${user_id}::uuid
    ORDER BY at DESC, latest.id DESC LIMIT ${RECENT}`);
  const ofToday = days.find(({ day }) => day === today(zone));
  const created = new Map(days.map((day) => [day.day, day.created]));
  const mine = counts.filter((count) => count.user_id === user_id);
  const unassigned = counts.filter((count) => count.user_id === UNASSIGNED_ID);
  const rated = days.reduce((total, day) => total + day.rated, 0);
  const stars = days.reduce((total, day) => total + day.stars, 0);
  return {
    today: today(zone),
    counts: {
      ...Object.fromEntries([...OPEN_STATES, 'spam'].map((status) => [status, sum(counts, status)])),
      resolved_today: ofToday?.resolved ?? 0,
      closed_today: ofToday?.closed ?? 0,
    },
    unassigned: sum(unassigned, ...OPEN_STATES),
    ...sla,
    mine: { open: sum(mine, 'new', 'open', 'on_hold'), pending: sum(mine, 'pending'), ...sla.mine },
    satisfaction: { average: rated > 0 ? Math.round((stars / rated) * 100) / 100 : null, count: rated },
    created_by_day: lastDays(zone).map((day) => ({ day, created: created.get(day) ?? 0 })),
    recent,
  };
}

async function requesterHome(db: Db, { user_id, timezone }: Caller): Promise<z.input<typeof Home>> {
  const counts = await db.rows<StatusCount>(sql`
    SELECT user_id, status, tickets FROM ticket_counts WHERE side = 'requester' AND user_id = ${user_id}::uuid`);
  const recent = await db.rows<{ ticket_id: string; number: string; subject: string; status: string; at: string }>(sql`
    SELECT id AS ticket_id, number, subject, public_status AS status, public_updated_at AS at FROM tickets
    WHERE requester_user_id = ${user_id}::uuid AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 5`);
  const statuses = ['open', 'waiting_for_you', 'resolved', 'closed'];
  return {
    today: today(timezone),
    counts: Object.fromEntries(statuses.map((status) => [status, sum(counts, status)])),
    recent: recent as z.input<typeof Home>['recent'],
  };
}

/** Returns the dashboard for agents or requesters. */
export const readHome = (db: Db, caller: Caller): Promise<z.input<typeof Home>> =>
  isAgent(caller) ? agentHome(db, caller) : requesterHome(db, caller);
