/** Daily e-mail with all notifications that a user wants once a day, at 07:00 in their time zone. */
import { randomUUIDv7 } from 'node:crypto';
import { dayAt } from '@suite/time-zones';
import { sql } from '@suite/chassis/database';
import { clock, today } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { nextMorning } from './morning.rules.ts';
import { ownSettings } from './notification-settings.ts';
import { KINDS } from './notification.schema.ts';

const SCHEDULE = 'projects.daily-mail';
const INTERVAL_MS = 60_000;
const BATCH = 200;
const RETENTION_DAYS = 90;

/** User whose daily e-mail is due. */
interface DailyMailRecipient {
  id: string;
  workspace_id: string;
  /** Due time of the e-mail. Null if the first one is not determined yet. */
  digest_at: Date | null;
}

/**
 * Records cards that became due since the last morning. Chosen: this also covers users who want immediate
 * notifications, because midnight is not a useful time.
 */
const recordDueNotification = (db: Db, user_id: string, from: string, through: string): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO notifications (id, user_id, kind, item_id, due_date)
    SELECT suite_uuid7(), assignees.user_id, 'due', work_items.id, work_items.due_date
    FROM assignees JOIN work_items ON work_items.id = assignees.item_id JOIN projects ON projects.id = work_items.project_id
    WHERE assignees.user_id = ${user_id}::uuid AND work_items."group" NOT IN ('completed', 'cancelled')
      AND work_items.due_date BETWEEN ${from}::date AND ${through}::date
      AND projects.active AND NOT projects.is_template AND projects.status NOT IN ('finished', 'cancelled')
    ON CONFLICT (workspace_id, user_id, item_id, due_date) DO NOTHING`);

/**
 * Queues pending notifications as e-mails: one e-mail for all, and one for each due card if the user wants immediate
 * notifications.
 */
async function queueWaiting(db: Db, user_id: string): Promise<void> {
  const chosen = await ownSettings(db, user_id);
  const refused = KINDS.filter((kind) => chosen[kind] === 'none');
  await db.notification.deleteMany({ where: { user_id, mail_id: null, kind: { in: refused } } });
  const waiting = await db.notification.findMany({ where: { user_id, mail_id: null }, orderBy: { id: 'asc' } });
  const isImmediate = ({ kind }: { kind: string }) => kind === 'due' && chosen.due === 'at_once';
  const together = waiting.filter((row) => !isImmediate(row));
  const groups = [...(together.length > 0 ? [together] : []), ...waiting.filter(isImmediate).map((row) => [row])];
  for (const rows of groups) {
    const id = randomUUIDv7();
    await db.mail.createMany({ data: [{ id, user_id, kind: rows === together ? 'daily' : 'news' }] });
    await db.notification.updateMany({ where: { id: { in: rows.map((row) => row.id) } }, data: { mail_id: id } });
  }
}

/**
 * Processes the morning of a user, once across all replicas. After an outage, the missed mornings result in one e-mail.
 */
async function sendReminders(db: Db, { id, digest_at }: DailyMailRecipient): Promise<void> {
  const now = clock.now();
  const [zones] = await db.rows<{ own: string | null; workspace: string }>(sql`
    SELECT zone AS own, (SELECT timezone FROM settings) AS workspace FROM users WHERE id = ${id}::uuid`);
  const workspace = zones?.workspace ?? 'UTC';
  const next = nextMorning(now, zones?.own ?? workspace);
  const [turn] = await db.rows(sql`
    UPDATE users SET digest_at = ${next}::timestamptz
    WHERE id = ${id}::uuid AND digest_at IS NOT DISTINCT FROM ${digest_at}::timestamptz RETURNING id`);
  if (!turn || !digest_at) return;
  const { due } = await ownSettings(db, id);
  if (due !== 'none')
    await recordDueNotification(db, id, dayAt(new Date(digest_at).getTime(), workspace), today(workspace));
  await queueWaiting(db, id);
  const old = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  await db.mail.deleteMany({ where: { user_id: id, delivery: { not: 'queued' }, created_at: { lt: old } } });
}

/** Queues the daily e-mails of all users whose morning has come. Returns their number. */
export async function queueDailyMail(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const waking = await findEverywhere<DailyMailRecipient>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`
      SELECT id, workspace_id, digest_at FROM users
      WHERE status = 'active' AND kind <> 'vendor' AND (digest_at IS NULL OR digest_at <= ${clock.now()})
        AND ${isNotPostponed(SCHEDULE, sql`workspace_id`, sql`id`)}`,
      sql`digest_at NULLS FIRST, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, waking, (user) =>
    database.write(jobTransaction(SCHEDULE, user.workspace_id), (db) => sendReminders(db, user)),
  );
  return waking.length;
}

export const dailyMail = declareSchedule(SCHEDULE, INTERVAL_MS, async (tools: JobContext<Db>) => {
  while ((await queueDailyMail(tools)) === BATCH);
});
