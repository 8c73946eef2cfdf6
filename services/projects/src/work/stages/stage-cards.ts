/** Moves of the cards when their stage is deleted. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { BugStageChanged, TaskStageChanged } from '@suite/proto/projects/v1/events';
import type { Db } from '../../operations.ts';

interface StageKey {
  id: string;
  kind: 'task' | 'bug';
  project_id: string | null;
  group: string;
}

/** Moves all cards of a stage behind the cards of another one, in their order. Each move is recorded and announced. */
export async function moveCards({ db, emit }: { db: Db; emit: Emit }, from: StageKey, to: StageKey): Promise<void> {
  const cards = await db.rows<{ id: string }>(sql`
    WITH placed AS (
      SELECT id, row_number() OVER (ORDER BY rank, id) + (
        SELECT coalesce(ceil(max(rank)), 0) FROM work_items WHERE stage_id = ${to.id}::uuid) AS rank,
        greatest(0, extract(epoch FROM clock_timestamp() - stage_since))::int AS seconds
      FROM work_items WHERE stage_id = ${from.id}::uuid),
    written AS (
      INSERT INTO stage_changes (id, project_id, item_id, from_stage_id, from_group, to_stage_id, to_group, seconds_in_from)
      SELECT suite_uuid7(), ${from.project_id}::uuid, id, ${from.id}::uuid, ${from.group}, ${to.id}::uuid, ${to.group}, seconds
      FROM placed)
    UPDATE work_items SET stage_id = ${to.id}::uuid, "group" = ${to.group}, rank = placed.rank, stage_since = clock_timestamp()
    FROM placed WHERE placed.id = work_items.id RETURNING work_items.id`);
  for (const { id } of cards) {
    const change = {
      project_id: from.project_id ?? '',
      from_stage_id: from.id,
      to_stage_id: to.id,
      from_group: from.group,
      to_group: to.group,
    };
    if (from.kind === 'task') emit(TaskStageChanged, { task_id: id, ...change });
    else emit(BugStageChanged, { bug_id: id, ...change });
  }
}
