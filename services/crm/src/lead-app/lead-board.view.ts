/** Lead board for a screen: columns with their metrics, and the first cards of each. */
import { join, type Sql, sql } from '@suite/chassis/database';
import { many, one } from '@suite/chassis/lists';
import type { z } from 'zod';
import { membersOf } from '../pipeline/board/members.ts';
import type { Db } from '../operations.ts';
import { requestedPipeline } from '../pipeline/pipelines/pipeline.ts';
import { userLabels } from '@suite/user-copies';
import type { LeadBoard, LeadBoardRequest } from './lead-app.schema.ts';
import { leadBoard } from '../pipeline/board/lead-board.ts';

/** Returns the condition for the leads that match the filters. */
function leadCondition({ owner_id, label_id, q }: LeadBoardRequest): Sql {
  const conditions = [leadBoard.onShow];
  if (owner_id) conditions.push(sql`leads.owner_id = ${owner_id}::uuid`);
  if (label_id)
    conditions.push(sql`EXISTS (SELECT FROM lead_labels WHERE lead_id = leads.id AND label_id = ${label_id}::uuid)`);
  if (q) conditions.push(sql`leads.id IN (SELECT suite_search('leads', ${q}))`);
  return join(conditions, ' AND ');
}

/** Returns a board in five statements, for any number of columns and cards. */
export async function showLeadBoard(db: Db, request: LeadBoardRequest): Promise<z.input<typeof LeadBoard>> {
  const { stage_id, per_column, offset, owner_id, label_id, q } = request;
  const pipeline = await requestedPipeline(db, request.pipeline_id);
  const shown = leadCondition(request);
  const chosen = sql`lead_stages.pipeline_id = ${pipeline.id}::uuid
    AND ${stage_id ? sql`lead_stages.id = ${stage_id}::uuid` : sql`TRUE`}`;
  const columns = await db.rows<z.input<typeof LeadBoard>['columns'][number]>(sql`
    SELECT lead_stages.id, name, type, color, position, figures.*
    FROM lead_stages CROSS JOIN LATERAL (
      SELECT count(*) AS count, coalesce(sum(leads.expected_value), 0) AS sum
      FROM leads WHERE leads.stage_id = lead_stages.id AND ${shown}) AS figures
    WHERE ${chosen} ORDER BY position`);
  const filtered = Boolean(owner_id ?? label_id ?? q);
  const cards = await db.rows<Record<string, unknown>>(sql`
    SELECT card.* FROM lead_stages CROSS JOIN LATERAL (
      SELECT leads.*, CASE WHEN NOT ${filtered} THEN row_number() OVER (ORDER BY rank, leads.id) - 1 END AS position
      FROM leads WHERE leads.stage_id = lead_stages.id AND ${shown}
      ORDER BY rank, leads.id LIMIT ${per_column} OFFSET ${offset}) AS card
    WHERE ${chosen} ORDER BY lead_stages.position, card.rank, card.id`);
  await one('owner_id', userLabels(db))(cards, 'owner');
  await many('lead_id', membersOf(db, 'lead', 'label'))(cards, 'labels');
  const inColumns = Map.groupBy(cards, (card) => card['stage_id']);
  return {
    pipeline,
    columns: columns.map((column) => ({ ...column, leads: (inColumns.get(column.id) ?? []) as never })),
  };
}
