/** Starts, pauses and ends SLA timers after ticket changes. */
import {
  type SlaTimer,
  endTimer,
  openInterval,
  meetTimer,
  applySlaTarget,
  startTimer,
  type TargetKind,
  type SlaTarget,
  pauseOrResume,
} from './timer.rules.ts';

/** SLA targets of a ticket: terms by target, and the statuses in which the resolution timer is paused. */
export interface SlaTargets {
  targets: Readonly<Partial<Record<TargetKind, SlaTarget>>>;
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
  agentReplied?: boolean;
  /** True for a reply of a requester. */
  requesterReplied?: boolean;
  /** True if its policy was selected again. */
  policyReselected?: boolean;
}

const STATUSES_WITHOUT_TARGETS = ['merged', 'spam'];
const COMPLETED_STATUSES = ['resolved', 'closed'];

const timerStateIn = (targets: SlaTargets | null, status: string): 'running' | 'paused' =>
  targets?.pause_in.includes(status) ? 'paused' : 'running';
const targetFor = (targets: SlaTargets | null, target: TargetKind): SlaTarget | null =>
  targets?.targets[target] ?? null;

/**
 * Returns the timers of a new ticket.
 * @param own_initiative true if an agent opened the ticket proactively, without a first response target
 */
export function openTimers(
  targets: SlaTargets | null,
  at: number,
  { own_initiative = false, status = 'new' } = {},
): SlaTimer[] {
  const first = startTimer('first_response', 1, targetFor(targets, 'first_response'), at);
  const resolution = startTimer('resolution', 1, targetFor(targets, 'resolution'), at, timerStateIn(targets, status));
  return own_initiative ? [resolution] : [first, resolution];
}

/** Applies the status to the resolution timer. A resumed timer uses the current terms. */
function applyStatus(clock: SlaTimer, targets: SlaTargets | null, { at, status }: SlaEvent): SlaTimer {
  if (COMPLETED_STATUSES.includes(status)) return meetTimer(clock, at);
  const resumed = pauseOrResume(clock, timerStateIn(targets, status), at);
  return clock.met_at === null ? resumed : applySlaTarget(resumed, targetFor(targets, clock.target), at);
}

function applyEvent(clock: SlaTimer, targets: SlaTargets | null, event: SlaEvent): SlaTimer {
  const { at, status, deleted, agentReplied, policyReselected } = event;
  const timer = policyReselected ? applySlaTarget(clock, targetFor(targets, clock.target), at) : clock;
  if (deleted || STATUSES_WITHOUT_TARGETS.includes(status)) return endTimer(timer, at);
  if (timer.target === 'resolution') return applyStatus(timer, targets, event);
  if (agentReplied) return meetTimer(timer, at);
  // Chosen: a closed ticket awaits no response.
  return status === 'closed' ? endTimer(timer, at) : timer;
}

/** Returns the new timers: one for the reply to a customer, and all of them when a ticket is no longer spam. */
function newTimers(
  clocks: readonly SlaTimer[],
  targets: SlaTargets | null,
  { at, status, deleted, requesterReplied }: SlaEvent,
): SlaTimer[] {
  if (deleted || STATUSES_WITHOUT_TARGETS.includes(status)) return [];
  const last = (target: TargetKind) => clocks.findLast((clock) => clock.target === target);
  const start = (target: TargetKind) =>
    startTimer(target, (last(target)?.run ?? 0) + 1, targetFor(targets, target), at);
  const missing: TargetKind[] = [];
  if (last('first_response')?.ended && status !== 'closed') missing.push('first_response');
  if (last('resolution')?.ended) missing.push('resolution');
  const waiting = last('next_response');
  if (requesterReplied && targetFor(targets, 'next_response') && !(waiting && openInterval(waiting)))
    missing.push('next_response');
  return missing.map(start);
}

/** Returns the timers of a ticket after a change. A reply applies before the status that it sets. */
export function timersAfter(clocks: readonly SlaTimer[], targets: SlaTargets | null, event: SlaEvent): SlaTimer[] {
  const updated = clocks.map((clock) => applyEvent(clock, targets, event));
  return [...updated, ...newTimers(updated, targets, event)];
}
