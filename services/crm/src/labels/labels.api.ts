/** Labels: coloured words that people put on leads and deals. One is for the records of one pipeline, or for all. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { changeLabel, createLabel } from './label.ts';
import { Label, LabelChanges, LabelFilter, LabelInput } from './label.schema.ts';
import { removeUnused } from '../board/members.ts';

export const list = query('GET /api/labels', {
  summary: 'List labels',
  access: can('label.view'),
  query: LabelFilter,
  reply: page(Label),
  handle: ({ db, query }) => paginate(db, query, { table: 'labels' }),
});

export const create = command('POST /api/label/create', {
  summary: 'Create a label',
  description: 'Without a pipeline it is for the records of all. A name is taken once in a pipeline.',
  access: can('label.create'),
  body: LabelInput,
  reply: created(Label),
  handle: ({ db, body }) => createLabel(db, body),
});

export const update = command('POST /api/label/update/{id}', {
  summary: 'Update a label',
  description: 'Its name or colour, on every record that carries it. It stays with its pipeline.',
  access: can('label.update'),
  params: { id: idOf('labels') },
  body: LabelChanges,
  reply: ok(Label),
  handle: ({ db, params, body, expect }) => changeLabel(db, params.id, body, expect),
});

export const remove = command('DELETE /api/label/delete/{id}', {
  summary: 'Delete a label',
  description: 'It must be taken off all leads and deals first.',
  access: can('label.delete'),
  params: { id: idOf('labels') },
  reply: removed,
  handle: ({ db, params }) => removeUnused(db, 'label', params.id),
});
