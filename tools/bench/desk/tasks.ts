/** Hand-written tasks baseline: their list and their board, and a new one with the next number of its project. */
import { randomUUIDv7 } from 'node:crypto';
import { childSettings } from '../load/child-process.ts';
import {
  announce,
  lister,
  poolOf,
  RECORD,
  type Row,
  TODAY,
  transaction,
  user_id,
  workspace_id,
} from '../by-hand/program.ts';

const { projects_url, project_id } = childSettings<{ projects_url: string; project_id: string }>();
const projects = poolOf(projects_url);

const IS_OVERDUE = `coalesce(record.due_date < ${TODAY}, FALSE) AND record."group" NOT IN ('completed', 'cancelled') AS is_overdue`;
const TASK = `record.id, record.project_id, record.number, record.title, record.description, record.priority, record.stage_id,
  record."group", record.stage_since, record.milestone_id, record.start_date, record.due_date, ${IS_OVERDUE},
  record.estimate_minutes, record.tracked_seconds / 60 AS tracked_minutes, record.tags, record.client_visible,
  record.billable, record.external_id, record.completed_at, record.parent_id, record.recurrence, record.series_id, ${RECORD}`;

/** Lists the tasks of the project in the settings. */
export const tasks = lister(
  projects,
  'work_items',
  `kind = 'task' AND project_id = '${project_id}'`,
  `SELECT ${TASK}, project.code || '-' || record.number AS key
   FROM chosen AS record JOIN projects AS project ON project.id = record.project_id`,
  (row: Row) => row,
);

const COLUMNS = `
  SELECT stages.id, name, color, "group", "order", wip_limit, coalesce(cards.shown, 0) AS count,
    coalesce(cards.shown > wip_limit, FALSE) AS over_limit
  FROM stages LEFT JOIN (
    SELECT stage_id, count(*)::int AS shown FROM work_items WHERE workspace_id = $1 AND project_id = $2 AND kind = 'task' GROUP BY stage_id
  ) AS cards ON cards.stage_id = stages.id
  WHERE workspace_id = $1 AND project_id = $2 AND kind = 'task' ORDER BY "order"`;

const CARDS = `
  SELECT card.* FROM stages CROSS JOIN LATERAL (
    SELECT id, number, title, priority, stage_id, milestone_id, due_date, estimate_minutes, client_visible, version, rank,
      tracked_seconds / 60 AS tracked_minutes, ${IS_OVERDUE}, (row_number() OVER (ORDER BY rank, id) - 1)::int AS position
    FROM work_items AS record WHERE workspace_id = $1 AND stage_id = stages.id ORDER BY rank, id LIMIT $3) AS card
  WHERE workspace_id = $1 AND project_id = $2 AND kind = 'task' ORDER BY stages."order", card.rank, card.id`;

const ASSIGNEES = `
  SELECT item_id, users.id, users.name, users.avatar_url FROM assignees JOIN users ON users.id = assignees.user_id
  WHERE assignees.workspace_id = $1 AND item_id = ANY($2) ORDER BY users.name, users.id`;

const BELONGINGS = `
  SELECT item_id, 'subtasks' AS what, count(*)::int AS count, (count(*) FILTER (WHERE done))::int AS done
  FROM subtasks WHERE workspace_id = $1 AND item_id = ANY($2) GROUP BY item_id
  UNION ALL SELECT item_id, 'comments', count(*)::int, 0
  FROM comments WHERE workspace_id = $1 AND item_id = ANY($2) AND deleted_at IS NULL GROUP BY item_id
  UNION ALL SELECT item_id, 'files', count(*)::int, 0 FROM files WHERE workspace_id = $1 AND item_id = ANY($2) GROUP BY item_id
  UNION ALL SELECT blockers.item_id, 'blockers', count(*)::int, 0 FROM blockers JOIN work_items ON work_items.id = blocker_id
  WHERE blockers.workspace_id = $1 AND blockers.item_id = ANY($2) AND "group" NOT IN ('completed', 'cancelled') GROUP BY blockers.item_id`;

interface Card {
  id: string;
  stage_id: string;
  number: number;
}

