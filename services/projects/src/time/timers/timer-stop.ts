/** Stopping of timers: by request, because the user has left, or because they were forgotten. */
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import type { CommandContext, Db } from '../../operations.ts';
import { timeSettings, type StoredTimeSettings } from '../time-settings/time-settings.ts';
import { AlreadyStopped, assertPast, autoStopOf, NothingRunning } from '../time/time-entry.rules.ts';
import type { TimeStop } from '../time/time-entry.schema.ts';
import {
  assertEntrySpan,
  type EntryRow,
  lockEntries,
  lockRunning,
  lockTimeOf,
  stopEntry,
  taskFor,
} from '../time/time-entry.ts';

/** Returns the entry of a request. @throws NotFound, NothingRunning */
async function findRequestedEntry(db: Db, user_id: string, id: string | undefined): Promise<EntryRow> {
  if (id === undefined) {
    const running = await lockRunning(db, user_id);
    if (!running) throw NothingRunning();
    return running;
  }
  const [own] = await lockEntries(db, sql`id = ${id}::uuid AND user_id = ${user_id}::uuid`);
  if (!own) throw NotFound();
  return own;
}

/**
 * Returns the end of a stopped timer: the requested time, or now. A forgotten timer ended automatically some hours
 * after its start.
 */
function endTimeOf({ started_at }: EntryRow, requestedEnd: Date | undefined, { auto_stop_hours }: StoredTimeSettings) {
  const now = clock.now();
  assertPast([requestedEnd], now);
  const due = autoStopOf(started_at, auto_stop_hours);
  const least = new Date(started_at.getTime() + 1);
  if (requestedEnd && requestedEnd <= started_at) throw invalid('ended_at', 'The end must be after the start.');
  const ended_at = requestedEnd ?? (now < least ? least : now);
  return due < ended_at ? { ended_at: due, auto_stopped: true } : { ended_at, auto_stopped: false };
}

/**
 * Stops a timer of the caller. An already stopped timer does not change. Returns its ID.
 * @throws NotFound, NothingRunning, AlreadyStopped, TimeInFuture, a 422 that names the field
 */
export async function stopTime(context: CommandContext, stop: TimeStop): Promise<string> {
  const { db, caller } = context;
  await lockTimeOf(db, caller.user_id);
  const entry = await findRequestedEntry(db, caller.user_id, stop.id);
  if (entry.status !== 'running') {
    const isSame = stop.ended_at === undefined || stop.ended_at.getTime() === entry.ended_at?.getTime();
    if (!isSame) throw AlreadyStopped({ ended_at: entry.ended_at });
    return entry.id;
  }
  const settings = await timeSettings(db);
  const { ended_at, auto_stopped } = endTimeOf(entry, stop.ended_at, settings);
  const { task_id, description, breaks = entry.breaks, idle_seconds = entry.idle_seconds, discard_idle } = stop;
  if (task_id) await taskFor(db, entry.project_id, task_id, settings);
  const span = { ...entry, ended_at, breaks, idle_seconds, idle_discarded: discard_idle };
  assertEntrySpan(span);
  const { idle_discarded } = span;
  const words = { ...(task_id !== undefined && { task_id }), ...(description !== undefined && { description }) };
  const changes = { ended_at, auto_stopped, breaks, idle_seconds, idle_discarded };
  await stopEntry(context, entry, Object.assign(changes, words), settings);
  return entry.id;
}

/**
 * Stops the timer of a user who was deleted or has left a project, at the time when that happened.
 * @param project_id stops it in this project only
 */
export async function stopTimersOf(
  context: { db: Db; emit: Emit },
  user_id: string,
  at: Date,
  project_id?: string,
): Promise<void> {
  const { db } = context;
  await lockTimeOf(db, user_id);
  const running = await lockRunning(db, user_id);
  if (!running || (project_id !== undefined && running.project_id !== project_id)) return;
  const settings = await timeSettings(db);
  const least = new Date(running.started_at.getTime() + 1);
  const due = autoStopOf(running.started_at, settings.auto_stop_hours);
  const ended_at = new Date(Math.min(Math.max(at.getTime(), least.getTime()), due.getTime()));
  await stopEntry(context, running, { ended_at }, settings);
}

const SCHEDULE = 'projects.stop-timers';
const INTERVAL_MS = 60_000;
const BATCH = 200;

interface ForgottenTimer {
  id: string;
  workspace_id: string;
  user_id: string;
}

/** Stops a forgotten timer, unless it was stopped concurrently. */
async function stopForgotten(context: { db: Db; emit: Emit }, { id, user_id }: ForgottenTimer): Promise<void> {
  const { db } = context;
  await lockTimeOf(db, user_id);
  const settings = await timeSettings(db);
  const [entry] = await lockEntries(db, sql`id = ${id}::uuid AND status = 'running'`);
  const ended_at = entry && autoStopOf(entry.started_at, settings.auto_stop_hours);
  if (!ended_at || ended_at > clock.now()) return;
  await stopEntry(context, entry, { ended_at, auto_stopped: true }, settings);
}

/** Stops timers that have exceeded the maximum duration of their workspace. Returns the number of due timers. */
export async function stopForgottenTimers(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const due = await findEverywhere<ForgottenTimer>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`
      SELECT time_entries.id, time_entries.workspace_id, user_id, started_at
      FROM time_entries JOIN settings ON settings.workspace_id = time_entries.workspace_id
      WHERE status = 'running' AND started_at <= ${clock.now()}::timestamptz - make_interval(hours => settings.auto_stop_hours)
        AND ${isNotPostponed(SCHEDULE, sql`time_entries.workspace_id`, sql`time_entries.id`)}`,
      sql`started_at, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, due, (forgotten) =>
    database.write(jobTransaction(SCHEDULE, forgotten.workspace_id), (db, emit) =>
      stopForgotten({ db, emit }, forgotten),
    ),
  );
  return due.length;
}

export const stopTimers = declareSchedule(SCHEDULE, INTERVAL_MS, stopForgottenTimers);
