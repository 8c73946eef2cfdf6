/** Starting timers and recording finished time, either online or offline up to some days ago. */
import { createHash, randomUUIDv7 } from 'node:crypto';
import { dayAt } from '@suite/time-zones';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { clock } from '@suite/chassis/runtime';
import { TimeStarted } from '@suite/proto/projects/v1/events';
import { userOf, upsertUserCopies } from '@suite/user-copies';
import { enterProject } from '../../work/access/access.ts';
import { assertAcceptsWork } from '../../work/access/project.rules.ts';
import type { CommandContext, Db } from '../../operations.ts';
import type { TimeInterval } from '../time-settings/rounding.rules.ts';
import { timeSettings, type StoredTimeSettings } from '../time-settings/time-settings.ts';
import {
  AlreadyRunning,
  assertPast,
  autoStopOf,
  OfflineIdReused,
  oldestOffline,
  oldestStart,
  skewOf,
  TimeOverlaps,
  TimeTooOld,
} from '../time/time-entry.rules.ts';
import type { NewTime } from '../time/time-entry.schema.ts';
import {
  announceStop,
  asJson,
  assertChangeable,
  assertFree,
  assertEntrySpan,
  type EntryRow,
  columnsAtEnd,
  lockRunning,
  lockTimeOf,
  recordTime,
  stopEntry,
  taskFor,
  billingTermsOf,
} from '../time/time-entry.ts';

/** The started or recorded entry, and the timer that it stopped. */
interface TrackedEntry {
  created: boolean;
  id: string;
  stopped_id: string | null;
}

/** Returns the hash of a device's time data, without its current clock. */
const contentOf = ({ client_now: _, reason: __, ...time }: NewTime): string =>
  createHash('sha256').update(JSON.stringify(time)).digest('hex');

/** Returns the existing entry with the same offline ID. @throws OfflineIdReused */
async function findByOfflineId(db: Db, user_id: string, time: NewTime): Promise<TrackedEntry | undefined> {
  if (time.offline_id === undefined) return undefined;
  const [existing] = await db.rows<{ id: string; offline_hash: string }>(sql`
    SELECT id, offline_hash FROM time_entries WHERE user_id = ${user_id}::uuid AND offline_id = ${time.offline_id}`);
  if (existing && existing.offline_hash !== contentOf(time)) throw OfflineIdReused({ entry_id: existing.id });
  return existing && { created: false, id: existing.id, stopped_id: null };
}

/** Times of a request, corrected to the server clock. */
interface RequestTimes {
  started_at: Date;
  ended_at: Date | null;
  breaks: TimeInterval[];
  skew_seconds: number | null;
  /** True if the request names no start, so that it starts now. */
  starts_now: boolean;
}

/**
 * Corrects the times of a request to the server clock. @throws ClockSkew, TimeInFuture, TimeTooOld, a 422 that names
 * the field
 */
function timesOf(time: NewTime, now: Date, { max_offline_days }: StoredTimeSettings): RequestTimes {
  const skew = skewOf(time.client_now, now);
  const correctSkew = (instant: Date) => new Date(instant.getTime() + (skew ?? 0));
  const started_at = time.started_at ? correctSkew(time.started_at) : now;
  const ended_at = time.ended_at ? correctSkew(time.ended_at) : null;
  if (ended_at && !time.started_at) throw invalid('started_at', 'Enter the start, too.');
  assertPast([started_at, ended_at], now);
  if (time.offline_id !== undefined && started_at < oldestOffline(now, max_offline_days))
    throw TimeTooOld({ max_offline_days });
  if (!ended_at && started_at < oldestStart(now))
    throw invalid('started_at', 'A running timer must have started within the last 24 hours.');
  if (!ended_at && time.breaks.length > 0) throw invalid('breaks', 'Enter breaks only for finished time entries.');
  if (!ended_at && time.idle_seconds > 0)
    throw invalid('idle_seconds', 'Enter idle time only for finished time entries.');
  const breaks = time.breaks.map((one) => ({
    started_at: correctSkew(one.started_at),
    ended_at: correctSkew(one.ended_at),
  }));
  const skew_seconds = skew === undefined ? null : Math.round(skew / 1_000);
  return { started_at, ended_at, breaks, skew_seconds, starts_now: !time.started_at };
}

