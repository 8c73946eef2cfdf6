/** A board: the stages of a pipeline as columns, leads or deals as cards. Both kinds move by the same rules. */
import { type Caller, type Emit, invalid, raw, type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

export type Kind = 'lead' | 'deal';
export type StageType = 'open' | 'ongoing' | 'on_hold' | 'won' | 'lost';

/** What differs between the board of leads and the board of deals. */
export interface Board {
  kind: Kind;
  /** The status that a card has in a stage of this type. */
  outcomeOf(type: StageType): string;
  /** Which cards are on show; a converted lead has left the board. */
  onShow: Sql;
  /** Which cards the caller may see. */
  visible(caller: Caller): Sql;
  /** What a column shows of its cards. */
  figures(caller: Caller): Record<string, Sql>;
  announceMove(emit: Emit, id: string, from_stage_id: string, to_stage_id: string): void;
}

/** The names of a board's tables and of the column that points at a card. */
export const namesOf = ({ kind }: { kind: Kind }) => ({
  cards: `${kind}s` as const,
  stages: `${kind}_stages` as const,
  key: `${kind}_id` as const,
});

/** The stages of a board. Both kinds have the same columns, but for `probability`; only here the compiler is told so. */
export const stagesOf = (db: Db, { kind }: { kind: Kind }): Db['leadStage'] =>
  kind === 'lead' ? db.leadStage : (db.dealStage as unknown as Db['leadStage']);

export interface Stage {
  id: string;
  pipeline_id: string;
  name: string;
  type: StageType;
}

/** Where a new card goes: the stage that it names, else the first one of the pipeline that it names, else of the default. */
export async function stageForNew(
  db: Db,
  board: Board,
  { pipeline_id, stage_id }: { pipeline_id?: string | undefined; stage_id?: string | undefined },
): Promise<Stage | undefined> {
  const stages = raw(namesOf(board).stages);
  const chosen = stage_id ? sql`stage.id = ${stage_id}::uuid` : pipeline_id ? sql`TRUE` : sql`pipeline.is_default`;
  const inside = pipeline_id ? sql`pipeline.id = ${pipeline_id}::uuid` : sql`TRUE`;
  const [stage] = await db.rows<Stage>(sql`
    SELECT stage.id, stage.pipeline_id, stage.name, stage.type
    FROM ${stages} AS stage JOIN pipelines AS pipeline ON pipeline.id = stage.pipeline_id
    WHERE ${chosen} AND ${inside}
    ORDER BY stage.type IN ('won', 'lost'), stage.position LIMIT 1`);
  if (!stage && stage_id)
    throw invalid('stage_id', pipeline_id ? 'The pipeline has no such stage.' : 'There is no such stage.');
  if (!stage && pipeline_id) throw invalid('pipeline_id', 'There is no such pipeline.');
  return stage;
}
