/** Correcting and deleting time, as long as nobody has it in hand. */
import { assertSeen, type Caller, clock, Forbidden, invalid, InvalidTransition, NotFound, sql } from '@suite/chassis';
import { enterProject } from '../access/access.ts';
import { assertTakesWork } from '../access/project.rules.ts';
import type { CommandContext } from '../operations.ts';
import { timeSettings, type TimeSettings } from '../time-settings/time-settings.ts';
import { dayIn } from '../time-settings/wall-clock.rules.ts';
import { assertPast, EntryInvoiced, timeStates } from './time-entry.rules.ts';
import type { TimeChanges } from './time-entry.schema.ts';
import {
  asJson,
  assertChangeable,
  assertFree,
  assertSpan,
  type EntryRow,
  frozen,
  lockEntries,
  lockTimeOf,
  midnight,
  recordTime,
  taskFor,
} from './time-entry.ts';
import { readTime } from './time-entry.view.ts';

const mayApprove = ({ permissions }: Caller): boolean => permissions.includes('time.approve');

/** Whether a change says nothing but the rate. */
const isAboutRate = ({ version: _, reason: __, hourly_rate, ...others }: TimeChanges): boolean =>
  hourly_rate !== undefined && Object.values(others).every((value) => value === undefined);

/** Refuses to touch what somebody has in hand. @throws EntryInvoiced, InvalidTransition */
async function assertOpenEntry(
  { db, caller }: CommandContext,
  { id, status }: EntryRow,
  action: 'update' | 'delete',
  what: TimeChanges,
): Promise<void> {
  if (status === 'invoiced') throw EntryInvoiced();
  if (isAboutRate(what) && status === 'submitted') return;
  if (status !== 'submitted' && status !== 'approved') return;
  const { allowed_actions: allowed } = await readTime(db, caller, id);
  throw InvalidTransition({ from: status, action, allowed });
}

/**
 * Looks an entry up for a change, with its owner locked. Others than its owner set its rate only.
 * @throws NotFound, Forbidden
 */
async function entryToChange({ db, caller }: CommandContext, id: string, rate_only: boolean): Promise<EntryRow> {
  const [owner] = await db.rows<{ user_id: string }>(sql`SELECT user_id FROM time_entries WHERE id = ${id}::uuid`);
  if (!owner) throw NotFound();
  if (owner.user_id !== caller.user_id && !(rate_only && mayApprove(caller))) throw Forbidden();
  await lockTimeOf(db, owner.user_id);
  const [entry] = await lockEntries(db, sql`id = ${id}::uuid`);
  if (!entry) throw NotFound();
  return entry;
}

/** The entry as it is to be. */
function changed(entry: EntryRow, { reason: _, version: __, hourly_rate, ...changes }: TimeChanges): EntryRow {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next: EntryRow = Object.assign({ ...entry }, given);
  if (hourly_rate !== undefined) next.own_rate = hourly_rate;
  // A task belongs to its project: who leaves the project leaves the task.
  if (next.project_id !== entry.project_id && changes.task_id === undefined) next.task_id = null;
  return { ...next, local_date: dayIn(next.started_at, next.timezone) };
}

/** Refuses what does not fit. @throws the faults of times, ProjectClosed, TimeOverlaps, PeriodLocked */
async function assertFits(
  context: CommandContext,
  { before, next, reason }: { before: EntryRow; next: EntryRow; reason: string | undefined },
  settings: TimeSettings,
): Promise<void> {
  const { db, caller } = context;
  assertChangeable({ caller, settings, reason }, [before.local_date, next.local_date]);
  assertPast([next.started_at, next.ended_at], clock.now());
  if (next.task_id && (next.task_id !== before.task_id || next.project_id !== before.project_id))
    await taskFor(db, next.project_id, next.task_id, settings);
  if (next.ended_at) assertSpan({ ...next, ended_at: next.ended_at });
  await assertFree(db, next.user_id, next, [next.id]);
}

const columnsOf = (entry: EntryRow) => ({
  project_id: entry.project_id,
  task_id: entry.task_id,
  started_at: entry.started_at,
  ended_at: entry.ended_at,
  timezone: entry.timezone,
  local_date: midnight(entry.local_date),
  breaks: asJson(entry.breaks),
  idle_seconds: entry.idle_seconds,
  idle_discarded: entry.idle_discarded,
  description: entry.description,
  billable: entry.billable,
  own_rate: entry.own_rate,
});

/** Corrects an entry; a rejected one is open again by it. */
export async function changeTime(
  context: CommandContext,
  id: string,
  changes: TimeChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  if (changes.hourly_rate !== undefined && !mayApprove(caller)) throw Forbidden({ permission: 'time.approve' });
  if (changes.project_id) assertTakesWork(await enterProject(context, changes.project_id, 'member'));
  const before = await entryToChange(context, id, isAboutRate(changes));
  assertSeen(before, expect);
  await assertOpenEntry(context, before, 'update', changes);
  const settings = await timeSettings(db);
  const { reason } = changes;
  if (before.status === 'running' && changes.ended_at) throw invalid('ended_at', 'Stop the timer to give it an end.');
  const next = changed(before, changes);
  await assertFits(context, { before, next, reason }, settings);
  const figures = next.ended_at ? await frozen(db, { ...next, ended_at: next.ended_at }, settings) : {};
  await db.timeEntry.updateMany({ where: { id }, data: { ...columnsOf(next), ...figures } });
  if (before.status === 'rejected') await timeStates.move(db.timeEntry, id, 'edit', { reject_reason: null });
  await recordTime(db, 'updated', next, reason);
  return await readTime(db, caller, id);
}

/** Deletes an entry. @throws EntryInvoiced, InvalidTransition, PeriodLocked */
export async function removeTime(context: CommandContext, id: string, reason: string | undefined) {
  const { db, caller } = context;
  const entry = await entryToChange(context, id, false);
  await assertOpenEntry(context, entry, 'delete', {});
  assertChangeable({ caller, settings: await timeSettings(db), reason }, [entry.local_date]);
  await db.timeEntry.deleteMany({ where: { id } });
  await recordTime(db, 'deleted', entry, reason);
  return { id };
}
