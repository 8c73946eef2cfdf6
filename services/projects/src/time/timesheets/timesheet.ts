/** Submission, approval and rejection of time. Each request applies to all of its entries, or to none. */
import { asCaller, sql } from '@suite/chassis/database';
import { fault, InvalidTransition, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { TimeApproved, TimeBillableReady, TimeReopened } from '@suite/proto/projects/v1/events';
import { recordActivities } from '../../work/activities/activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { timeSettings } from '../time-settings/time-settings.ts';
import { type EntryRow, lockEntries, lockTimeOf } from '../time/time-entry.ts';
import { EntryInvoiced, timeStates } from '../time/time-entry.rules.ts';
import type { Approval } from './timesheet.schema.ts';

export const ApproverIsAuthor = fault(409, 'four_eyes', 'You cannot approve your own time. Ask another approver.');
export const TooManyEntries = fault(
  422,
  'too_many_entries',
  'You can change at most 500 entries at a time. Choose fewer entries.',
);
export const BeingInvoiced = fault(
  409,
  'being_invoiced',
  'Some of these time entries are being invoiced. Try again in a moment.',
  {
    retryable: true,
  },
);

const ENTRIES_MAX = 500;

type TimesheetAction = 'submit' | 'approve' | 'reject' | 'reopen';

/** Checks that all entries exist. @throws a 422 if one does not */
async function existing(db: Db, entry_ids: readonly string[]): Promise<string[]> {
  const found = await db.timeEntry.count({ where: { id: { in: [...entry_ids] } } });
  if (found < entry_ids.length) throw invalid('entry_ids', 'Entry not found.');
  return [...entry_ids];
}

/** Returns the entries that a body names, limited to entries that the caller sees and to the given statuses. */
async function selectedEntries(
  db: Db,
  { entry_ids, user_id, from, to }: Approval,
  states: readonly string[],
): Promise<string[]> {
  if (entry_ids) return await existing(db, entry_ids);
  if (!user_id || !from || !to)
    throw invalid('entry_ids', 'Enter time entries, or a user with a first and a last day.');
  if ((await db.user.count({ where: { id: user_id } })) === 0) throw invalid('user_id', 'User not found.');
  const rows = await asCaller(() =>
    db.rows<{ id: string }>(sql`
      SELECT id FROM time_entries WHERE user_id = ${user_id}::uuid AND status = ANY(${states}::text[])
        AND local_date BETWEEN ${from}::date AND ${to}::date ORDER BY id LIMIT ${ENTRIES_MAX + 1}`),
  );
  if (rows.length > ENTRIES_MAX) throw TooManyEntries();
  return rows.map(({ id }) => id);
}

/**
 * Rejects entries whose status does not allow the action. Entries that already have the target status remain unchanged.
 */
function movable(entries: readonly EntryRow[], verb: TimesheetAction, caller: Caller): EntryRow[] {
  const target = { submit: 'submitted', approve: 'approved', reject: 'rejected', reopen: 'stopped' }[verb];
  const open = entries.filter(({ status }) => status !== target);
  const wrong = open.find(({ status }) => !(timeStates.allowed(status) as string[]).includes(verb));
  if (!wrong) return open;
  if (wrong.status === 'invoiced') throw EntryInvoiced({ entry_id: wrong.id });
  const { status } = wrong;
  const allowed = timeStates.allowedTo(caller, { status });
  throw InvalidTransition({ from: status, action: verb, allowed, entry_id: wrong.id });
}

/** Changes the status of entries in one statement. The entries must be locked. */
async function move(
  db: Db,
  entries: readonly EntryRow[],
  verb: TimesheetAction,
  patch: ReturnType<typeof sql>,
): Promise<void> {
  const ids = entries.map(({ id }) => id);
  const { set, guard } = timeStates.moving(verb);
  if (ids.length > 0)
    await db.rows(sql`UPDATE time_entries SET ${set}, ${patch} WHERE id = ANY(${ids}::uuid[]) AND ${guard}`);
}

const recordTimeActivities = (db: Db, entries: readonly EntryRow[], verb: string, reason?: string): Promise<void> =>
  recordActivities(
    db,
    entries.map(({ id, project_id, description }) => ({
      project_id,
      verb,
      object: { type: 'time_entry' as const, id, label: description?.slice(0, 100) || 'Time' },
      ...(reason !== undefined && { diff: { reason: [null, reason] as const } }),
    })),
  );

/** Returns the result of a request: the entries in the new status, including unchanged ones, with their total time. */
async function resultOf(db: Db, ids: readonly string[]) {
  const [sum] = await db.rows<{ seconds: number }>(sql`
    SELECT coalesce(sum(duration_seconds), 0)::int AS seconds FROM time_entries WHERE id = ANY(${ids}::uuid[])`);
  return { entries: ids.length, seconds: sum!.seconds, entry_ids: [...ids] };
}

/** Submits the caller's own time in a period. Running timers are excluded. */
export async function submitTime({ db, caller }: CommandContext, span: { from: string; to: string }) {
  const { user_id } = caller;
  await lockTimeOf(db, user_id);
  const ids = await selectedEntries(db, { user_id, ...span }, ['stopped', 'rejected']);
  const entries = await lockEntries(db, sql`id = ANY(${ids}::uuid[])`);
  const open = movable(entries, 'submit', caller);
  await move(db, open, 'submit', sql`reject_reason = NULL`);
  await recordTimeActivities(db, open, 'submitted');
  return await resultOf(db, ids);
}

/** Finished entry's time, with its price. */
interface EntryAmounts {
  duration_seconds: number;
  rounded_seconds: number;
  amount: string;
}

/** Emits the events of approved time, with the part that can be invoiced. */
async function announce({ db, caller, emit }: CommandContext, entries: readonly EntryRow[]): Promise<void> {
  const ids = entries.map(({ id }) => id);
  const rows = await db.rows<Pick<EntryRow, 'id' | 'billable'> & EntryAmounts>(sql`
    SELECT id, billable, duration_seconds, rounded_seconds, amount FROM time_entries WHERE id = ANY(${ids}::uuid[])`);
  const worked = new Map(rows.map((row) => [row.id, row]));
  for (const { id: time_id, user_id, project_id, currency, local_date } of entries) {
    const { billable, duration_seconds, rounded_seconds, amount } = worked.get(time_id)!;
    emit(TimeApproved, { time_id, user_id, project_id, approved_by: caller.user_id, local_date, duration_seconds });
    if (!billable) continue;
    emit(TimeBillableReady, { time_id, user_id, project_id, rounded_seconds, amount, currency });
  }
}

/** Approves submitted time. @throws ApproverIsAuthor for the caller's own time, InvalidTransition */
export async function approveTime(context: CommandContext, selection: Approval) {
  const { db, caller } = context;
  const ids = await selectedEntries(db, selection, ['submitted']);
  const entries = await lockEntries(db, sql`id = ANY(${ids}::uuid[])`);
  const open = movable(entries, 'approve', caller);
  const own = open.find(({ user_id }) => user_id === caller.user_id);
  if (own && !(await timeSettings(db)).self_approval) throw ApproverIsAuthor({ entry_id: own.id });
  await move(db, open, 'approve', sql`approved_by = ${caller.user_id}::uuid, approved_at = ${clock.now()}`);
  await recordTimeActivities(db, open, 'approved');
  await announce(context, open);
  return await resultOf(db, ids);
}

/** Rejects submitted time, with a reason. */
export async function rejectTime(
  { db, caller }: CommandContext,
  { reason, ...selection }: Approval & { reason: string },
) {
  const ids = await selectedEntries(db, selection, ['submitted']);
  const open = movable(await lockEntries(db, sql`id = ANY(${ids}::uuid[])`), 'reject', caller);
  await move(db, open, 'reject', sql`reject_reason = ${reason}`);
  await recordTimeActivities(db, open, 'rejected', reason);
  return await resultOf(db, ids);
}

/** Reopens submitted or approved time. @throws BeingInvoiced, EntryInvoiced, InvalidTransition */
export async function reopenTime(
  { db, caller, emit }: CommandContext,
  { reason, entry_ids }: { reason: string; entry_ids: readonly string[] },
) {
  await existing(db, entry_ids);
  const entries = await lockEntries(db, sql`id = ANY(${entry_ids}::uuid[])`);
  const open = movable(entries, 'reopen', caller);
  if (open.some(({ billing_run_id }) => billing_run_id !== null)) throw BeingInvoiced();
  await move(db, open, 'reopen', sql`approved_by = NULL, approved_at = NULL`);
  await recordTimeActivities(db, open, 'reopened', reason);
  for (const { id: time_id, user_id, project_id, status } of open)
    if (status === 'approved') emit(TimeReopened, { time_id, user_id, project_id });
  return await resultOf(db, entry_ids);
}
