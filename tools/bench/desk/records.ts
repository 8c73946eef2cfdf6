/**
 * A team's desk: projects with tasks and boards, and tickets. The rows are written directly to the databases of the
 * services.
 */
import type { Suite } from '@suite/local/suite';
import type pg from 'pg';
import type { Business } from '../fixture/business.ts';
import { readJson } from '../fixture/ask.ts';
import { BOARD_CARDS } from '../fixture/board-cards.ts';
import { withConnection } from '../fixture/connect.ts';
import { idAt, withoutIndexes } from '../fixture/without-indexes.ts';

/** The records of one workspace that are measured. */
export interface Desk {
  /** A project with all of the tasks. */
  project_id: string;
  /** A project with a board of 500 cards. */
  board_id: string;
}

/**
 * Inserts $4 tasks of the user $3 into project $2 of workspace $1. Every second task has an assignee. The stage
 * `Cancelled` stays empty.
 */
const TASKS = [
  `CREATE TEMP TABLE made AS
   SELECT n, ${idAt('at', `md5('task' || n || $2::text)`)} AS id, at
   FROM generate_series(1, $1::int) AS n
     CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '300 days' * (1 - n / $1::float)) AS at) AS times`,
  `INSERT INTO work_items (id, workspace_id, kind, project_id, number, title, stage_id, stage_since, "group", rank, due_date,
     completed_at, created_by, updated_by, created_at, updated_at)
   SELECT made.id, $1::uuid, 'task', $2::uuid, n, 'Task ' || n, stages.id, at, stages."group", n, (at + interval '30 days')::date,
     CASE stages."group" WHEN 'completed' THEN at END, $3::uuid, $3::uuid, at, at
   FROM made JOIN stages ON stages.project_id = $2::uuid AND stages.kind = 'task' AND stages."order" = n % 5`,
  `INSERT INTO assignees (workspace_id, item_id, user_id) SELECT $1::uuid, id, $3::uuid FROM made WHERE n % 2 = 0 AND $2::uuid IS NOT NULL`,
  `UPDATE projects SET last_number = counted.n, countable_tasks = counted.n, completed_tasks = counted.done
   FROM (SELECT count(*)::int AS n, (count(*) FILTER (WHERE "group" = 'completed'))::int AS done FROM work_items
     WHERE project_id = $2::uuid) AS counted WHERE workspace_id = $1::uuid AND id = $2::uuid AND $3::uuid IS NOT NULL`,
  'DROP TABLE made',
];

/**
 * Inserts $2 tickets into workspace $1, as e-mails of unknown senders. Four of five are open, and half of the open ones
 * are due, the newest last.
 */
const TICKETS = `
  INSERT INTO tickets (id, workspace_id, number, subject, description, requester_name, requester_email, status, public_status,
    channel, resolved_at, next_due_at, created_at, updated_at, public_updated_at)
  SELECT ${idAt('at', `md5('ticket' || n || $1::text)`)}, $1::uuid, 'T-' || lpad(n::text, greatest(6, length(n::text)), '0'), 'Help ' || n,
    'It blinks.', 'Rita ' || n, 'rita' || n % 5000 || '@example.com', CASE WHEN is_over THEN 'resolved' ELSE 'open' END,
    CASE WHEN is_over THEN 'resolved' ELSE 'open' END, 'api', CASE WHEN is_over THEN at END,
    CASE WHEN NOT is_over AND n % 2 = 0 THEN date_trunc('milliseconds', now()) + (n + 3600) * interval '1 second' END, at, at, at
  FROM generate_series(1, $2::int) AS n
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '300 days' * (1 - n / $2::float)) AS at, n % 5 = 0 AS is_over) AS facts`;

async function fillTasks(client: pg.Client, { workspace_id, user_id }: Business, project_id: string, count: number) {
  const [make = '', ...fill] = TASKS;
  await client.query(make.replaceAll('$2', `'${project_id}'`), [count]);
  for (const statement of fill.slice(0, -1)) await client.query(statement, [workspace_id, project_id, user_id]);
  await client.query(fill.at(-1) ?? '');
}

/** Creates a project with the given number of tasks, another with a full board, and as many tickets. */
export async function openDesk(suite: Suite, business: Business, rows: number): Promise<Desk> {
  const headers = { authorization: await business.authorization(), 'content-type': 'application/json' };
  const make = async (path: string, body: object): Promise<string> => {
    const url = `${String(suite.processes['gateway']?.url)}${path}`;
    const { data } = await readJson(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return String(data['id']);
  };
  const project_id = await make('/api/projects/create', { name: 'Website', status: 'in_progress' });
  const board_id = await make('/api/projects/create', { name: 'Shop', status: 'in_progress' });
  await withConnection(String(suite.databases['projects']), (client) =>
    withoutIndexes(client, ['work_items', 'assignees', 'projects'], async () => {
      await fillTasks(client, business, project_id, rows);
      await fillTasks(client, business, board_id, BOARD_CARDS);
    }),
  );
  await withConnection(String(suite.databases['support']), (client) =>
    withoutIndexes(client, ['tickets'], async () => {
      await client.query(TICKETS, [business.workspace_id, rows]);
      await client.query(`INSERT INTO number_counters (workspace_id, type, year, last) VALUES ($1, 'ticket', 0, $2)`, [
        business.workspace_id,
        rows,
      ]);
    }),
  );
  return { project_id, board_id };
}
