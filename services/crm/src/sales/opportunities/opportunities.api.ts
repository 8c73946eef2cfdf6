/** Opportunities are possible sales before a quote exists. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { fetchStaff } from '@suite/user-copies';
import { fetchCustomer } from '../references/customer.ts';
import { type Rpc, sales } from '../../operations.ts';
import { assertOpportunity, createOpportunity, removeOpportunity, updateOpportunity } from './opportunity.ts';
import { opportunityStates } from './opportunity.rules.ts';
import { listOpportunities } from './opportunity.view.ts';
import {
  Opportunity,
  OpportunityChanges,
  OpportunityColumns,
  OpportunityFilter,
  OpportunityInput,
} from './opportunity.schema.ts';

/** Requests all users that a body names. */
const fetchReferences = async (rpc: Rpc, { customer_id, owner_id }: OpportunityInput | OpportunityChanges) => ({
  customer: await fetchCustomer(rpc, customer_id),
  people: await fetchStaff(rpc, { owner_id }),
});

export const list = sales.query('GET /api/sales/opportunities', {
  summary: 'List opportunities',
  description: 'Returns the opportunities that you may see. Expand `owner` and `source` for the names.',
  access: can('opportunity.view'),
  query: OpportunityFilter,
  reply: page(Opportunity),
  handle: ({ db, caller, query }) => listOpportunities(db, caller, query),
});

export const create = sales.command('POST /api/sales/opportunitity/store', {
  summary: 'Create an opportunity',
  description:
    'Creates an opportunity at the stage `prospecting`, with you as the owner by default. The probability defaults to the default of the stage. The spelling `opportunitity` in the path is part of the specification.',
  access: can('opportunity.create'),
  body: OpportunityInput,
  reply: created(OpportunityColumns),
  prepare: ({ body, rpc }) => fetchReferences(rpc, body),
  handle: ({ body, prepared, ...context }) => createOpportunity(context, body, prepared),
});

export const update = sales.command('POST /api/sales/opportunities/update/{id}', {
  summary: 'Update an opportunity',
  description:
    'Updates an opportunity. `stage` moves it, and a closing stage sets `closed_at`. Reopen a closed opportunity with the stage `negotiation`.',
  access: opportunityStates.can(
    ...(['update', 'prospect', 'qualify', 'propose', 'negotiate', 'reopen', 'win', 'lose'] as const),
  ),
  params: { id: idOf('opportunities') },
  body: OpportunityChanges,
  reply: ok(OpportunityColumns),
  async prepare({ params, body, rpc, read }) {
    await read((db) => assertOpportunity(db, params.id));
    return await fetchReferences(rpc, body);
  },
  handle: ({ params, body, prepared, expect, ...context }) =>
    updateOpportunity(context, params.id, body, { ...prepared, expect }),
});

export const remove = sales.command('DELETE /api/sales/opportunities/delete/{id}', {
  summary: 'Delete an opportunity',
  description: 'Deletes an opportunity with its meetings. Returns 409 `in_use` if it has quotes.',
  access: opportunityStates.can('delete'),
  params: { id: idOf('opportunities') },
  reply: removed,
  handle: ({ db, params }) => removeOpportunity(db, params.id),
});
