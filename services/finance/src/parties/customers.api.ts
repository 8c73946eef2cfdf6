/** Customers: people and companies to whom you sell, with their open balance. */
import { sql } from '@suite/chassis/database';
import { PlanLimit } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { PeriodLocked } from '../ledger/ledger/journal.ts';
import { accounting } from '../operations.ts';
import { changeParty, createParty, removeParty } from './party.ts';
import { Customer, CustomerFilter, PartyChanges, PartyInput, PartySummary, PickerFilter } from './party.schema.ts';
import { listParties, readParty } from './party.view.ts';
import { AccountLinked, fetchPortalUser } from './portal-user.ts';
import { partyActions } from './party.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/customers', {
  summary: 'List customers',
  description:
    'Returns customers with their open balance and available credit. Inactive customers are included: filter by `active` to exclude them.',
  access: can('customer.view'),
  query: CustomerFilter,
  reply: page(Customer),
  handle: ({ db, query, caller }) => listParties(db, 'customer', query, caller.timezone),
});

export const pick = query('GET /api/get-clients', {
  summary: 'List customers for a picker',
  description:
    'Returns active customers with the few fields that a picker needs. Use `search` to find one by name or code.',
  access: can('customer.view'),
  query: PickerFilter,
  reply: page(PartySummary),
  handle: ({ db, query }) => paginate(db, query, { table: 'customers', where: sql`customers.active` }),
});

export const create = command('POST /api/customers/create', {
  summary: 'Create a customer',
  description:
    'Creates a customer with the next code of its series. Posts the opening balance. Returns `account_linked` if another record uses the portal user, and `plan_limit` at the limit of the plan.',
  access: can('customer.create'),
  body: PartyInput,
  reply: withDateWarnings(created(Customer), { body: 'opening_date' }),
  faults: [AccountLinked, PeriodLocked, PlanLimit],
  prepare: ({ rpc, body }) => fetchPortalUser(rpc, 'client', body),
  handle: ({ body, ...context }) => createParty(context, 'customer', body),
});

export const update = command('POST /api/customers/update/{id}', {
  summary: 'Update a customer',
  description:
    'Updates a customer. `active: false` excludes them from new documents and keeps their entries. Posted documents keep the previous name and address. Returns `account_linked` if another record uses the portal user.',
  access: partyActions.customer.can('update'),
  params: { id: idOf('customers') },
  body: PartyChanges,
  reply: ok(Customer),
  faults: [AccountLinked, PlanLimit],
  prepare: ({ rpc, body }) => fetchPortalUser(rpc, 'client', body),
  handle: async ({ params, body, expect, ...context }) => {
    await changeParty(context, 'customer', params.id, body, expect);
    return await readParty(context.db, 'customer', params.id, context.caller.timezone);
  },
});

export const remove = command('DELETE /api/customers/delete/{id}', {
  summary: 'Delete a customer',
  description:
    'Deletes a customer. Returns 409 `in_use` if a document or another record refers to them. The details count the records that you may see. Deactivate the customer instead.',
  access: partyActions.customer.can('delete'),
  params: { id: idOf('customers') },
  reply: removed,
  deletes: 'finance.customer',
  handle: ({ params, ...context }) => removeParty(context, 'customer', params.id),
});
