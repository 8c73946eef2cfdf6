/** Demo activities of a card: tasks, calls, notes and e-mails, each with its timeline entry. */
import { randomUUIDv7 } from 'node:crypto';
import type { RecordKind } from '../pipeline/board/board.ts';
import { type ActivityType, timelineSubjectOf } from '../pipeline/board/timeline.ts';
import type { DemoRows } from './demo-rows.ts';
import { dayOf, daysFrom, isChosen, randomMoment, randomNumber, pickOne, pickWeighted } from '@suite/demo';
import { CALLS, EMAILS, NOTES, RESULTS, TASKS } from './demo-texts.ts';

/** Lead or deal with the fields that demo activities need. */
export interface DemoRecord {
  kind: RecordKind;
  id: string;
  begun: Date;
  /** End of the work on the record. The current time while it is open. */
  until: Date;
  is_open: boolean;
  worker: string;
  email: string | null;
}

const addActivity = (
  rows: DemoRows,
  { kind, id, worker }: DemoRecord,
  type: ActivityType,
  at: Date,
  payload: object,
): void => void rows.activities.push({ ...timelineSubjectOf(kind, id), actor_id: worker, at, type, payload });

const stamps = ({ worker }: DemoRecord, created_at: Date, updated_at = created_at) => ({
  created_by: worker,
  updated_by: worker,
  created_at,
  updated_at,
});

function addTask(rows: DemoRows, about: DemoRecord): void {
  const { kind, until, begun, is_open, worker } = about;
  const id = randomUUIDv7();
  const created_at = randomMoment(begun, until);
  const done_at = is_open && isChosen(0.6) ? null : randomMoment(created_at, until);
  const due = done_at ?? randomMoment(daysFrom(until, -4), daysFrom(until, 18));
  const day = dayOf(due < created_at ? created_at : due);
  const [hour, minute] = [randomNumber(8, 17), pickOne(['00', '30'])];
  const name = pickOne(TASKS);
  const reminder = new Date(day.getTime() + (hour - 1) * 3_600_000);
  rows.tasks.push({
    ...timelineSubjectOf(kind, about.id),
    ...stamps(about, created_at, done_at ?? created_at),
    id,
    name,
    date: day,
    time: `${String(hour).padStart(2, '0')}:${minute}`,
    priority: pickWeighted([
      [2, 'low'],
      [5, 'medium'],
      [3, 'high'],
    ]),
    status: done_at ? 'done' : 'todo',
    done_at,
    assignee_id: worker,
    version: done_at ? 2 : 1,
    reminder: !done_at && reminder > until ? reminder : null,
  });
  addActivity(rows, about, 'task_added', created_at, { task_id: id, name });
  if (done_at) addActivity(rows, about, 'task_done', done_at, { task_id: id, name });
}

function addCall(rows: DemoRows, about: DemoRecord): void {
  const id = randomUUIDv7();
  const at = randomMoment(about.begun, about.until);
  const subject = pickOne(CALLS);
  const result = isChosen(0.8) ? pickOne(RESULTS) : null;
  rows.calls.push({
    ...timelineSubjectOf(about.kind, about.id),
    ...stamps(about, at),
    id,
    subject,
    at,
    duration_seconds: randomNumber(30, 1_500),
    assignee_id: about.worker,
    result,
    type: isChosen(0.7) ? 'outbound' : 'inbound',
  });
  addActivity(rows, about, 'call_logged', at, { call_id: id, subject });
}

function addNote(rows: DemoRows, about: DemoRecord): void {
  const id = randomUUIDv7();
  const at = randomMoment(about.begun, about.until);
  rows.discussions.push({
    ...timelineSubjectOf(about.kind, about.id),
    ...stamps(about, at),
    id,
    comment: pickOne(NOTES),
  });
  addActivity(rows, about, 'note_added', at, { discussion_id: id });
}

/** Adds an e-mail that was sent or has failed. None is queued, because the schedule would send it. */
function addEmail(rows: DemoRows, about: DemoRecord): void {
  if (!about.email) return;
  const id = randomUUIDv7();
  const at = randomMoment(about.begun, about.until);
  const { subject, body } = pickOne(EMAILS);
  const to = [about.email];
  const went = isChosen(0.92)
    ? { delivery: 'sent', attempts: 1, sent_at: at }
    : { delivery: 'failed', attempts: 6, failure: 'The recipient’s server does not know this address.' };
  const times = { ...stamps(about, at), next_attempt_at: at };
  rows.emails.push({ ...timelineSubjectOf(about.kind, about.id), ...times, ...went, id, to, cc: [], subject, body });
  addActivity(rows, about, 'email_queued', at, { email_id: id, subject, to });
}

/** Adds activities of a lead or a deal. Deals get more open activities. */
export function addDemoActivities(rows: DemoRows, about: DemoRecord): void {
  const much = about.kind === 'deal' ? 2 : 1;
  const randomTimes = (most: number): number[] => Array.from({ length: randomNumber(0, most * much) });
  for (const _ of randomTimes(1)) addTask(rows, about);
  for (const _ of randomTimes(1)) addCall(rows, about);
  for (const _ of randomTimes(1)) addNote(rows, about);
  for (const _ of randomTimes(1)) addEmail(rows, about);
  if (about.kind === 'deal') addTask(rows, about);
}
