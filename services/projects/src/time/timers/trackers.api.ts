/** Timers: start and stop time tracking, online and offline. */
import { ok, anyStaff, withTrackers, upserted } from '@suite/chassis/operations';
import { ProjectArchived, ProjectClosed, WrongProjectRole } from '../../work/access/project.rules.ts';
import { inTime } from '../../operations.ts';
import { PeriodLocked } from '../time-settings/period.rules.ts';
import { trackTime } from './timer-start.ts';
import { stopTime } from './timer-stop.ts';
import * as rules from '../time/time-entry.rules.ts';
import { NewTime, StartedTime, TimeEntry, TimeStop } from '../time/time-entry.schema.ts';
import { readTime } from '../time/time-entry.view.ts';

const { command } = inTime;

export const start = command('POST /api/add-tracker', {
  summary: 'Start a timer or record time',
  description:
    'Starts a timer, now or at `started_at`. With `ended_at`, records finished time instead. A running timer stops when the new one starts. Time recorded offline has an `offline_id`, and repeating it creates no second entry.',
  access: withTrackers(anyStaff),
  body: NewTime,
  reply: upserted(StartedTime),
  faults: [
    WrongProjectRole,
    ProjectArchived,
    ProjectClosed,
    PeriodLocked,
    rules.TimeOverlaps,
    rules.AlreadyRunning,
    rules.OfflineIdReused,
    rules.TimeInFuture,
    rules.ClockSkew,
    rules.TimeTooOld,
  ],
  async handle({ body, ...context }) {
    const { db, caller } = context;
    const { created, id, stopped_id } = await trackTime(context, body);
    const stopped = stopped_id === null ? null : await readTime(db, caller, stopped_id);
    return { created, record: Object.assign(await readTime(db, caller, id), { stopped }) };
  },
});

export const stop = command('POST /api/stop-tracker', {
  summary: 'Stop a timer',
  description:
    'Stops the running timer, or the one with the given `id`. Stopping it again changes nothing. Returns `nothing_running` without a timer.',
  access: withTrackers(anyStaff),
  body: TimeStop,
  reply: ok(TimeEntry),
  faults: [rules.NothingRunning, rules.AlreadyStopped, rules.TimeInFuture],
  async handle({ body, ...context }) {
    return await readTime(context.db, context.caller, await stopTime(context, body));
  },
});
