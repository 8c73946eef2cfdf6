/** Correction and deletion of time entries that are not submitted, approved or invoiced. */
import { isDeepStrictEqual } from 'node:util';
import { asCaller, assertVersion, sql } from '@suite/chassis/database';
import { Forbidden, invalid, InvalidTransition, NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { dayAt } from '@suite/time-zones';
import { type AccessibleProject, findProject } from '../../work/access/access.ts';
import { assertActive, assertRole, assertAcceptsWork } from '../../work/access/project.rules.ts';
import type { CommandContext } from '../../operations.ts';
import { timeSettings, type StoredTimeSettings } from '../time-settings/time-settings.ts';
import { assertPast, EntryInvoiced, oldestStart, timeStates } from './time-entry.rules.ts';
import type { TimeChanges } from './time-entry.schema.ts';
import {
  asJson,
  assertChangeable,
  assertFree,
  assertEntrySpan,
  type EntryRow,
  entryAmounts,
  columnsAtEnd,
  lockEntries,
  lockTimeOf,
  recordTime,
  taskFor,
} from './time-entry.ts';
import { readTime } from './time-entry.view.ts';

const canApprove = ({ permissions }: Caller): boolean => permissions.includes('time.approve');

/** Checks that a change contains the rate only. */
const changesOnlyRate = ({ version: _, reason: __, hourly_rate, ...others }: TimeChanges): boolean =>
  hourly_rate !== undefined && Object.values(others).every((value) => value === undefined);

/** Rejects changes of entries that are submitted, approved or invoiced. @throws EntryInvoiced, InvalidTransition */
async function assertOpenEntry(
  { db, caller }: CommandContext,
  { id, status }: EntryRow,
  action: 'update' | 'delete',
  what: TimeChanges,
): Promise<void> {
  if (status === 'invoiced') throw EntryInvoiced();
  if (changesOnlyRate(what) && status === 'submitted') return;
  if (status !== 'submitted' && status !== 'approved') return;
  const { allowed_actions: allowed } = await readTime(db, caller, id);
  throw InvalidTransition({ from: status, action, allowed });
}

/**
 * Locks the projects of a change. An archived project accepts no changes. A new project must be open, and accepts time
 * of its members only.
 * @throws NotFound, WrongProjectRole, ProjectArchived, ProjectClosed
 */
async function enterProjects(context: CommandContext, from: string, to: string): Promise<void> {
  const projects = new Map<string, AccessibleProject>();
  // Locks in the order of the IDs, like a task move.
  for (const id of [...new Set([from, to])].toSorted())
    projects.set(id, await findProject(context, id, { lock: 'share' }));
  const target = projects.get(to)!;
  assertActive(projects.get(from)!);
  if (from === to) return;
  assertRole(target.role, 'member');
  assertActive(target);
  assertAcceptsWork(target);
}

/**
 * Checks a change to another user's time: an approver can change only its rate. @throws NotFound if the caller cannot
 * see it, Forbidden
 */
async function assertMayPrice({ db, caller }: CommandContext, id: string, changes: TimeChanges): Promise<void> {
  const seen = await asCaller(() => db.timeEntry.findFirst({ where: { id }, select: { id: true } }));
  if (!seen) throw NotFound();
  if (!changesOnlyRate(changes) || !canApprove(caller)) throw Forbidden();
}

/**
 * Finds an entry for a change, and locks its projects and its owner. Other users can change only its rate.
 * @throws NotFound, Forbidden, WrongProjectRole, ProjectArchived, ProjectClosed
 */
async function entryToChange(context: CommandContext, id: string, changes: TimeChanges): Promise<EntryRow> {
  const { db, caller } = context;
  const [known] = await db.rows<{ user_id: string; project_id: string }>(sql`
    SELECT user_id, project_id FROM time_entries WHERE id = ${id}::uuid`);
  if (!known) throw NotFound();
  const { user_id, project_id } = known;
  if (user_id !== caller.user_id) await assertMayPrice(context, id, changes);
  await enterProjects(context, project_id, changes.project_id ?? project_id);
  await lockTimeOf(db, user_id);
  const [entry] = await lockEntries(db, sql`id = ${id}::uuid`);
  // The entry may have moved to another project concurrently, together with its task.
  if (entry?.project_id !== project_id) throw NotFound();
  return entry;
}

/** Returns the entry after the change. */
function applyChanges(entry: EntryRow, { reason: _, version: __, hourly_rate, ...changes }: TimeChanges): EntryRow {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const next: EntryRow = Object.assign({ ...entry }, given);
  if (hourly_rate !== undefined) next.own_rate = hourly_rate;
  // The task belongs to the old project, so a change of project clears it.
  if (next.project_id !== entry.project_id && changes.task_id === undefined) next.task_id = null;
  return { ...next, local_date: dayAt(next.started_at.getTime(), next.timezone) };
}

/**
 * Rejects fields of a running timer that require an end, and a start that a new timer could not have. @throws a 422
 * that names the field
 */
function assertRunning({ started_at, ended_at, breaks, idle_seconds }: TimeChanges): void {
  if (ended_at) throw invalid('ended_at', 'Stop the timer to set its end.');
  if (breaks?.length) throw invalid('breaks', 'Enter breaks only for finished time entries.');
  if (idle_seconds) throw invalid('idle_seconds', 'Enter idle time only for finished time entries.');
  if (started_at && started_at < oldestStart(clock.now()))
    throw invalid('started_at', 'A running timer must have started within the last 24 hours.');
}

/** Fields that determine the duration and the amount of an entry. */
const PRICED = [
  ...(['started_at', 'ended_at', 'breaks', 'idle_seconds', 'idle_discarded', 'timezone', 'billable'] as const),
  ...(['project_id', 'task_id', 'own_rate'] as const),
];

/**
 * Computes the duration and amount of corrected time. Its rates stay fixed, unless the project, the task or its own
 * rate has changed.
 */
async function correctedAmounts(
  { db }: CommandContext,
  before: EntryRow,
  next: EntryRow,
  settings: StoredTimeSettings,
) {
  const { ended_at, hourly_rate, cost_rate, currency } = next;
  if (!ended_at) return {};
  const entry = { ...next, ended_at };
  const isSame = (['project_id', 'task_id', 'own_rate'] as const).every((name) => before[name] === next[name]);
  if (!isSame || hourly_rate === null || cost_rate === null) return await columnsAtEnd(db, entry, settings);
  // Other changes, such as the description, must not affect rounding or rate, even if the settings have changed.
  if (PRICED.every((name) => isDeepStrictEqual(before[name], next[name]))) return {};
  return entryAmounts(entry, { hourly_rate, cost_rate, currency }, settings);
}

/** Checks a change to an entry. @throws the faults of times, ProjectClosed, TimeOverlaps, PeriodLocked */
async function assertFits(
  context: CommandContext,
  { before, next, reason }: { before: EntryRow; next: EntryRow; reason: string | undefined },
  settings: StoredTimeSettings,
): Promise<void> {
  const { db, caller } = context;
  assertChangeable({ caller, settings, reason }, [before.started_at, next.started_at]);
  assertPast([next.started_at, next.ended_at], clock.now());
  if (next.task_id && (next.task_id !== before.task_id || next.project_id !== before.project_id))
    await taskFor(db, next.project_id, next.task_id, settings);
  if (next.ended_at) assertEntrySpan({ ...next, ended_at: next.ended_at });
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

/** Corrects an entry. A rejected entry becomes open again. @throws the faults of `entryToChange` and of `assertFits` */
export async function changeTime(
  context: CommandContext,
  id: string,
  changes: TimeChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  if (changes.hourly_rate !== undefined && !canApprove(caller)) throw Forbidden({ permission: 'time.approve' });
  const before = await entryToChange(context, id, changes);
  assertVersion(before, expect);
  await assertOpenEntry(context, before, 'update', changes);
  const settings = await timeSettings(db);
  const { reason } = changes;
  if (before.status === 'running') assertRunning(changes);
  const next = applyChanges(before, changes);
  await assertFits(context, { before, next, reason }, settings);
  const amounts = await correctedAmounts(context, before, next, settings);
  await db.timeEntry.updateMany({ where: { id }, data: { ...columnsOf(next), ...amounts } });
  if (before.status === 'rejected') await timeStates.move(db.timeEntry, id, 'edit', { reject_reason: null });
  await recordTime(db, 'updated', next, reason);
  return await readTime(db, caller, id);
}

/** Deletes a time entry. @throws ProjectArchived, EntryInvoiced, InvalidTransition, PeriodLocked */
export async function removeTime(context: CommandContext, id: string, reason: string | undefined) {
  const { db, caller } = context;
  const entry = await entryToChange(context, id, {});
  await assertOpenEntry(context, entry, 'delete', {});
  assertChangeable({ caller, settings: await timeSettings(db), reason }, [entry.started_at]);
  await db.timeEntry.deleteMany({ where: { id } });
  await recordTime(db, 'deleted', entry, reason);
  return { id };
}
