/** Mails to people whose timer was stopped by itself, once for each. */
import { eachDue, every, findEverywhere, notPostponed, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db } from '../operations.ts';

const SCHEDULE = 'projects.tell-stopped-timers';
const INTERVAL_MS = 60_000;
const BATCH = 20;

interface Due {
  id: string;
  workspace_id: string;
  email: string | null;
  project: string;
  started_at: Date;
  ended_at: Date;
}

const letterOf = ({ project, started_at, ended_at }: Due): string =>
  `Your timer on "${project}" ran from ${new Date(started_at).toISOString()} and was stopped by itself at ${new Date(ended_at).toISOString()}.
Please correct it if you worked less.`;

/** Tells people of timers that were stopped. What cannot be delivered is tried again. Returns how many were due. */
export async function tellStoppedTimers(tools: Pick<Tools<Db>, 'database' | 'mailer' | 'log'>): Promise<number> {
  const { database, mailer } = tools;
  const due = await findEverywhere<Due>(
    database,
    SCHEDULE,
    sql`
      SELECT time_entries.id, time_entries.workspace_id, users.email, projects.name AS project, started_at, ended_at
      FROM time_entries JOIN users ON users.workspace_id = time_entries.workspace_id AND users.id = time_entries.user_id
        JOIN projects ON projects.workspace_id = time_entries.workspace_id AND projects.id = time_entries.project_id
      WHERE mail_due AND ${notPostponed(SCHEDULE, sql`time_entries.workspace_id`, sql`time_entries.id`)} ORDER BY ended_at LIMIT ${BATCH}`,
  );
  await eachDue(tools, SCHEDULE, due, async (entry) => {
    const { id, workspace_id, email: to } = entry;
    const message_id = `<${id}@projects.suite>`;
    if (to) await mailer.send({ to, subject: 'Your timer was stopped', text: letterOf(entry), message_id });
    await database.write(scheduled(SCHEDULE, workspace_id), (db) =>
      db.rows(sql`UPDATE time_entries SET mail_due = FALSE WHERE id = ${id}::uuid`),
    );
  });
  return due.length;
}

export const mailStoppedTimers = every(SCHEDULE, INTERVAL_MS, tellStoppedTimers);