/** Stops the running timer if the new entry starts later. @throws AlreadyRunning, TimeOverlaps */
async function endRunning(
  context: CommandContext,
  running: EntryRow,
  times: RequestTimes,
  settings: StoredTimeSettings,
): Promise<string | null> {
  const due = autoStopOf(running.started_at, settings.auto_stop_hours);
  const isForgotten = due <= times.started_at;
  const { id: entry_id, started_at } = running;
  if (!isForgotten && times.ended_at) {
    if (times.ended_at > started_at) throw TimeOverlaps({ entry_id, started_at, ended_at: null });
    return null;
  }
  if (!isForgotten && settings.on_second_start === 'refuse') throw AlreadyRunning({ entry_id });
  // If two timers start in the same millisecond, the second starts one millisecond later, so that no entry is empty.
  if (times.starts_now && times.started_at <= started_at) times.started_at = new Date(started_at.getTime() + 1);
  if (times.started_at <= started_at) throw TimeOverlaps({ entry_id, started_at, ended_at: null });
  const ended_at = isForgotten ? due : times.started_at;
  await stopEntry(context, running, { ended_at, auto_stopped: isForgotten }, settings);
  return running.id;
}

/** Inserts the entry. Returns its ID. */
async function insertEntry(
  { db, caller }: CommandContext,
  time: NewTime,
  times: RequestTimes,
  settings: StoredTimeSettings,
) {
  const { project_id, task_id = null, description = null, idle_seconds, discard_idle, source, offline_id } = time;
  const { user_id } = caller;
  const task = task_id === null ? undefined : await taskFor(db, project_id, task_id, settings);
  const terms = await billingTermsOf(db, { user_id, project_id });
  const timezone = time.timezone ?? caller.user_timezone ?? caller.timezone;
  const entry = {
    id: randomUUIDv7(),
    user_id,
    project_id,
    task_id,
    started_at: times.started_at,
    timezone,
    local_date: dayAt(times.started_at.getTime(), timezone),
    breaks: times.breaks,
    idle_seconds,
    idle_discarded: discard_idle,
    description,
    billable: time.billable ?? task?.billable ?? terms.billable,
    own_rate: null,
    hourly_rate: null,
    cost_rate: null,
    currency: terms.currency,
    status: times.ended_at ? 'stopped' : 'running',
    offline_hash: offline_id === undefined ? null : contentOf(time),
    billing_run_id: null,
    version: 1,
  };
  assertChangeable({ caller, settings, reason: time.reason }, [entry.started_at]);
  const finished = times.ended_at && { ...entry, ended_at: times.ended_at };
  if (finished) assertEntrySpan(finished);
  await assertFree(db, user_id, times);
  const amounts = finished ? await columnsAtEnd(db, finished, settings) : undefined;
  await db.timeEntry.create({
    data: {
      ...entry,
      ended_at: times.ended_at,
      skew_seconds: times.skew_seconds,
      local_date: midnight(entry.local_date),
      breaks: asJson(entry.breaks),
      source,
      offline_id: offline_id ?? null,
      ...amounts,
    },
  });
  return { entry, finished, amounts };
}

/**
 * Starts a timer, or records finished time. The same offline ID creates one entry.
 * @throws NotFound, WrongProjectRole, ProjectClosed, TimeOverlaps, AlreadyRunning, PeriodLocked and the faults of times
 */
export async function trackTime(context: CommandContext, time: NewTime): Promise<TrackedEntry> {
  const { db, caller, emit } = context;
  const { user_id } = caller;
  const existing = await findByOfflineId(db, user_id, time);
  if (existing) return existing;
  assertAcceptsWork(await enterProject(context, time.project_id, 'member'));
  await upsertUserCopies(db, [userOf(caller)]);
  await lockTimeOf(db, user_id);
  const meanwhile = await findByOfflineId(db, user_id, time);
  if (meanwhile) return meanwhile;
  const settings = await timeSettings(db);
  const times = timesOf(time, clock.now(), settings);
  const running = await lockRunning(db, user_id);
  const stopped_id = running ? await endRunning(context, running, times, settings) : null;
  const { entry, finished, amounts } = await insertEntry(context, time, times, settings);
  const { id, project_id, task_id, started_at } = entry;
  if (finished) {
    announceStop(emit, finished, { duration_seconds: amounts!.duration_seconds, auto_stopped: false });
  } else {
    const task = task_id ?? '';
    emit(TimeStarted, { time_id: id, user_id, project_id, task_id: task, started_at: started_at.toISOString() });
  }
  await recordTime(db, finished ? 'tracked' : 'started', entry, time.reason);
  return { created: true, id, stopped_id };
}
