/** Views of a ticket's SLA timers for agents: current values, and the intervals that they sum up. */
import { sql } from '@suite/chassis/database';
import { clock as time } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { workingTime } from '../../sla/calendars/working-time.rules.ts';
import { type KeptClock, readClocks } from '../../sla/clocks/clock-rows.ts';
import type { Db } from '../../operations.ts';
import { columnsOf } from '../../sla/sla/announcement.rules.ts';
import { type Clock, timerValues, warnAt } from '../../sla/sla/clock.rules.ts';
import type { TicketSla } from './ticket-sla.schema.ts';

type Shown = z.input<typeof TicketSla>;

const told = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const seconds = (length: number): number => Math.floor(length / 1000);

function shownIntervals({ intervals, terms }: Clock, now: number): Shown['clocks'][number]['intervals'] {
  return intervals.map(({ state, from, until, worked }) => {
    const length = until === null && terms ? workingTime(terms.calendar, from, now) : worked;
    return { state, from: told(from)!, to: told(until), working_seconds: seconds(length) };
  });
}

function shownClock({ clock }: KeptClock, now: number): Shown['clocks'][number] {
  const { target, run, terms, met_at } = clock;
  const { state, due, used, paused, remaining, breached_at } = timerValues(clock, now);
  return {
    target,
    run,
    state,
    target_seconds: terms && seconds(terms.length),
    used_seconds: seconds(used),
    // Rounded up, because the used time is rounded down. Both add up to the target.
    remaining_seconds: remaining === null ? null : Math.ceil(remaining / 1000),
    paused_seconds: seconds(paused),
    due: told(due),
    warn_at: told(warnAt(clock)),
    met_at: told(met_at),
    breached_at: told(breached_at),
    intervals: shownIntervals(clock, now),
  };
}

/** Returns the current SLA state of a ticket. */
export async function readTicketSla(
  db: Db,
  { id: ticket_id, terms_id }: { id: string; terms_id: string | null },
): Promise<Shown> {
  const now = time.now().getTime();
  const [policy] = terms_id
    ? await db.rows<NonNullable<Shown['policy']>>(sql`
        SELECT policy_id AS id, name, pause_in, warn_percent, timezone FROM sla_terms WHERE id = ${terms_id}::uuid`)
    : [];
  const kept = await readClocks(db, [ticket_id]);
  const clocks = kept.map(({ clock }) => clock);
  const { breached_at, next_due_at, paused_seconds } = columnsOf(clocks, now);
  return {
    ticket_id,
    policy: policy ?? null,
    breached: breached_at !== null,
    paused_seconds,
    next_due_at: told(next_due_at),
    clocks: kept.map((one) => shownClock(one, now)),
  };
}
