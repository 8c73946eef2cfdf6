/** Board of a project. The number of statements depends on the kinds of records, not on the number of cards. */
import { asCaller, join, raw, type Sql, sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { readCounts, many } from '@suite/chassis/lists';
import type { z } from 'zod';
import { type AccessibleProject, findProject } from '../../work/access/access.ts';
import { isAtLeast, isClosed } from '../../work/access/project.rules.ts';
import type { Db } from '../../operations.ts';
import { leastToCreate, type WorkItemKind } from '../../work/work-items/card.rules.ts';
import { assigneesOfMany, complete, isOverdue } from '../../work/work-items/card.view.ts';
import type { BoardRequest, TaskBoard } from './board.schema.ts';

interface BoardContext {
  db: Db;
  caller: Caller;
}
type Rows = Record<string, unknown>[];

/** Returns the SQL condition for the cards of the board. */
function filterOf(caller: Caller, request: BoardRequest): Sql {
  const { assignee_id, milestone_id, priority, tag, is_overdue, parent_id, q } = request;
  const conditions: Sql[] = [];
  if (assignee_id)
    conditions.push(
      sql`EXISTS (SELECT FROM assignees WHERE item_id = work_items.id AND user_id = ${assignee_id}::uuid)`,
    );
  if (milestone_id) conditions.push(sql`work_items.milestone_id = ${milestone_id}::uuid`);
  if (priority) conditions.push(sql`work_items.priority = ${priority}`);
  if (tag) conditions.push(sql`work_items.tags @> ARRAY[${tag}]::text[]`);
  if (parent_id) conditions.push(sql`work_items.parent_id = ${parent_id}::uuid`);
  if (is_overdue !== undefined) conditions.push(sql`(${isOverdue(caller)}) = ${is_overdue}::boolean`);
  if (q) conditions.push(sql`work_items.id IN (SELECT suite_search('work_items', ${q}))`);
  return conditions.length > 0 ? join(conditions, ' AND ') : sql`TRUE`;
}

const isFiltered = ({ type: _, stage_id: __, per_column: ___, offset: ____, ...filters }: BoardRequest): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** Returns the stages of the board. Clients and vendors get only stages with a card that they see. */
function stagesOf(caller: Caller, project_id: string, { type, stage_id }: BoardRequest): Sql {
  const conditions = [sql`stages.project_id = ${project_id}::uuid AND stages.kind = ${type}`];
  if (stage_id) conditions.push(sql`stages.id = ${stage_id}::uuid`);
  if (caller.kind === 'client') conditions.push(sql`EXISTS (SELECT FROM work_items WHERE stage_id = stages.id)`);
  return join(conditions, ' AND ');
}

/**
 * Counts checklist lines, comments and files of cards, and checks for open blockers. Uses one statement for all cards.
 */
async function countDetails(db: Db, cards: Rows): Promise<void> {
  const ids = cards.map((card) => card['id'] as string);
  if (ids.length === 0) return;
  const counted = await db.rows<{ item_id: string; what: string; count: number; done: number }>(sql`
    SELECT item_id, 'subtasks' AS what, count(*)::int AS count, (count(*) FILTER (WHERE done))::int AS done
    FROM subtasks WHERE item_id = ANY(${ids}::uuid[]) GROUP BY item_id
    UNION ALL
    SELECT item_id, 'comments', count(*)::int, 0
    FROM comments WHERE item_id = ANY(${ids}::uuid[]) AND deleted_at IS NULL GROUP BY item_id
    UNION ALL
    SELECT item_id, 'files', count(*)::int, 0 FROM files WHERE item_id = ANY(${ids}::uuid[]) GROUP BY item_id
    UNION ALL
    SELECT blockers.item_id, 'blockers', count(*)::int, 0
    FROM blockers JOIN work_items ON work_items.id = blocker_id
    WHERE blockers.item_id = ANY(${ids}::uuid[]) AND work_items."group" NOT IN ('completed', 'cancelled')
    GROUP BY blockers.item_id`);
  const found = new Map(counted.map((row) => [`${row.what} ${row.item_id}`, row]));
  for (const card of cards) {
    const countsOfCard = (what: string) => found.get(`${what} ${card['id'] as string}`) ?? { count: 0, done: 0 };
    card['subtasks'] = { done: countsOfCard('subtasks').done, total: countsOfCard('subtasks').count };
    card['comment_count'] = countsOfCard('comments').count;
    card['file_count'] = countsOfCard('files').count;
    card['blocked'] = countsOfCard('blockers').count > 0;
  }
}

const CARD = raw(
  'id, workspace_id, number, title, priority, stage_id, milestone_id, due_date, estimate_minutes, client_visible, version, rank',
);

/** Returns the requested cards of each column. */
async function readCards({ db, caller }: BoardContext, stages: Sql, request: BoardRequest): Promise<Rows> {
  const { per_column, offset } = request;
  const place = isFiltered(request) ? sql`NULL::int` : sql`(row_number() OVER (ORDER BY rank, work_items.id) - 1)::int`;
  const cards = await db.rows<Record<string, unknown>>(sql`
    SELECT card.* FROM stages CROSS JOIN LATERAL (
      SELECT ${CARD}, tracked_seconds / 60 AS tracked_minutes, (${isOverdue(caller)}) AS is_overdue, ${place} AS position
      FROM work_items WHERE work_items.stage_id = stages.id AND ${filterOf(caller, request)}
      ORDER BY rank, work_items.id LIMIT ${per_column} OFFSET ${offset}) AS card
    WHERE ${stages} ORDER BY stages.order, card.rank, card.id`);
  await complete(db, caller, request.type, cards);
  await many('item_id', assigneesOfMany(db))(cards, 'assignees');
  await countDetails(db, cards);
  return cards;
}

/** Checks that the caller may add a card to the board. */
function mayCreate({ permissions }: Caller, { active, status, role }: AccessibleProject, kind: WorkItemKind): boolean {
  const isOpen = active && !isClosed({ status });
  return isOpen && isAtLeast(role, leastToCreate(kind)) && permissions.includes(`${kind}.create`);
}

interface StageCount {
  stage_id: string;
  all: number;
  shown: number;
}

/** Counts all cards and the shown cards of each stage. */
const countCards = ({ db, caller }: BoardContext, project_id: string, request: BoardRequest): Promise<StageCount[]> =>
  readCounts<StageCount>(
    db,
    sql`
      SELECT stage_id, count(*)::int AS all, (count(*) FILTER (WHERE ${filterOf(caller, request)}))::int AS shown
      FROM work_items WHERE project_id = ${project_id}::uuid AND kind = ${request.type} GROUP BY stage_id`,
    (stages) => stages.reduce((cards, { all }) => cards + all, 0),
  );

type BoardColumn = z.input<typeof TaskBoard>['columns'][number];

/** Returns the columns of a board, without their cards. */
async function readColumns(context: BoardContext, project_id: string, request: BoardRequest) {
  const stages = await context.db.rows<Omit<BoardColumn, 'tasks' | 'count' | 'over_limit'>>(sql`
    SELECT id, name, color, "group", "order", wip_limit FROM stages
    WHERE ${stagesOf(context.caller, project_id, request)} ORDER BY "order"`);
  const cards = await countCards(context, project_id, request);
  return stages.map((stage) => {
    const { all, shown } = cards.find(({ stage_id }) => stage_id === stage.id) ?? { all: 0, shown: 0 };
    return { ...stage, count: shown, over_limit: typeof stage.wip_limit === 'number' && all > stage.wip_limit };
  });
}

/** Returns the board of a project. @throws NotFound; Forbidden for bugs without the permission to see them */
export async function showBoard(
  context: BoardContext,
  project_id: string,
  request: BoardRequest,
): Promise<z.input<typeof TaskBoard>> {
  const { caller } = context;
  const permission = `${request.type}.view`;
  if (!caller.permissions.includes(permission)) throw Forbidden({ permission });
  return await asCaller(async () => {
    const project = await findProject(context, project_id);
    const columns = await readColumns(context, project_id, request);
    const cards = await readCards(context, stagesOf(caller, project_id, request), request);
    const inColumns = Map.groupBy(cards, (card) => card['stage_id']);
    const { id, code, name, status } = project;
    return {
      project: { id, code, name, status, allowed_actions: mayCreate(caller, project, request.type) ? ['create'] : [] },
      columns: columns.map((column) => ({ ...column, tasks: (inColumns.get(column.id) ?? []) as never })),
    };
  });
}
