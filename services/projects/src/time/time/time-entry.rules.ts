/** Statuses of time entries, and their validation rules. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import type { TimeInterval } from '../time-settings/rounding.rules.ts';

/** Time entry lifecycle. A manager can stop the timers of others. Approval requires a second person. */
export const timeStates = lifecycle(
  'time_entry',
  {
    running: { stop: 'stopped' },
    stopped: { submit: 'submitted' },
    submitted: { approve: 'approved', reject: 'rejected', reopen: 'stopped' },
    rejected: { edit: 'stopped', submit: 'submitted' },
    approved: { invoice: 'invoiced', reopen: 'stopped' },
    invoiced: { release: 'approved' },
  },
  {
    actions: {
      stop: {
        by: [
          'trackers.start',
          'trackers.stop',
          'projects.stop-timers',
          'projectMembers.remove',
          'projects.update',
          'projects.end-memberships',
          'projects.end-memberships-of-leaver',
        ],
      },
      edit: { by: 'timeEntries.update' },
      submit: { by: 'timesheets.submit' },
      approve: 'time.approve',
      reject: 'time.approve',
      reopen: 'time.approve',
      invoice: { by: ['billing.invoice', 'projects.complete-posted-billing'] },
      release: { by: ['projects.release-deleted-draft', 'projects.release-cancelled-invoice'] },
    },
  },
);

/** Actions of users on their own time, by status. */
export const OWN_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  running: ['stop', 'update', 'delete'],
  stopped: ['submit', 'update', 'delete'],
  rejected: ['submit', 'update', 'delete'],
};

export const TimeOverlaps = fault(409, 'overlap', 'You have another time entry in this period. Change the times.');
export const AlreadyRunning = fault(409, 'already_running', 'You have a running timer. Stop it first.');
export const TimerRunning = fault(409, 'timer_running', 'This project has running timers. Stop them first.');
export const NothingRunning = fault(409, 'nothing_running', 'You have no running timer. Start one first.');
export const AlreadyStopped = fault(
  409,
  'already_stopped',
  'This timer has already been stopped at another time. Change its time entry instead.',
);
export const OfflineIdReused = fault(
  409,
  'offline_id_reused',
  'This offline entry conflicts with another one. Record it again.',
);
export const EntryInvoiced = fault(
  409,
  'entry_invoiced',
  'This time has been invoiced. Cancel the invoice to change it.',
);
export const TimeInFuture = fault(
  422,
  'time_in_future',
  'Time entries cannot be in the future. Enter an earlier time.',
);
export const ClockSkew = fault(
  422,
  'clock_skew',
  'The clock of this device is wrong by more than five minutes. Correct it.',
);
export const TimeTooOld = fault(
  422,
  'too_old',
  'This offline time entry is too old. Enter the time in the timesheet instead.',
);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SKEW_MAX_MS = 5 * MINUTE_MS;
const AHEAD_MAX_MS = MINUTE_MS;

/** Checks that no time is further in the future than clocks may differ. @throws TimeInFuture */
export function assertPast(instants: readonly (Date | null | undefined)[], now: Date): void {
  if (instants.some((instant) => instant && instant.getTime() > now.getTime() + AHEAD_MAX_MS)) throw TimeInFuture();
}

/** Returns the delay of a device clock in ms; undefined if the device sends no time. @throws ClockSkew */
export function skewOf(client_now: Date | undefined, now: Date): number | undefined {
  if (!client_now) return undefined;
  const skew = now.getTime() - client_now.getTime();
  if (Math.abs(skew) > SKEW_MAX_MS) throw ClockSkew({ skew_seconds: Math.round(skew / 1_000) });
  return skew;
}

/** Checks that a span has a positive duration of at most one day. */
export const isSpan = ({ started_at, ended_at }: TimeInterval): boolean =>
  ended_at > started_at && ended_at.getTime() - started_at.getTime() <= DAY_MS;

/** Checks that breaks are inside a span and do not overlap. */
export function breaksFit(breaks: readonly TimeInterval[], { started_at, ended_at }: TimeInterval): boolean {
  const inOrder = breaks.toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime());
  return inOrder.every(
    (one, at) =>
      one.ended_at > one.started_at &&
      one.started_at >= (inOrder[at - 1]?.ended_at ?? started_at) &&
      one.ended_at <= ended_at,
  );
}

/** Returns the automatic end of a timer, a number of hours after its start. */
export const autoStopOf = (started_at: Date, hours: number): Date =>
  new Date(started_at.getTime() + hours * 60 * MINUTE_MS);

/** Returns the earliest possible start of a running timer. */
export const oldestStart = (now: Date): Date => new Date(now.getTime() - DAY_MS);

/** Returns the earliest allowed start of offline time. */
export const oldestOffline = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);
