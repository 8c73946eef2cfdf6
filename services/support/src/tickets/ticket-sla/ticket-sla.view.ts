/** Views of a ticket's SLA timers for agents: current values, and the intervals that they sum up. */
import { sql } from '@suite/chassis/database';
import { clock as time } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { workingTime } from '../../sla/calendars/working-time.rules.ts';
import { type StoredTimer, readTimers } from '../../sla/timers/timer-rows.ts';
import type { Db } from '../../operations.ts';
import { columnsOf } from '../../sla/sla/announcement.rules.ts';
import { type SlaTimer, timerValues, warnAt } from '../../sla/sla/timer.rules.ts';
import type { TicketSla } from './ticket-sla.schema.ts';

type TicketSlaResponse = z.input<typeof TicketSla>;

const toIso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const toSeconds = (length: number): number => Math.floor(length / 1000);

function intervalResponses(
  { intervals, terms }: SlaTimer,
  now: number,
): TicketSlaResponse['clocks'][number]['intervals'] {
  return intervals.map(({ state, from, until, worked }) => {
    const length = until === null && terms ? workingTime(terms.calendar, from, now) : worked;
    return { state, from: toIso(from)!, to: toIso(until), working_seconds: toSeconds(length) };
  });
}

function timerResponse({ clock }: StoredTimer, now: number): TicketSlaResponse['clocks'][number] {
  const { target, run, terms, met_at } = clock;
  const { state, due, used, paused, remaining, breached_at } = timerValues(clock, now);
  return {
    target,
    run,
    state,
    target_seconds: terms && toSeconds(terms.length),
    used_seconds: toSeconds(used),
    // Rounded up, because the used time is rounded down. Both add up to the target.
    remaining_seconds: remaining === null ? null : Math.ceil(remaining / 1000),
    paused_seconds: toSeconds(paused),
    due: toIso(due),
    warn_at: toIso(warnAt(clock)),
    met_at: toIso(met_at),
    breached_at: toIso(breached_at),
    intervals: intervalResponses(clock, now),
  };
}

/** Returns the current SLA state of a ticket. */
export async function readTicketSla(
  db: Db,
  { id: ticket_id, terms_id }: { id: string; terms_id: string | null },
): Promise<TicketSlaResponse> {
  const now = time.now().getTime();
  const [policy] = terms_id
    ? await db.rows<NonNullable<TicketSlaResponse['policy']>>(sql`
        SELECT policy_id AS id, name, pause_in, warn_percent, timezone FROM sla_terms WHERE id = ${terms_id}::uuid`)
    : [];
  const stored = await readTimers(db, [ticket_id]);
  const clocks = stored.map(({ clock }) => clock);
  const { breached_at, next_due_at, paused_seconds } = columnsOf(clocks, now);
  return {
    ticket_id,
    policy: policy ?? null,
    breached: breached_at !== null,
    paused_seconds,
    next_due_at: toIso(next_due_at),
    clocks: stored.map((one) => timerResponse(one, now)),
  };
}
