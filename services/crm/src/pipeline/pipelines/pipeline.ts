import { assertVersion, find, storePositions, remove, sql, moveToPosition } from '@suite/chassis/database';
import { fault, invalid, NotFound } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import type { z } from 'zod';
import { serializeOn } from '../board/order.ts';
import type { Db } from '../../operations.ts';
import type { PipelineChanges } from './pipeline.schema.ts';
import { orderStages } from '../stages/stage.ts';

export const NoPipeline = fault(409, 'no_pipeline', 'The workspace has no pipeline. Create one first.');
export const DefaultPipeline = fault(
  409,
  'default_pipeline',
  'The default pipeline cannot be deleted. Choose another default first.',
);

/** Initial stages of a new pipeline, so that it can be used immediately. */
const FIRST_LEAD_STAGES = [
  { name: 'New', type: 'open', color: '#3b82f6' },
  { name: 'Contacted', type: 'ongoing', color: '#8b5cf6' },
  { name: 'Qualified', type: 'ongoing', color: '#10b981' },
  { name: 'On hold', type: 'on_hold', color: '#f59e0b' },
  { name: 'Lost', type: 'lost', color: '#ef4444' },
];
const FIRST_DEAL_STAGES = [
  { name: 'Qualification', type: 'open', probability: 10, color: '#3b82f6' },
  { name: 'Proposal', type: 'ongoing', probability: 40, color: '#8b5cf6' },
  { name: 'Negotiation', type: 'ongoing', probability: 70, color: '#f59e0b' },
  { name: 'Won', type: 'won', probability: 100, color: '#10b981' },
  { name: 'Lost', type: 'lost', probability: 0, color: '#ef4444' },
];

const withPositions = <Row extends object>(pipeline_id: string, rows: Row[]) =>
  rows.map((row, position) => ({ ...row, position, pipeline_id }));

/** Puts a pipeline at a position, and makes it the default if requested. */
async function placePipeline(
  db: Db,
  id: string,
  position: number | undefined,
  is_default: boolean | undefined,
): Promise<void> {
  if (is_default) {
    await db.pipeline.updateMany({ where: { is_default: true, NOT: { id } }, data: { is_default: false } });
    await db.pipeline.updateMany({ where: { id, is_default: false }, data: { is_default: true } });
  }
  if (position === undefined) return;
  const all = await db.pipeline.findMany({ select: { id: true }, orderBy: { position: 'asc' } });
  const ids = all.map((pipeline) => pipeline.id);
  await storePositions(db, sql`pipelines`, moveToPosition(ids, id, position));
}

/** Creates a pipeline with its first stages. The first pipeline of a workspace is always the default. */
export async function createPipeline(
  db: Db,
  {
    name,
    is_default = false,
    position,
  }: { name: string; is_default?: boolean | undefined; position?: number | undefined },
) {
  await serializeOn(db, 'pipelines');
  const count = await db.pipeline.count();
  const { id } = await db.pipeline.create({ data: { name, position: count } });
  await db.leadStage.createMany({ data: withPositions(id, FIRST_LEAD_STAGES) });
  await db.dealStage.createMany({ data: withPositions(id, FIRST_DEAL_STAGES) });
  await placePipeline(db, id, position, is_default || count === 0);
  return await find(db.pipeline, id);
}

/** Returns the pipeline of a request, or the default one. @throws NotFound */
export async function requestedPipeline(
  db: Db,
  pipeline_id: string | undefined,
): Promise<{ id: string; name: string }> {
  const where = pipeline_id ? { id: pipeline_id } : { is_default: true };
  const pipeline = await db.pipeline.findFirst({ where, select: { id: true, name: true } });
  if (!pipeline) throw NotFound();
  return pipeline;
}

/** Updates a pipeline. @throws a 422 if the default pipeline is set to false; set another one as default instead */
export async function changePipeline(
  db: Db,
  id: string,
  { lead_stage_ids, deal_stage_ids, ...patch }: z.output<typeof PipelineChanges>,
  expect: number | undefined,
) {
  await serializeOn(db, 'pipelines');
  const pipeline = await find(db.pipeline, id);
  assertVersion(pipeline, expect);
  if (pipeline.is_default && patch.is_default === false)
    throw invalid('is_default', 'Choose another default pipeline instead.');
  if (patch.name !== undefined) await db.pipeline.updateMany({ where: { id }, data: { name: patch.name } });
  await placePipeline(db, id, patch.position, patch.is_default);
  if (lead_stage_ids) await orderStages(db, 'lead', id, lead_stage_ids);
  if (deal_stage_ids) await orderStages(db, 'deal', id, deal_stage_ids);
  return await find(db.pipeline, id);
}

/** Deletes a pipeline with its stages and labels. @throws DefaultPipeline, InUse if it has leads or deals */
export async function removePipeline(db: Db, id: string): Promise<{ id: string }> {
  await serializeOn(db, 'pipelines');
  const pipeline = await find(db.pipeline, id);
  if (pipeline.is_default) throw DefaultPipeline();
  await assertUnused(async () => ({
    leads: await db.lead.count({ where: { pipeline_id: id } }),
    deals: await db.deal.count({ where: { pipeline_id: id } }),
  }));
  await remove(db.pipeline, id);
  const rest = await db.pipeline.findMany({ select: { id: true }, orderBy: { position: 'asc' } });
  await storePositions(
    db,
    sql`pipelines`,
    rest.map((other) => other.id),
  );
  return { id };
}
