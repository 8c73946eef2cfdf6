/** Taxes on sales and purchases. Products name the taxes of their document lines. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { inProducts } from '../operations.ts';
import { changeTax, createTax, removeTax } from './tax.ts';
import { Tax, TaxChanges, TaxFilter, TaxInput } from './tax.schema.ts';
import { taxActions } from './catalogue.rules.ts';

const { query, command } = inProducts;

export const list = query('GET /api/tax', {
  summary: 'List taxes',
  description: 'Returns taxes with their rates, active and inactive.',
  access: can('tax.view'),
  query: TaxFilter,
  reply: page(Tax),
  handle: ({ db, query }) => paginate(db, query, { table: 'taxes' }),
});

export const create = command('POST /api/tax/create', {
  summary: 'Create a tax',
  description:
    'Creates a tax for products and document lines. A percentage is at most 100. An `inclusive` tax is part of the price, and a `compound` tax includes earlier taxes.',
  access: can('tax.create'),
  body: TaxInput,
  reply: created(Tax),
  handle: ({ db, body }) => createTax(db, body),
});

export const update = command('POST /api/tax/update/{id}', {
  summary: 'Update a tax',
  description: 'Updates a tax. Existing documents keep their rates. `active: false` excludes it from new documents.',
  access: taxActions.can('update'),
  params: { id: idOf('taxes') },
  body: TaxChanges,
  reply: ok(Tax),
  handle: ({ db, params, body, expect }) => changeTax(db, params.id, body, expect),
});

export const remove = command('DELETE /api/tax/delete/{id}', {
  summary: 'Delete a tax',
  description: 'Deletes a tax. Returns 409 `in_use` if a product or a document has the tax. Deactivate it instead.',
  access: taxActions.can('delete'),
  params: { id: idOf('taxes') },
  reply: removed,
  deletes: 'inventory.tax',
  handle: ({ db, params }) => removeTax(db, params.id),
});
