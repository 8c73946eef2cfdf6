/** Sources of leads and deals, such as a campaign, a trade fair or a referral. */
import { change } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { sourceActions } from './source.rules.ts';
import { Source, SourceChanges, SourceFilter, SourceInput } from './source.schema.ts';
import { removeUnused } from '../board/members.ts';

export const list = query('GET /api/sources', {
  summary: 'List sources',
  description: 'Returns the sources of leads, deals and opportunities. Use it to fill a picker.',
  access: can('source.view'),
  query: SourceFilter,
  reply: page(Source),
  handle: ({ db, query }) => paginate(db, query, { table: 'sources' }),
});

export const create = command('POST /api/source/create', {
  summary: 'Create a source',
  description: 'Creates a source of leads and deals, such as a campaign. Names are unique.',
  access: can('source.create'),
  body: SourceInput,
  reply: created(Source),
  handle: ({ db, body }) => db.source.create({ data: body }),
});

export const update = command('POST /api/source/update/{id}', {
  summary: 'Update a source',
  description: 'Renames a source on all records. Names are unique.',
  access: sourceActions.can('update'),
  params: { id: idOf('sources') },
  body: SourceChanges,
  reply: ok(Source),
  handle: ({ db, params, body: { version: _, ...patch }, expect }) => change(db.source, params.id, patch, expect),
});

export const remove = command('DELETE /api/source/delete/{id}', {
  summary: 'Delete a source',
  description:
    'Deletes a source. Returns 409 `in_use` while leads or deals use it. Remove it from these records first.',
  access: sourceActions.can('delete'),
  params: { id: idOf('sources') },
  reply: removed,
  handle: ({ db, params }) => removeUnused(db, 'source', params.id),
});
