/** Sources: where leads and deals come from, such as a campaign, a fair or a recommendation. */
import { can, change, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { Source, SourceChanges, SourceFilter, SourceInput } from './source.schema.ts';
import { removeUnused } from '../board/members.ts';

export const list = query('GET /api/sources', {
  summary: 'List sources',
  access: can('source.view'),
  query: SourceFilter,
  reply: page(Source),
  handle: ({ db, query }) => paginate(db, query, { table: 'sources' }),
});

export const create = command('POST /api/source/create', {
  summary: 'Create a source',
  description: 'A name is taken once.',
  access: can('source.create'),
  body: SourceInput,
  reply: created(Source),
  handle: ({ db, body }) => db.source.create({ data: body }),
});

export const update = command('POST /api/source/update/{id}', {
  summary: 'Update a source',
  access: can('source.update'),
  params: { id: idOf('sources') },
  body: SourceChanges,
  reply: ok(Source),
  handle: ({ db, params, body: { version: _, ...patch }, expect }) => change(db.source, params.id, patch, expect),
});

export const remove = command('DELETE /api/source/delete/{id}', {
  summary: 'Delete a source',
  description: 'It must be taken off all leads and deals first.',
  access: can('source.delete'),
  params: { id: idOf('sources') },
  reply: removed,
  handle: ({ db, params }) => removeUnused(db, 'source', params.id),
});
