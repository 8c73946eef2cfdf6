/** The daily mail: everything that somebody wants to be told of once a day, at 07:00 in their zone. */
import { randomUUIDv7 } from 'node:crypto';
import { dayAt } from '@suite/wall-clock';
import {
  clock,
  eachDue,
  every,
  findEverywhere,
  notPostponed,
  scheduled,
  sql,
  type Tools,
  today,
  shareOut,
} from '@suite/chassis';
import type { Db } from '../operations.ts';
import { nextMorning } from './morning.rules.ts';
import { ownSettings } from './notification-settings.ts';
import { KINDS } from './notification.schema.ts';

const SCHEDULE = 'projects.daily-mail';
const INTERVAL_MS = 60_000;
const BATCH = 200;
const KEPT_DAYS = 90;

/** A user whose daily mail is due. */
interface Waking {
  id: string;
  workspace_id: string;
  /** When it came; null for somebody whose first one is still to be determined. */
  digest_at: Date | null;
}

/** Notes down what became due since the last morning. Chosen: also for who wants it at once, since nobody wants it at midnight. */
const noteDue = (db: Db, user_id: string, from: string, through: string): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO notifications (id, user_id, kind, item_id, due_date)
    SELECT suite_uuid7(), assignees.user_id, 'due', work_items.id, work_items.due_date
    FROM assignees JOIN work_items ON work_items.id = assignees.item_id JOIN projects ON projects.id = work_items.project_id
    WHERE assignees.user_id = ${user_id}::uuid AND work_items."group" NOT IN ('completed', 'cancelled')
      AND work_items.due_date BETWEEN ${from}::date AND ${through}::date
      AND projects.active AND NOT projects.is_template AND projects.status NOT IN ('finished', 'cancelled')
    ON CONFLICT (workspace_id, user_id, item_id, due_date) DO NOTHING`);

/** Puts what waits into mails: all of it into one, and what is due into one each for who wants it at once. */
async function queueWaiting(db: Db, user_id: string): Promise<void> {
  const chosen = await ownSettings(db, user_id);
  const refused = KINDS.filter((kind) => chosen[kind] === 'none');
  await db.notification.deleteMany({ where: { user_id, mail_id: null, kind: { in: refused } } });
  const waiting = await db.notification.findMany({ where: { user_id, mail_id: null }, orderBy: { id: 'asc' } });
  const isAlone = ({ kind }: { kind: string }) => kind === 'due' && chosen.due === 'at_once';
  const together = waiting.filter((row) => !isAlone(row));
  const groups = [...(together.length > 0 ? [together] : []), ...waiting.filter(isAlone).map((row) => [row])];
  for (const rows of groups) {
    const id = randomUUIDv7();
    await db.mail.createMany({ data: [{ id, user_id, kind: rows === together ? 'daily' : 'news' }] });
    await db.notification.updateMany({ where: { id: { in: rows.map((row) => row.id) } }, data: { mail_id: id } });
  }
}

/** Sees to somebody's morning, once however many try. After an outage the mornings that were missed are one. */
async function wake(db: Db, { id, digest_at }: Waking): Promise<void> {
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
  if (due !== 'none') await noteDue(db, id, dayAt(new Date(digest_at).getTime(), workspace), today(workspace));
  await queueWaiting(db, id);
  const old = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.mail.deleteMany({ where: { user_id: id, delivery: { not: 'queued' }, created_at: { lt: old } } });
}

/** Queues the daily mails of everybody whose morning has come. Returns how many there were. */
export async function queueDailyMail(tools: Pick<Tools<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const waking = await findEverywhere<Waking>(
    database,
    SCHEDULE,
    shareOut(
      sql`
      SELECT id, workspace_id, digest_at FROM users
      WHERE status = 'active' AND kind <> 'vendor' AND (digest_at IS NULL OR digest_at <= ${clock.now()})
        AND ${notPostponed(SCHEDULE, sql`workspace_id`, sql`id`)}`,
      sql`digest_at NULLS FIRST, id`,
      BATCH,
    ),
  );
  await eachDue(tools, SCHEDULE, waking, (user) =>
    database.write(scheduled(SCHEDULE, user.workspace_id), (db) => wake(db, user)),
  );
  return waking.length;
}

export const dailyMail = every(SCHEDULE, INTERVAL_MS, async (tools: Tools<Db>) => {
  while ((await queueDailyMail(tools)) === BATCH);
});
