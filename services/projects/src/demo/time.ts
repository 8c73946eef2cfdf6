/** Six weeks of time entries on the demo projects, submitted and approved weekly. */
import { randomUUIDv7 } from 'node:crypto';
import { dayAt, weekdayOf } from '@suite/time-zones';
import { sql } from '@suite/chassis/database';
import { midnight } from '@suite/chassis/fields';
import { clock } from '@suite/chassis/runtime';
import { dayOf, daysFrom, isChosen, insertRows, randomNumber, pickOne } from '@suite/demo';
import type { Db } from '../operations.ts';
import { asJson, entryAmounts, billingTermsOf, type PriceTerms } from '../time/time/time-entry.ts';
import { timeSettings, type StoredTimeSettings } from '../time/time-settings/time-settings.ts';

const DAYS = 42;
const SUBMITTED_AFTER_DAYS = 7;
const APPROVED_AFTER_DAYS = 14;
const ZONE = 'Europe/Berlin';
const HOUR_MS = 3_600_000;

/** Project or task for time entries of a user. */
interface TimeTarget {
  user_id: string;
  project_id: string;
  currency: string;
  billable: boolean;
  tasks: string[];
  terms?: PriceTerms;
}

const DESCRIPTIONS = ['Planning', 'Concept', 'Implementation', 'Review', 'Meeting with the customer', 'Corrections'];

/** Returns the members of open projects, with their tasks. */
const timeTargets = (db: Db): Promise<TimeTarget[]> =>
  db.rows<TimeTarget>(sql`
    SELECT member.user_id, project.id AS project_id, project.currency, project.billable,
      ARRAY(SELECT id::text FROM work_items WHERE project_id = project.id ORDER BY number LIMIT 30) AS tasks
    FROM project_members AS member JOIN projects AS project ON project.id = member.project_id
    WHERE member.role <> 'viewer' AND project.active AND NOT project.is_template AND project.status <> 'cancelled'
    ORDER BY project.created_at, project.id, member.user_id`);

/** Returns the status of time entries by their age. */
function statusByAge(age_days: number, approver: string | undefined) {
  const nobody = { approved_by: null, approved_at: null };
  if (approver && age_days > APPROVED_AFTER_DAYS)
    return { status: 'approved', approved_by: approver, approved_at: daysFrom(clock.now(), 7 - age_days) };
  return Object.assign({ status: age_days > SUBMITTED_AFTER_DAYS ? 'submitted' : 'stopped' }, nobody);
}

/** Creates a time entry of some hours for a user, starting on the hour. */
async function entry(
  { db, settings, approver }: { db: Db; settings: StoredTimeSettings; approver: string | undefined },
  place: TimeTarget,
  started_at: Date,
) {
  const { user_id, project_id, currency, billable } = place;
  const ended_at = new Date(started_at.getTime() + randomNumber(4, 14) * (HOUR_MS / 4));
  const local_date = dayAt(started_at.getTime(), ZONE);
  const span = { started_at, ended_at, timezone: ZONE, breaks: [], idle_seconds: 0, idle_discarded: false };
  const row = {
    id: randomUUIDv7(),
    user_id,
    project_id,
    task_id: place.tasks.length > 0 && isChosen(0.8) ? pickOne(place.tasks) : null,
    local_date,
    description: pickOne(DESCRIPTIONS),
    billable,
    own_rate: null,
    currency,
    offline_hash: null,
    billing_run_id: null,
    version: 1,
    status: 'stopped',
  };
  place.terms ??= await billingTermsOf(db, place);
  const figures = entryAmounts(Object.assign({ billable }, span), place.terms, settings);
  const age_days = Math.floor((clock.now().getTime() - started_at.getTime()) / (24 * HOUR_MS));
  const stamps = { created_by: user_id, updated_by: user_id, created_at: ended_at, updated_at: ended_at };
  const columns = { breaks: asJson([]), local_date: midnight(local_date) };
  return Object.assign({}, row, span, figures, columns, stamps, statusByAge(age_days, approver));
}

/** Adds time entries for the last six weeks of each member, at most two a day, unless there are already some. */
export async function fillTime(db: Db, approver: string | undefined): Promise<void> {
  if ((await db.timeEntry.count()) > 0) return;
  const byUser = Map.groupBy(await timeTargets(db), ({ user_id }) => user_id);
  const settings = await timeSettings(db);
  const rows = [];
  for (const [user_id, theirs] of byUser) {
    for (let day = DAYS; day > 0; day -= 1) {
      const date = dayOf(daysFrom(clock.now(), -day));
      if (weekdayOf(date.toISOString().slice(0, 10)) > 5 || isChosen(0.15)) continue;
      const by = user_id === approver ? undefined : approver;
      for (const hour of [7, 12]) {
        const context = { db, settings, approver: by };
        rows.push(await entry(context, pickOne(theirs), new Date(date.getTime() + hour * HOUR_MS)));
      }
    }
  }
  await insertRows(db, 'time_entries', rows);
}
