/** Starts, pauses and ends SLA timers after ticket changes. */
import {
  type Clock,
  endClock,
  lasting,
  meetClock,
  putUnder,
  startClock,
  type Target,
  type SlaTarget,
  pauseOrResume,
} from './clock.rules.ts';

/** SLA targets of a ticket: terms by target, and the statuses in which the resolution timer is paused. */
export interface Promised {
  targets: Readonly<Partial<Record<Target, SlaTarget>>>;
  pause_in: readonly string[];
}

/** The parts of a ticket's change that affect its SLA timers. */
export interface SlaEvent {
  at: number;
  /** Status after the change. */
  status: string;
  /** True if the ticket was deleted. */
  deleted?: boolean;
  /** True for a public reply of an agent. */
  answered?: boolean;
  /** True for a reply of a requester. */
  asked?: boolean;
  /** True if its policy was selected again. */
  chosen?: boolean;
}

const WITHOUT_VERDICT = ['merged', 'spam'];
const SOLVED = ['resolved', 'closed'];

const stateIn = (promised: Promised | null, status: string): 'running' | 'paused' =>
  promised?.pause_in.includes(status) ? 'paused' : 'running';
const termsOf = (promised: Promised | null, target: Target): SlaTarget | null => promised?.targets[target] ?? null;

/**
 * Returns the timers of a new ticket.
 * @param own_initiative true if an agent opened the ticket proactively, without a first response target
 */
export function openClocks(
  promised: Promised | null,
  at: number,
  { own_initiative = false, status = 'new' } = {},
): Clock[] {
  const first = startClock('first_response', 1, termsOf(promised, 'first_response'), at);
  const whole = startClock('resolution', 1, termsOf(promised, 'resolution'), at, stateIn(promised, status));
  return own_initiative ? [whole] : [first, whole];
}

/** Applies the status to the resolution timer. A resumed timer uses the current terms. */
function followState(clock: Clock, promised: Promised | null, { at, status }: SlaEvent): Clock {
  if (SOLVED.includes(status)) return meetClock(clock, at);
  const turned = pauseOrResume(clock, stateIn(promised, status), at);
  return clock.met_at === null ? turned : putUnder(turned, termsOf(promised, clock.target), at);
}

function follow(clock: Clock, promised: Promised | null, happened: SlaEvent): Clock {
  const { at, status, deleted, answered, chosen } = happened;
  const under = chosen ? putUnder(clock, termsOf(promised, clock.target), at) : clock;
  if (deleted || WITHOUT_VERDICT.includes(status)) return endClock(under, at);
  if (under.target === 'resolution') return followState(under, promised, happened);
  if (answered) return meetClock(under, at);
  // Chosen: a closed ticket awaits no response.
  return status === 'closed' ? endClock(under, at) : under;
}

/** Returns the new timers: one for the reply to a customer, and all of them when a ticket is no longer spam. */
function begun(clocks: readonly Clock[], promised: Promised | null, { at, status, deleted, asked }: SlaEvent): Clock[] {
  if (deleted || WITHOUT_VERDICT.includes(status)) return [];
  const last = (target: Target) => clocks.findLast((clock) => clock.target === target);
  const start = (target: Target) => startClock(target, (last(target)?.run ?? 0) + 1, termsOf(promised, target), at);
  const wanted: Target[] = [];
  if (last('first_response')?.ended && status !== 'closed') wanted.push('first_response');
  if (last('resolution')?.ended) wanted.push('resolution');
  const waiting = last('next_response');
  if (asked && termsOf(promised, 'next_response') && !(waiting && lasting(waiting))) wanted.push('next_response');
  return wanted.map(start);
}

/** Returns the timers of a ticket after a change. A reply applies before the status that it sets. */
export function clocksAfter(clocks: readonly Clock[], promised: Promised | null, happened: SlaEvent): Clock[] {
  const followed = clocks.map((clock) => follow(clock, promised, happened));
  return [...followed, ...begun(followed, promised, happened)];
}
