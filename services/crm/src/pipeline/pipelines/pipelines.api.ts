/** Pipelines are sales processes. Each has its own stages for leads and deals. One pipeline is the default. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changePipeline, createPipeline, DefaultPipeline, removePipeline } from './pipeline.ts';
import { pipelineActions } from './pipeline.rules.ts';
import { Pipeline, PipelineChanges, PipelineFilter, PipelineInput } from './pipeline.schema.ts';

export const list = query('GET /api/pipelines', {
  summary: 'List pipelines',
  description:
    'Returns the pipelines of the workspace in their order. `is_default` marks the pipeline of new leads and deals.',
  access: can('pipeline.view'),
  query: PipelineFilter,
  reply: page(Pipeline),
  handle: ({ db, query }) => paginate(db, query, { table: 'pipelines' }),
});

export const create = command('POST /api/pipeline/create', {
  summary: 'Create a pipeline',
  description:
    'Creates a pipeline with the default stages for leads and deals. The first pipeline of a workspace becomes the default.',
  access: can('pipeline.create'),
  body: PipelineInput,
  reply: created(Pipeline),
  handle: ({ db, body }) => createPipeline(db, body),
});

export const update = command('POST /api/pipeline/update/{id}', {
  summary: 'Update a pipeline',
  description:
    'Renames or moves a pipeline, makes it the default, or reorders its stages. To change the default, set `is_default` on another pipeline.',
  access: pipelineActions.can('update'),
  params: { id: idOf('pipelines') },
  body: PipelineChanges,
  reply: ok(Pipeline),
  handle: ({ db, params, body, expect }) => changePipeline(db, params.id, body, expect),
});

export const remove = command('DELETE /api/pipeline/delete/{id}', {
  summary: 'Delete a pipeline',
  description:
    'Deletes a pipeline with its stages and labels. Returns 409 `in_use` while leads or deals are in it. Returns `default_pipeline` for the default pipeline.',
  access: pipelineActions.can('delete'),
  params: { id: idOf('pipelines') },
  reply: removed,
  faults: [DefaultPipeline],
  handle: ({ db, params }) => removePipeline(db, params.id),
});
