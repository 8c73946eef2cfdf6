/** Reminders to the owners of a workspace whose trial ends soon. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import type { Db } from '../../operations.ts';

const SCHEDULE = 'platform.trial-letters';
const INTERVAL_MS = 600_000;
const DAY_MS = 86_400_000;
const BATCH = 500;

/** Due reminder, with the maximum number of remaining trial days. */
interface DueReminder {
  workspace_id: string;
  days_before: number;
}

/**
 * Returns a query for trials without a subscription that have an unsent due reminder. Chosen: of two overdue reminders
 * only the second is sent.
 */
const dueReminders = (now: Date) => sql`
  SELECT workspaces.id AS workspace_id, days_before
  FROM workspaces JOIN entitlements ON entitlements.workspace_id = workspaces.id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN trial_ends_at <= ${new Date(now.getTime() + DAY_MS)} THEN 1 ELSE 7 END AS days_before) AS letter
  WHERE trial_ends_at > ${now} AND trial_ends_at <= ${new Date(now.getTime() + 7 * DAY_MS)}
    AND workspaces.status = 'active' AND entitlements.status = 'trialing' AND entitlements.until = trial_ends_at
    AND NOT EXISTS (SELECT FROM trial_notices AS told WHERE told.workspace_id = workspaces.id
      AND told.trial_ends_at = workspaces.trial_ends_at AND told.days_before = letter.days_before)
    AND ${isNotPostponed(SCHEDULE, sql`workspaces.id`)}
  ORDER BY trial_ends_at LIMIT ${BATCH}`;

async function queueReminders(db: Db, { workspace_id, days_before }: DueReminder): Promise<void> {
  const [about] = await db.rows<{ ends_on: string; plan: string }>(sql`
    WITH told AS (
      INSERT INTO trial_notices (trial_ends_at, days_before)
      SELECT trial_ends_at, ${days_before}::smallint FROM workspaces
      WHERE id = ${workspace_id}::uuid AND trial_ends_at IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING trial_ends_at)
    SELECT to_char(told.trial_ends_at AT TIME ZONE workspaces.timezone, 'YYYY-MM-DD') AS ends_on, plans.name AS plan
    FROM told CROSS JOIN workspaces JOIN plans ON plans.code = workspaces.plan_code
    WHERE workspaces.id = ${workspace_id}::uuid`);
  if (!about) return;
  const owners = await db.user.findMany({ where: { kind: 'owner', status: 'active' }, orderBy: { id: 'asc' } });
  for (const { id, email } of owners) await queueMail(db, 'trial_ends', id, email!, about);
}

/** Queues the due reminders, each once over all replicas. */
export async function sendTrialReminders(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const due = await findEverywhere<DueReminder>(database, SCHEDULE, dueReminders(clock.now()));
  await runDueWork(tools, SCHEDULE, due, (reminder) =>
    database.write(jobTransaction(SCHEDULE, reminder.workspace_id), (db) => queueReminders(db, reminder)),
  );
}

export const sendTrialRemindersRegularly = declareSchedule(SCHEDULE, INTERVAL_MS, sendTrialReminders);
