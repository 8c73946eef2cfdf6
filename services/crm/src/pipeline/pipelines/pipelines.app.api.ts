/** Pipelines and lead stages for the screens of the app: the same rules under other routes. */
import { assertNoVersion } from '@suite/chassis/faults';
import { paginate } from '@suite/chassis/lists';
import { can, canSave, page, withRoute, upserted } from '@suite/chassis/operations';
import type { z } from 'zod';
import { leadBoard } from '../board/lead-board.ts';
import { command, query } from '../../operations.ts';
import { changePipeline, requestedPipeline, createPipeline } from './pipeline.ts';
import { Pipeline, PipelineSave } from './pipeline.schema.ts';
import * as pipelines from './pipelines.api.ts';
import { LeadStage, LeadStageFilter, LeadStageRequest, LeadStageSave } from '../stages/stage.schema.ts';
import { changeStage, createStage, showStage } from '../stages/stage.ts';

export const list = withRoute(pipelines.list, 'GET /api/lead/pipelines');

export const save = command('POST /api/lead/pipeline-create-update', {
  summary: 'Create or update a pipeline',
  description: 'Updates the pipeline with the given `id`. Without `id`, creates one with the default stages.',
  access: canSave({ creates: 'pipeline.create', changes: 'pipeline.update' }),
  body: PipelineSave,
  reply: upserted(Pipeline),
  async handle({ db, body, expect }) {
    const { id, version: _, ...fields } = body;
    if (id) return { created: false, record: await changePipeline(db, id, fields, expect) };
    assertNoVersion(expect);
    return { created: true, record: await createPipeline(db, fields) };
  },
});

export const stages = query('POST /api/lead/lead-stages', {
  summary: 'List the lead stages of a pipeline',
  description:
    'Returns the lead stages of a pipeline in their order, with the number and total value of their leads. `pipeline_id` defaults to the default pipeline.',
  access: can('stage.view'),
  body: LeadStageRequest,
  reply: page(LeadStage),
  async handle({ db, body, caller }) {
    const { id: pipeline_id } = await requestedPipeline(db, body.pipeline_id);
    const { page: at, limit } = body;
    const request = LeadStageFilter.parse({ pipeline_id, page: String(at), per_page: String(limit) });
    const found = await paginate(db, request, { table: 'lead_stages', compute: leadBoard.figures(caller) });
    return { ...found, next_cursor: null };
  },
});

export const saveStage = command('POST /api/lead/lead-stage-create-update', {
  summary: 'Create or update a lead stage',
  description:
    'Updates the lead stage with the given `id`. Without `id`, creates one at the end of the pipeline. `pipeline_id` defaults to the default pipeline. Returns 409 `in_use` if a new `type` would close or reopen its leads.',
  access: canSave({ creates: 'stage.create', changes: 'stage.update' }),
  body: LeadStageSave,
  reply: upserted(LeadStage),
  async handle({ db, body, caller, expect }) {
    const { id, pipeline_id, version: _, ...fields } = body;
    if (!id) assertNoVersion(expect);
    if (id) await changeStage(db, leadBoard, id, { ...fields, pipeline_id }, expect);
    const pipeline = id ? undefined : await requestedPipeline(db, pipeline_id);
    const stage_id = id ?? (await createStage(db, leadBoard, { ...fields, pipeline_id: pipeline?.id as string }));
    const record = (await showStage(db, leadBoard, caller, stage_id)) as z.input<typeof LeadStage>;
    return { created: !id, record };
  },
});
