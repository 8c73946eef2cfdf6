/** Customers for integrations: the same records with stable fields. */
import { PlanLimit } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { paginate, readOne } from '@suite/chassis/lists';
import { can, ok, page, upserted } from '@suite/chassis/operations';
import { apiV1 } from '../operations.ts';
import { changeParty, createParty } from '../parties/party.ts';
import { assertSame, ExternalIdTaken, findByExternalId } from './external.ts';
import { V1Customer, V1CustomerChanges, V1CustomerFilter, V1CustomerInput } from './v1.schema.ts';
import { v1CustomerActions } from './v1.rules.ts';

const { query, command } = apiV1;
const view = { table: 'customers' };

export const list = query('GET /api/v1/customers', {
  summary: 'List customers (version 1)',
  description:
    'Returns customers with the stable fields of version 1. Filter by `external_id` to find a customer of your own system.',
  access: can('customer.view'),
  query: V1CustomerFilter,
  reply: page(V1Customer),
  handle: ({ db, query }) => paginate(db, query, view),
});

export const show = query('GET /api/v1/customers/{id}', {
  summary: 'Get a customer (version 1)',
  description: 'Returns a customer with the stable fields of version 1.',
  access: can('customer.view'),
  params: { id: idOf('customers') },
  reply: ok(V1Customer),
  handle: ({ db, params }) => readOne(db, V1Customer, params.id, view),
});

export const create = command('POST /api/v1/customers', {
  summary: 'Create a customer (version 1)',
  description:
    'Creates one customer per `external_id`. Repeating the request returns the existing customer with 200 and changes nothing. Only the fields of the body are compared. A field with another value returns 409 `external_id_taken`. Use `PUT` to change a customer.',
  access: can('customer.create'),
  body: V1CustomerInput,
  reply: upserted(V1Customer),
  faults: [ExternalIdTaken, PlanLimit],
  handle: async ({ body, ...context }) => {
    const known = await findByExternalId(context, 'customers', body.external_id);
    const id = known ?? (await createParty(context, 'customer', body)).id;
    const record = await readOne(context.db, V1Customer, id, view);
    if (known) assertSame(body, record);
    return { created: known === undefined, record };
  },
});

export const update = command('PUT /api/v1/customers/{id}', {
  summary: 'Update a customer (version 1)',
  description:
    'Updates a customer. Omitted fields keep their values, `external_id` included. Send `null` to clear a field.',
  access: v1CustomerActions.can('update'),
  params: { id: idOf('customers') },
  body: V1CustomerChanges,
  reply: ok(V1Customer),
  handle: async ({ params, body, expect, ...context }) => {
    await changeParty(context, 'customer', params.id, body, expect);
    return await readOne(context.db, V1Customer, params.id, view);
  },
});
