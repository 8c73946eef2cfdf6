/** Units of measure of products and services. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { inProducts } from '../operations.ts';
import { changeUnit, createUnit, removeUnit } from './unit.ts';
import { Unit, UnitChanges, UnitFilter, UnitInput } from './unit.schema.ts';
import { unitActions } from './catalogue.rules.ts';

const { query, command } = inProducts;

export const list = query('GET /api/units', {
  summary: 'List units',
  description: 'Returns units with their base unit and factor.',
  access: can('unit.view'),
  query: UnitFilter,
  reply: page(Unit),
  handle: ({ db, query }) => paginate(db, query, { table: 'units' }),
});

export const create = command('POST /api/unit/create', {
  summary: 'Create a unit',
  description: 'Creates a unit. With `base_id` and `factor`, it is a multiple of another unit: a dozen is 12 pieces.',
  access: can('unit.create'),
  body: UnitInput,
  reply: created(Unit),
  handle: ({ db, body }) => createUnit(db, body),
});

export const update = command('POST /api/unit/update/{id}', {
  summary: 'Update a unit',
  description:
    'Updates name, symbol, base unit or factor of a unit. Setting `base_id` to `null` resets the factor to 1.',
  access: unitActions.can('update'),
  params: { id: idOf('units') },
  body: UnitChanges,
  reply: ok(Unit),
  handle: ({ db, params, body, expect }) => changeUnit(db, params.id, body, expect),
});

export const remove = command('DELETE /api/unit/delete/{id}', {
  summary: 'Delete a unit',
  description: 'Deletes a unit. Returns 409 `in_use` if a product or another unit uses the unit.',
  access: unitActions.can('delete'),
  params: { id: idOf('units') },
  reply: removed,
  deletes: 'inventory.unit',
  handle: ({ db, params }) => removeUnit(db, params.id),
});
