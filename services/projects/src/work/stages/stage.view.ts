/** Views of stages, with the number of cards that the caller sees. */
import { asCaller, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, type Page, paginate } from '@suite/chassis/lists';
import type { z } from 'zod';
import { readWholeProjects, visibleKinds } from '../access/access.ts';
import type { Db } from '../../operations.ts';
import { stageActions } from './stage.rules.ts';
import type { Stage } from './stage.schema.ts';

/** Kind of the cards on a board: tasks or bugs. */
export type CardKind = 'task' | 'bug';

type StageRow = z.input<typeof Stage>;

/** Counts the visible cards of stages in one statement, for tasks or bugs, if the caller may see such cards. */
async function addCounts(db: Db, caller: Caller, rows: StageRow[], kind?: CardKind): Promise<StageRow[]> {
  const kinds = visibleKinds(caller);
  const counted = rows.filter((row) => kinds.includes(kind ?? row.kind)).map(({ id }) => id);
  const counts =
    counted.length === 0
      ? []
      : await readWholeProjects(() =>
          db.rows<{ stage_id: string; count: number }>(sql`
            SELECT stage_id, count(*) AS count FROM work_items WHERE stage_id = ANY(${counted}::uuid[]) GROUP BY stage_id`),
        );
  const found = new Map(counts.map(({ stage_id, count }) => [stage_id, count]));
  for (const row of rows) row.count = found.get(row.id) ?? 0;
  return rows;
}

/** Returns a page of the stages of tasks or of bugs. */
export async function listStages(db: Db, caller: Caller, request: ListRequest, kind: CardKind): Promise<Page> {
  const found = await paginate(db, request, {
    table: 'stages',
    where: sql`stages.kind = ${kind}`,
    compute: { count: sql`0` },
  });
  await addCounts(db, caller, found.rows as StageRow[], kind);
  return found;
}

/** Returns a page of bug stages for selection: of the given project, or of the workspace. */
export function pickBugStages(db: Db, request: ListRequest): Promise<Page> {
  const ofProject = request.filters.some(({ column }) => column === 'project_id');
  const where = ofProject ? sql`stages.kind = 'bug'` : sql`stages.kind = 'bug' AND stages.project_id IS NULL`;
  return paginate(db, request, { table: 'stages', where });
}

const columns = (
  caller: Caller,
) => sql`id, kind, project_id, name, color, "order", "group", is_default, wip_limit, created_by, updated_by,
  created_at, updated_at, version, ${stageActions.shownTo(caller, 'stages')} AS allowed_actions`;

/** Returns the stages of projects for expansions, task stages before bug stages. */
export const stagesOf = (db: Db, caller: Caller): Expansion =>
  many('project_id', async (ids) =>
    addCounts(
      db,
      caller,
      await db.rows(sql`
        SELECT ${columns(caller)} FROM stages WHERE project_id = ANY(${ids}::uuid[]) ORDER BY kind DESC, "order"`),
    ),
  );

/** Returns stages after a change, in their order. */
export const readStages = (db: Db, caller: Caller, ids: readonly string[]): Promise<StageRow[]> =>
  asCaller(async () =>
    addCounts(
      db,
      caller,
      await db.rows(sql`SELECT ${columns(caller)} FROM stages WHERE id = ANY(${ids}::uuid[]) ORDER BY "order"`),
    ),
  );
