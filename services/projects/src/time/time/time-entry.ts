/** Steps shared by all time commands: locks, rates, checks for overlaps and locked periods, durations and costs. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { priceOfTime } from '@suite/money';
import { TimeStopped } from '@suite/proto/projects/v1/events';
import { dayAt } from '@suite/time-zones';
import { recordActivities } from '../../work/activities/activity.ts';
import type { Db } from '../../operations.ts';
import { assertPeriodUnlocked } from '../time-settings/period.rules.ts';
import { durationOf, type TimeInterval, roundedSeconds, type EntrySpan } from '../time-settings/rounding.rules.ts';
import type { StoredTimeSettings } from '../time-settings/time-settings.ts';
import { breaksFit, isSpan, TimeOverlaps, timeStates } from './time-entry.rules.ts';

/** Time entry columns for the rules. */
export interface EntryRow extends Omit<EntrySpan, 'ended_at'> {
  id: string;
  user_id: string;
  project_id: string;
  task_id: string | null;
  ended_at: Date | null;
  local_date: string;
  description: string | null;
  billable: boolean;
  own_rate: string | null;
  /** Hourly rate, and below the cost rate. Both are null while the timer is running. */
  hourly_rate: string | null;
  cost_rate: string | null;
  currency: string;
  status: string;
  offline_hash: string | null;
  billing_run_id: string | null;
  version: number;
}

interface StoredRow extends Omit<EntryRow, 'started_at' | 'ended_at' | 'breaks'> {
  started_at: string | Date;
  ended_at: string | Date | null;
  breaks: readonly { started_at: string; ended_at: string }[];
}

const asInterval = ({ started_at, ended_at }: { started_at: string; ended_at: string }): TimeInterval => ({
  started_at: new Date(started_at),
  ended_at: new Date(ended_at),
});

/** Locks the entries that match a condition until the transaction ends, oldest first. */
export async function lockEntries(db: Db, condition: ReturnType<typeof sql>): Promise<EntryRow[]> {
  const rows = await db.rows<StoredRow>(sql`
    SELECT id, user_id, project_id, task_id, started_at, ended_at, timezone, local_date::text AS local_date, breaks,
      idle_seconds, idle_discarded, description, billable, own_rate, hourly_rate, cost_rate, currency, status, offline_hash,
      billing_run_id, version
    FROM time_entries WHERE ${condition} ORDER BY id FOR NO KEY UPDATE`);
  return rows.map(({ started_at, ended_at, breaks, ...row }) => ({
    ...row,
    started_at: new Date(started_at),
    ended_at: ended_at === null ? null : new Date(ended_at),
    breaks: breaks.map(asInterval),
  }));
}

/** Serialises changes to the time of a user, so that concurrent starts run one after the other. */
export const lockTimeOf = (db: Db, user_id: string): Promise<unknown> =>
  db.rows(sql`SELECT id FROM users WHERE id = ${user_id}::uuid FOR NO KEY UPDATE`);

/** Locks the running entry of a user. */
export const lockRunning = async (db: Db, user_id: string): Promise<EntryRow | undefined> =>
  (await lockEntries(db, sql`user_id = ${user_id}::uuid AND status = 'running'`))[0];

/** Project fields that determine the price of its time. */
export interface PriceTerms {
  hourly_rate: string;
  cost_rate: string;
  currency: string;
  billable: boolean;
}

/**
 * Returns the rates of a user in a project: the rate of the membership, the project, the user or the workspace, or
 * none.
 */
export async function billingTermsOf(
  db: Db,
  { user_id, project_id }: Pick<EntryRow, 'user_id' | 'project_id'>,
  own_rate: string | null = null,
): Promise<PriceTerms> {
  const [terms] = await db.rows<PriceTerms & { cost_rate: string | null }>(sql`
    SELECT projects.currency, projects.billable,
      coalesce(${own_rate}::numeric, project_members.hourly_rate, projects.hourly_rate, time_rates.hourly_rate,
        settings.hourly_rate, 0) AS hourly_rate,
      coalesce(project_members.cost_rate, time_rates.cost_rate, settings.cost_rate) AS cost_rate
    FROM projects CROSS JOIN settings
      LEFT JOIN project_members ON project_members.project_id = projects.id AND project_members.user_id = ${user_id}::uuid
      LEFT JOIN time_rates ON time_rates.user_id = ${user_id}::uuid
    WHERE projects.id = ${project_id}::uuid`);
  return { ...terms!, cost_rate: terms!.cost_rate ?? terms!.hourly_rate };
}

/**
 * Returns the task of a time entry. @throws a 422 for a task of another project, and for a completed task unless that
 * is allowed
 */
export async function taskFor(db: Db, project_id: string, task_id: string, { late_time }: StoredTimeSettings) {
  const [task] = await db.rows<{ group: string; billable: boolean | null }>(sql`
    SELECT "group", billable FROM work_items
    WHERE id = ${task_id}::uuid AND project_id = ${project_id}::uuid FOR KEY SHARE`);
  if (!task) throw invalid('task_id', 'Task not found in this project.');
  if (!late_time && (task.group === 'completed' || task.group === 'cancelled'))
    throw invalid('task_id', 'This task is closed. Reopen it to record time.');
  return task;
}

