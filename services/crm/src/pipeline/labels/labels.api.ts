/** Labels are coloured tags of leads and deals, for one pipeline or for all. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeLabel, createLabel } from './label.ts';
import { labelActions } from './label.rules.ts';
import { Label, LabelChanges, LabelFilter, LabelInput } from './label.schema.ts';
import { removeUnused } from '../board/members.ts';

export const list = query('GET /api/labels', {
  summary: 'List labels',
  description: 'Returns labels with their colour. Labels without `pipeline_id` apply to all pipelines.',
  access: can('label.view'),
  query: LabelFilter,
  reply: page(Label),
  handle: ({ db, query }) => paginate(db, query, { table: 'labels' }),
});

export const create = command('POST /api/label/create', {
  summary: 'Create a label',
  description:
    'Creates a label for one pipeline, or for all pipelines without `pipeline_id`. Names are unique within a pipeline.',
  access: can('label.create'),
  body: LabelInput,
  reply: created(Label),
  handle: ({ db, body }) => createLabel(db, body),
});

export const update = command('POST /api/label/update/{id}', {
  summary: 'Update a label',
  description: 'Updates name or colour of a label on all records. Its pipeline cannot change.',
  access: labelActions.can('update'),
  params: { id: idOf('labels') },
  body: LabelChanges,
  reply: ok(Label),
  handle: ({ db, params, body, expect }) => changeLabel(db, params.id, body, expect),
});

export const remove = command('DELETE /api/label/delete/{id}', {
  summary: 'Delete a label',
  description: 'Deletes a label. Returns 409 `in_use` while leads or deals use it. Remove it from these records first.',
  access: labelActions.can('delete'),
  params: { id: idOf('labels') },
  reply: removed,
  handle: ({ db, params }) => removeUnused(db, 'label', params.id),
});
