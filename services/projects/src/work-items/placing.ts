/** Places on a board: in which stage a task or a bug lies, and where in it. */
import { asSeen, clock, invalid, type Sql, sql } from '@suite/chassis';
import { rankBelow } from '@suite/ranks';
import type { EnteredProject } from '../access/access.ts';
import type { Db } from '../operations.ts';
import { WipLimit, type WorkItemKind } from './card.rules.ts';

export interface StageRow {
  id: string;
  name: string;
  color: string;
  group: string;
  wip_limit: number | null;
}

/** The stage of the project that is named, or the one that new cards go to, if there is such a stage. */
export async function findStage(
  db: Db,
  kind: WorkItemKind,
  project_id: string,
  stage_id: string | undefined,
): Promise<StageRow | undefined> {
  const [stage] = await db.rows<StageRow>(sql`
    SELECT id, name, color, "group", wip_limit FROM stages
    WHERE project_id = ${project_id}::uuid AND kind = ${kind}
      AND ${stage_id ? sql`id = ${stage_id}::uuid` : sql`is_default`}`);
  return stage;
}

/** @throws a 422 for `stage_id` */
export function assertStage(stage: StageRow | undefined): asserts stage {
  if (!stage) throw invalid('stage_id', 'The project has no such stage.');
}

/** The same as `findStage`. @throws a 422 for `stage_id` */
export async function stageIn(...which: Parameters<typeof findStage>): Promise<StageRow> {
  const stage = await findStage(...which);
  assertStage(stage);
  return stage;
}

/** A rank behind all others, in a statement. */
export const lastPlace = sql`nextval('board_rank')::numeric`;

const rankOf = async (db: Db, place: Sql): Promise<string> =>
  (await db.rows<{ rank: string }>(sql`SELECT ${place} AS rank`))[0]!.rank;
const firstRank = (db: Db) => rankOf(db, sql`(- nextval('board_rank'))::numeric`);

/**
 * The rank of a card at a position of a stage, counted over the cards that the caller sees there; at the end without one. The
 * project must be locked for update, so that nobody else puts a card there.
 */
export async function rankAt(
  db: Db,
  { stage_id, item_id, position }: { stage_id: string; item_id: string; position: number | undefined },
): Promise<string> {
  if (position === undefined) return await rankOf(db, lastPlace);
  if (position === 0) return await firstRank(db);
  const others = sql`stage_id = ${stage_id}::uuid AND id <> ${item_id}::uuid`;
  const [above] = await asSeen(() =>
    db.rows<{ id: string }>(sql`
      SELECT id FROM (
        SELECT rank, id FROM work_items WHERE ${others} ORDER BY rank, id LIMIT ${position}
      ) AS visible_above ORDER BY rank DESC, id DESC LIMIT 1`),
  );
  if (!above) return await firstRank(db);
  // Behind the last card, as a new one: a rank just behind it would stay in front of those that come later.
  return await rankBelow({ db, cards: sql`work_items`, others }, above.id, () => rankOf(db, lastPlace));
}

/**
 * Makes sure that a stage takes one more card. The project must be locked for update.
 * @returns whether it has more than its limit then, which the project permits
 * @throws WipLimit
 */
export async function takesOneMore(
  db: Db,
  { wip_policy }: EnteredProject,
  { id, wip_limit }: StageRow,
): Promise<boolean | undefined> {
  if (wip_limit === null) return undefined;
  const [{ count } = { count: 0 }] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM work_items WHERE stage_id = ${id}::uuid`);
  if (count < wip_limit) return false;
  if (wip_policy === 'refuse') throw WipLimit({ limit: wip_limit, count });
  return true;
}

/** The columns of one that comes into a stage. */
export const columnsIn = (stage: StageRow, before?: { group: string; completed_at: Date | null }) => ({
  stage_id: stage.id,
  group: stage.group,
  stage_since: clock.now(),
  completed_at: stage.group !== 'completed' ? null : before?.group === 'completed' ? before.completed_at : clock.now(),
});
