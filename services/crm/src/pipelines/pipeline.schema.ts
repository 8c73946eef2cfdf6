import { idOf, input, list, Name, record, refTo, version } from '@suite/chassis';
import { z } from 'zod';

/** A way of selling. */
export const Pipeline = record({
  name: z.string(),
  is_default: z
    .boolean()
    .describe('New leads and deals that name no pipeline go here. Exactly one pipeline is the default.'),
  position: z.int().describe('Zero-based position without gaps.'),
}).meta({ id: 'Pipeline' });

export const PipelineFilter = list(Pipeline, {
  filter: ['name', 'is_default', 'created_at', 'updated_at'],
  sort: ['position', 'name', 'created_at', 'updated_at'],
  order: 'position',
  search: true,
});

export const PipelineInput = input({
  name: Name,
  is_default: z.boolean().default(false),
  position: z.int().min(0).optional(),
});

const stageOrder = (table: string) => z.array(refTo(table)).min(1).max(200);

export const PipelineChanges = input({
  name: Name.optional(),
  is_default: z.boolean().optional(),
  position: z.int().min(0).optional(),
  lead_stage_ids: stageOrder('lead_stages').optional().describe('All lead stages of the pipeline, in their new order.'),
  deal_stage_ids: stageOrder('deal_stages').optional().describe('All deal stages of the pipeline, in their new order.'),
  version,
});

/** A pipeline as a form has it: changed when it has an id, made otherwise. */
export const PipelineSave = input({
  id: idOf('pipelines').optional(),
  name: Name,
  is_default: z.boolean().optional(),
  position: z.int().min(0).optional(),
  version,
});
