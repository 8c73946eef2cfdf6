/** Positions on a board: the stage of a task or a bug, and the rank in it. */
import { asCaller, type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { rankBelow } from '@suite/chassis/ranks';
import type { AccessibleProject } from '../access/access.ts';
import type { Db } from '../../operations.ts';
import { WipLimit, type WorkItemKind } from './card.rules.ts';

export interface PlacingStage {
  id: string;
  name: string;
  color: string;
  group: string;
  wip_limit: number | null;
}

/** Returns the given stage of the project, or its default stage for new cards. Undefined if there is none. */
export async function findStage(
  db: Db,
  kind: WorkItemKind,
  project_id: string,
  stage_id: string | undefined,
): Promise<PlacingStage | undefined> {
  const [stage] = await db.rows<PlacingStage>(sql`
    SELECT id, name, color, "group", wip_limit FROM stages
    WHERE project_id = ${project_id}::uuid AND kind = ${kind}
      AND ${stage_id ? sql`id = ${stage_id}::uuid` : sql`is_default`}`);
  return stage;
}

/** Checks that the stage exists. @throws a 422 for `stage_id` */
export function assertStage(stage: PlacingStage | undefined): asserts stage {
  if (!stage) throw invalid('stage_id', 'Stage not found in this project.');
}

/** Returns the stage like `findStage`. @throws a 422 for `stage_id` */
export async function stageIn(...which: Parameters<typeof findStage>): Promise<PlacingStage> {
  const stage = await findStage(...which);
  assertStage(stage);
  return stage;
}

/** SQL for a rank after all others. */
export const lastPlace = sql`nextval('board_rank')::numeric`;

const rankOf = async (db: Db, place: Sql): Promise<string> =>
  (await db.rows<{ rank: string }>(sql`SELECT ${place} AS rank`))[0]!.rank;
const firstRank = (db: Db) => rankOf(db, sql`(- nextval('board_rank'))::numeric`);

/**
 * Returns the rank for a position in a stage, counted over the cards that the caller sees. Defaults to the end. The
 * project must be locked for update, so that no other transaction places a card there.
 */
export async function rankAt(
  db: Db,
  { stage_id, item_id, position }: { stage_id: string; item_id: string; position: number | undefined },
): Promise<string> {
  if (position === undefined) return await rankOf(db, lastPlace);
  if (position === 0) return await firstRank(db);
  const others = sql`stage_id = ${stage_id}::uuid AND id <> ${item_id}::uuid`;
  const [above] = await asCaller(() =>
    db.rows<{ id: string }>(sql`
      SELECT id FROM (
        SELECT rank, id FROM work_items WHERE ${others} ORDER BY rank, id LIMIT ${position}
      ) AS visible_above ORDER BY rank DESC, id DESC LIMIT 1`),
  );
  if (!above) return await firstRank(db);
  // Behind the last card, the rank is the rank of a new card. A rank just behind the last card would precede later
  // cards.
  return await rankBelow({ db, cards: sql`work_items`, others }, above.id, () => rankOf(db, lastPlace));
}

/**
 * Checks the limit of a stage for one more card. The project must be locked for update.
 * @returns true if the stage then exceeds its limit and the project permits it
 * @throws WipLimit
 */
export async function exceedsLimit(
  db: Db,
  { wip_policy }: AccessibleProject,
  { id, wip_limit }: PlacingStage,
): Promise<boolean | undefined> {
  if (wip_limit === null) return undefined;
  const [{ count } = { count: 0 }] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM work_items WHERE stage_id = ${id}::uuid`);
  if (count < wip_limit) return false;
  if (wip_policy === 'refuse') throw WipLimit({ limit: wip_limit, count });
  return true;
}

/** Returns the columns of an item that enters a stage. */
export const stageColumns = (stage: PlacingStage, before?: { group: string; completed_at: Date | null }) => ({
  stage_id: stage.id,
  group: stage.group,
  stage_since: clock.now(),
  completed_at: stage.group !== 'completed' ? null : before?.group === 'completed' ? before.completed_at : clock.now(),
});
