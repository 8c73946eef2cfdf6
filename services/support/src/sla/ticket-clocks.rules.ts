/** Changes of a ticket start, stop and end its clocks. */
import {
  type Clock,
  endClock,
  lasting,
  meetClock,
  putUnder,
  startClock,
  type Target,
  type Terms,
  turnTo,
} from './clock.rules.ts';

/** The promise to a ticket: terms by target, and the states in which the clock of its resolution stands still. */
export interface Promised {
  targets: Readonly<Partial<Record<Target, Terms>>>;
  pause_in: readonly string[];
}

/** A change of a ticket, as far as it matters to its clocks. */
export interface Happening {
  at: number;
  /** The state that it is in after it. */
  status: string;
  /** Whether the ticket is gone. */
  deleted?: boolean;
  /** A public reply of a person on the agents' side. */
  answered?: boolean;
  /** A reply of the requester's side. */
  asked?: boolean;
  /** Whether its policy was chosen anew. */
  chosen?: boolean;
}

const WITHOUT_VERDICT = ['merged', 'spam'];
const SOLVED = ['resolved', 'closed'];

const stateIn = (promised: Promised | null, status: string): 'running' | 'paused' =>
  promised?.pause_in.includes(status) ? 'paused' : 'running';
const termsOf = (promised: Promised | null, target: Target): Terms | null => promised?.targets[target] ?? null;

/**
 * The clocks of a new ticket.
 * @param own_initiative whether an agent opened it without being asked: there is no first response then
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

/** The clock of the resolution follows the state. One that goes on does so under the terms of today. */
function followState(clock: Clock, promised: Promised | null, { at, status }: Happening): Clock {
  if (SOLVED.includes(status)) return meetClock(clock, at);
  const turned = turnTo(clock, stateIn(promised, status), at);
  return clock.met_at === null ? turned : putUnder(turned, termsOf(promised, clock.target), at);
}

function follow(clock: Clock, promised: Promised | null, happened: Happening): Clock {
  const { at, status, deleted, answered, chosen } = happened;
  const under = chosen ? putUnder(clock, termsOf(promised, clock.target), at) : clock;
  if (deleted || WITHOUT_VERDICT.includes(status)) return endClock(under, at);
  if (under.target === 'resolution') return followState(under, promised, happened);
  if (answered) return meetClock(under, at);
  // Chosen: nobody waits any more for an answer on what is closed.
  return status === 'closed' ? endClock(under, at) : under;
}

/** The clocks that begin: the answer to a customer's reply, and all of them when a ticket turns out to be no spam. */
function begun(
  clocks: readonly Clock[],
  promised: Promised | null,
  { at, status, deleted, asked }: Happening,
): Clock[] {
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

/** The clocks of a ticket after something has happened to it. An answer comes before the state that it was sent with. */
export function clocksAfter(clocks: readonly Clock[], promised: Promised | null, happened: Happening): Clock[] {
  const followed = clocks.map((clock) => follow(clock, promised, happened));
  return [...followed, ...begun(followed, promised, happened)];
}
