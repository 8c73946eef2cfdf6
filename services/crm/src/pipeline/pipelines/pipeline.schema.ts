import { idOf, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { pipelineActions } from './pipeline.rules.ts';

/** Sales pipeline. */
export const Pipeline = record({
  name: z.string(),
  is_default: z
    .boolean()
    .describe(
      'Whether this is the pipeline of new leads and deals that specify none. Exactly one pipeline is the default.',
    ),
  position: z.int().describe('Zero-based position without gaps.'),
  allowed_actions: Actions(pipelineActions),
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
  lead_stage_ids: stageOrder('lead_stages')
    .optional()
    .describe('IDs of all lead stages of the pipeline, in the new order.'),
  deal_stage_ids: stageOrder('deal_stages')
    .optional()
    .describe('IDs of all deal stages of the pipeline, in the new order.'),
  version,
});

/** Pipeline from a form. A pipeline with an ID is updated, one without is created. */
export const PipelineSave = input({
  id: idOf('pipelines').optional(),
  name: Name,
  is_default: z.boolean().optional(),
  position: z.int().min(0).optional(),
  version,
});
