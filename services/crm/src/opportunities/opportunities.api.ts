/** Opportunities: chances to sell something to somebody, before there is anything on paper. */
import { can, created, idOf, ok, page, removed } from '@suite/chassis';
import type { Rpc } from '../operations.ts';
import { askForStaff } from '@suite/users';
import { askForCustomer } from '../customers/customer.ts';
import { command, query } from '../sales-operations.ts';
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

/** Asks for everybody whom a body names. */
const ask = async (rpc: Rpc, { customer_id, owner_id }: OpportunityInput | OpportunityChanges) => ({
  customer: await askForCustomer(rpc, customer_id),
  people: await askForStaff(rpc, { owner_id }),
});

export const list = query('GET /api/sales/opportunities', {
  summary: 'List opportunities',
  access: can('opportunity.view'),
  query: OpportunityFilter,
  reply: page(Opportunity),
  handle: ({ db, caller, query }) => listOpportunities(db, caller, query),
});

export const create = command('POST /api/sales/opportunitity/store', {
  summary: 'Create an opportunity',
  description: "It is the caller's, unless somebody else is named. The path is spelled as in the specification.",
  access: can('opportunity.create'),
  body: OpportunityInput,
  reply: created(OpportunityColumns),
  prepare: ({ body, rpc }) => ask(rpc, body),
  handle: ({ body, prepared, ...work }) => createOpportunity(work, body, prepared),
});

export const update = command('POST /api/sales/opportunities/update/{id}', {
  summary: 'Update an opportunity',
  description: 'A `stage` moves it; closing it sets `closed_at`, and it is reopened at `negotiation`.',
  access: opportunityStates.can(
    ...(['update', 'prospect', 'qualify', 'propose', 'negotiate', 'reopen', 'win', 'lose'] as const),
  ),
  params: { id: idOf('opportunities') },
  body: OpportunityChanges,
  reply: ok(OpportunityColumns),
  async prepare({ params, body, rpc, read }) {
    await read((db) => assertOpportunity(db, params.id));
    return await ask(rpc, body);
  },
  handle: ({ params, body, prepared, expect, ...work }) =>
    updateOpportunity(work, params.id, body, { ...prepared, expect }),
});

export const remove = command('DELETE /api/sales/opportunities/delete/{id}', {
  summary: 'Delete an opportunity',
  description: 'With its meetings. An opportunity with quotes cannot be deleted.',
  access: opportunityStates.can('delete'),
  params: { id: idOf('opportunities') },
  reply: removed,
  handle: ({ db, params }) => removeOpportunity(db, params.id),
});
