/** Customers: people and companies that we sell to, with what they owe us. */
import { can, created, idOf, ok, page, paginate, PlanLimit, removed, sql } from '@suite/chassis';
import { PeriodLocked } from '../ledger/journal.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { accounting } from '../operations.ts';
import { changeParty, createParty, removeParty } from './party.ts';
import { Customer, CustomerFilter, PartyChanges, PartyInput, PartySummary, PickerFilter } from './party.schema.ts';
import { listParties, readParty } from './party.view.ts';
import { AccountLinked, askForPortalUser } from './portal-user.ts';

const { query, command } = accounting;

export const list = query('GET /api/customers', {
  summary: 'List customers',
  access: can('customer.view'),
  query: CustomerFilter,
  reply: page(Customer),
  handle: ({ db, query, caller }) => listParties(db, 'customer', query, caller.timezone),
});

export const pick = query('GET /api/get-clients', {
  summary: 'List customers for a picker',
  description: 'The active ones, with as much as a picker shows.',
  access: can('customer.view'),
  query: PickerFilter,
  reply: page(PartySummary),
  handle: ({ db, query }) => paginate(db, query, { table: 'customers', where: sql`customers.active` }),
});

export const create = command('POST /api/customers/create', {
  summary: 'Create a customer',
  description: 'Its code is the next of its series. An opening balance is posted.',
  access: can('customer.create'),
  body: PartyInput,
  reply: created(Customer),
  faults: [AccountLinked, PeriodLocked, AmountTooSmall, PlanLimit],
  prepare: ({ rpc, body }) => askForPortalUser(rpc, 'client', body),
  handle: ({ db, emit, caller, body }) => createParty({ db, emit, caller }, 'customer', body),
});

export const update = command('POST /api/customers/update/{id}', {
  summary: 'Update a customer',
  description: '`active: false` archives it: it is offered no more, and its entries stay.',
  access: can('customer.update'),
  params: { id: idOf('customers') },
  body: PartyChanges,
  reply: ok(Customer),
  faults: [AccountLinked, PlanLimit],
  prepare: ({ rpc, body }) => askForPortalUser(rpc, 'client', body),
  handle: async ({ db, emit, caller, params, body, expect }) => {
    await changeParty({ db, emit, caller }, 'customer', params.id, body, expect);
    return await readParty(db, 'customer', params.id, caller.timezone);
  },
});

export const remove = command('DELETE /api/customers/delete/{id}', {
  summary: 'Delete a customer',
  description:
    'Returns 409 `in_use` if a document or another record refers to the customer; the details count what you may see. Deactivate the customer instead.',
  access: can('customer.delete'),
  params: { id: idOf('customers') },
  reply: removed,
  deletes: 'finance.customer',
  handle: ({ db, emit, params }) => removeParty({ db, emit }, 'customer', params.id),
});