/** Checks the end and the breaks of a finished entry. @throws a 422 that names the field */
export function assertEntrySpan(span: EntrySpan): void {
  if (!isSpan(span)) throw invalid('ended_at', 'The end must be after the start, at most 24 hours later.');
  if (!breaksFit(span.breaks, span))
    throw invalid('breaks', 'Breaks must be within the time entry and must not overlap.');
  const present = durationOf({ ...span, idle_discarded: false });
  if (span.idle_seconds > present)
    throw invalid('idle_seconds', 'The idle time must not be more than the time without breaks.');
}

/** Rejects a span in which the user has other time. @param ended_at null for a running timer */
export async function assertFree(
  db: Db,
  user_id: string,
  { started_at, ended_at }: { started_at: Date; ended_at: Date | null },
  except: readonly string[] = [],
): Promise<void> {
  const [other] = await db.rows<{ id: string; started_at: Date; ended_at: Date | null }>(sql`
    SELECT id, started_at, ended_at FROM time_entries
    WHERE user_id = ${user_id}::uuid AND id <> ALL(${except}::uuid[])
      AND tstzrange(started_at, ended_at, '[)') && tstzrange(${started_at}, ${ended_at}, '[)')
    ORDER BY started_at LIMIT 1`);
  if (other) throw TimeOverlaps({ entry_id: other.id, started_at: other.started_at, ended_at: other.ended_at });
}

/**
 * Rejects starts in locked periods, unless an approver enters a reason.
 * @throws PeriodLocked
 */
export function assertChangeable(
  { caller, settings, reason }: { caller: Caller; settings: StoredTimeSettings; reason: string | undefined },
  starts: readonly Date[],
): void {
  if (reason !== undefined && caller.permissions.includes('time.approve')) return;
  // Days in the workspace's time zone. The time zone of an entry must not unlock a day.
  const days = starts.map((start) => dayAt(start.getTime(), caller.timezone));
  assertPeriodUnlocked(days, settings, today(caller.timezone));
}

/** Computes the duration, the rounded duration and the amount of an entry on these terms. */
export function entryAmounts(
  entry: EntrySpan & { billable: boolean },
  terms: Omit<PriceTerms, 'billable'>,
  { rounding }: StoredTimeSettings,
) {
  const { hourly_rate, cost_rate, currency } = terms;
  const rounded_seconds = roundedSeconds(entry, rounding);
  const amount = priceOfTime(entry.billable ? rounded_seconds : 0, hourly_rate, currency);
  return { duration_seconds: durationOf(entry), rounded_seconds, hourly_rate, cost_rate, currency, amount };
}

/** Returns the columns that are fixed when an entry ends. */
export const columnsAtEnd = async (
  db: Db,
  entry: EntrySpan & Omit<EntryRow, keyof EntrySpan>,
  settings: StoredTimeSettings,
) => entryAmounts(entry, await billingTermsOf(db, entry, entry.own_rate), settings);

/** Converts breaks for a JSON column in Prisma. */
export const asJson = (breaks: readonly TimeInterval[]) =>
  breaks.map(({ started_at, ended_at }) => ({
    started_at: started_at.toISOString(),
    ended_at: ended_at.toISOString(),
  }));

/** Records an event of an entry in the history of its project. */
export const recordTime = (
  db: Db,
  verb: string,
  { id, project_id, description }: Pick<EntryRow, 'id' | 'project_id' | 'description'>,
  reason?: string,
): Promise<void> =>
  recordActivities(db, [
    {
      project_id,
      verb,
      object: { type: 'time_entry', id, label: description?.slice(0, 100) || 'Time' },
      ...(reason !== undefined && { diff: { reason: [null, reason] } }),
    },
  ]);

/** Emits the event of a finished entry. */
export function announceStop(
  emit: Emit,
  entry: Pick<EntryRow, 'id' | 'user_id' | 'project_id' | 'task_id' | 'started_at'> & { ended_at: Date },
  { duration_seconds, auto_stopped }: { duration_seconds: number; auto_stopped: boolean },
): void {
  emit(TimeStopped, {
    time_id: entry.id,
    user_id: entry.user_id,
    project_id: entry.project_id,
    task_id: entry.task_id ?? '',
    started_at: entry.started_at.toISOString(),
    ended_at: entry.ended_at.toISOString(),
    duration_seconds,
    auto_stopped,
  });
}

/** End of a stopped entry, with the other fields that a stop can change. */
type StopChanges = { ended_at: Date; auto_stopped?: boolean } & Partial<
  Pick<EntryRow, 'task_id' | 'description' | 'breaks' | 'idle_seconds' | 'idle_discarded'>
>;

/** Stops a running entry. The entry must be locked. */
export async function stopEntry(
  { db, emit }: { db: Db; emit: Emit },
  running: EntryRow,
  { auto_stopped = false, ...changes }: StopChanges,
  settings: StoredTimeSettings,
): Promise<void> {
  const stopped = { ...running, ...changes };
  const amounts = await columnsAtEnd(db, stopped, settings);
  const { ended_at, task_id, description, breaks, idle_seconds, idle_discarded } = stopped;
  await timeStates.move(db.timeEntry, running.id, 'stop', {
    ended_at,
    task_id,
    description,
    breaks: asJson(breaks),
    idle_seconds,
    idle_discarded,
    auto_stopped,
    ...amounts,
  });
  if (auto_stopped)
    await db.mail.create({ data: { user_id: running.user_id, kind: 'stopped_timer', time_entry_id: running.id } });
  announceStop(emit, stopped, { duration_seconds: amounts.duration_seconds, auto_stopped });
  await recordTime(db, 'stopped', stopped);
}