/** Returns the board of a project. */
export async function board(id: string, per_column: number) {
  const [project, columns, cards] = await Promise.all([
    projects.query<{ code: string }>(
      'SELECT id, code, name, status FROM projects WHERE workspace_id = $1 AND id = $2',
      [workspace_id, id],
    ),
    projects.query<{ id: string }>(COLUMNS, [workspace_id, id]),
    projects.query<Card>(CARDS, [workspace_id, id, per_column]),
  ]);
  const ids = cards.rows.map((card) => card.id);
  const [people, belongings] = await Promise.all([
    projects.query<{ item_id: string; id: string; name: string; avatar_url: string | null }>(ASSIGNEES, [
      workspace_id,
      ids,
    ]),
    projects.query<{ item_id: string; what: string; count: number; done: number }>(BELONGINGS, [workspace_id, ids]),
  ]);
  const assigned = Map.groupBy(people.rows, ({ item_id }) => item_id);
  const counted = new Map(belongings.rows.map((row) => [`${row.what} ${row.item_id}`, row]));
  const { code } = project.rows[0]!;
  const shown = cards.rows.map(({ number, rank: _, ...card }: Card & { rank?: string }) => {
    const of = (what: string) => counted.get(`${what} ${card.id}`) ?? { count: 0, done: 0 };
    return {
      ...card,
      number,
      key: `${code}-${number}`,
      assignees: (assigned.get(card.id) ?? []).map(({ id: person, name, avatar_url }) => ({
        id: person,
        name,
        avatar_url,
      })),
      subtasks: { done: of('subtasks').done, total: of('subtasks').count },
      comment_count: of('comments').count,
      file_count: of('files').count,
      blocked: of('blockers').count > 0,
    };
  });
  const inColumns = Map.groupBy(shown, ({ stage_id }) => stage_id);
  return {
    project: { ...project.rows[0], allowed_actions: ['create'] },
    columns: columns.rows.map((column) => ({ ...column, tasks: inColumns.get(column.id) ?? [] })),
  };
}

const INSERT = `
  WITH counted AS (
    UPDATE projects SET last_number = last_number + 1, countable_tasks = countable_tasks + 1
    WHERE workspace_id = $1 AND id = $2 AND active AND status NOT IN ('finished', 'cancelled') RETURNING id, last_number)
  INSERT INTO work_items AS record (id, workspace_id, kind, project_id, number, title, description, due_date, stage_id, "group", rank)
  SELECT $3, $1, 'task', id, last_number, $4, $5, $6, $7, $8, nextval('board_rank') FROM counted RETURNING ${TASK}`;

/** The body of a new task. */
export interface NewTask {
  title: string;
  description: string;
  due_date: string;
}

/** Writes the rows of a new task: its number, its followers, its first stage, the history and the event. */
export const createTask = (inside: string, { title, description, due_date }: NewTask) =>
  transaction(projects, 'tasks.create', async (client) => {
    const { rows: found } = await client.query<{ code: string }>(
      'SELECT code FROM projects WHERE workspace_id = $1 AND id = $2',
      [workspace_id, inside],
    );
    const { rows: stages } = await client.query<{ id: string; name: string; color: string; group: string }>(
      `SELECT id, name, color, "group" FROM stages WHERE workspace_id = $1 AND project_id = $2 AND kind = 'task' AND is_default`,
      [workspace_id, inside],
    );
    const [stage] = stages;
    if (!stage) throw new Error('No stage for new tasks found.');
    const id = randomUUIDv7();
    const { rows } = await client.query<{ number: number }>(INSERT, [
      workspace_id,
      inside,
      id,
      title,
      description,
      due_date,
      stage.id,
      stage.group,
    ]);
    const key = `${found[0]?.code}-${rows[0]?.number}`;
    await client.query('INSERT INTO watchers (workspace_id, item_id, user_id) VALUES ($1, $2, $3)', [
      workspace_id,
      id,
      user_id,
    ]);
    await client.query(
      `INSERT INTO stage_changes (id, workspace_id, project_id, item_id, to_stage_id, to_group, seconds_in_from)
       VALUES ($1, $2, $3, $4, $5, $6, 0)`,
      [randomUUIDv7(), workspace_id, inside, id, stage.id, stage.group],
    );
    await client.query(
      `INSERT INTO activities (id, workspace_id, project_id, verb, object_type, object_id, object_label)
       VALUES ($1, $2, $3, 'created', 'task', $4, $5)`,
      [randomUUIDv7(), workspace_id, inside, id, `${key} ${title}`],
    );
    const { rows: above } = await client.query<{ position: number }>(
      `SELECT count(*)::int AS position FROM work_items AS above JOIN work_items AS made ON made.id = $3
       WHERE above.workspace_id = $1 AND above.stage_id = $2 AND (above.rank, above.id) < (made.rank, made.id)`,
      [workspace_id, stage.id, id],
    );
    const data = { task_id: id, project_id: inside, key, title, stage_id: stage.id, assignee_ids: [] };
    await announce(client, [{ type: 'projects.task.created', aggregate_id: id, data }]);
    const actions = ['update', 'move', 'delete'];
    return { ...rows[0], key, assignees: [], stage, milestone: null, ...above[0], allowed_actions: actions };
  });
