/** Vendors: your suppliers, people or companies, with your open balance. */
import { sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { PeriodLocked } from '../ledger/ledger/journal.ts';
import { accounting } from '../operations.ts';
import { changeParty, createParty, removeParty } from './party.ts';
import { PartySummary, PickerFilter, Vendor, VendorChanges, VendorFilter, VendorInput } from './party.schema.ts';
import { listParties, readParty } from './party.view.ts';
import { AccountLinked, fetchPortalUser } from './portal-user.ts';
import { partyActions } from './party.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/vendors', {
  summary: 'List vendors',
  description:
    'Returns vendors with their open balance. Inactive vendors are included: filter by `active` to exclude them.',
  access: can('vendor.view'),
  query: VendorFilter,
  reply: page(Vendor),
  handle: ({ db, query, caller }) => listParties(db, 'vendor', query, caller.timezone),
});

export const pick = query('GET /api/get-vendors', {
  summary: 'List vendors for a picker',
  description:
    'Returns active vendors with the few fields that a picker needs. Use `search` to find one by name or code.',
  access: can('vendor.view'),
  query: PickerFilter,
  reply: page(PartySummary),
  handle: ({ db, query }) => paginate(db, query, { table: 'vendors', where: sql`vendors.active` }),
});

export const create = command('POST /api/vendors/create', {
  summary: 'Create a vendor',
  description:
    'Creates a vendor with the next code of its series. Posts the opening balance. Returns `account_linked` if another record uses the portal user.',
  access: can('vendor.create'),
  body: VendorInput,
  reply: withDateWarnings(created(Vendor), { body: 'opening_date' }),
  faults: [AccountLinked, PeriodLocked],
  prepare: ({ rpc, body }) => fetchPortalUser(rpc, 'vendor', body),
  handle: ({ body, ...context }) => createParty(context, 'vendor', body),
});

export const update = command('POST /api/vendors/update/{id}', {
  summary: 'Update a vendor',
  description:
    'Updates a vendor. `active: false` excludes them from new documents and keeps their entries. Returns `account_linked` if another record uses the portal user.',
  access: partyActions.vendor.can('update'),
  params: { id: idOf('vendors') },
  body: VendorChanges,
  reply: ok(Vendor),
  faults: [AccountLinked],
  prepare: ({ rpc, body }) => fetchPortalUser(rpc, 'vendor', body),
  handle: async ({ params, body, expect, ...context }) => {
    await changeParty(context, 'vendor', params.id, body, expect);
    return await readParty(context.db, 'vendor', params.id, context.caller.timezone);
  },
});

export const remove = command('DELETE /api/vendors/delete/{id}', {
  summary: 'Delete a vendor',
  description:
    'Deletes a vendor without entries. Returns 409 `in_use` if a document or another record refers to them. Deactivate the vendor instead.',
  access: partyActions.vendor.can('delete'),
  params: { id: idOf('vendors') },
  reply: removed,
  handle: ({ params, ...context }) => removeParty(context, 'vendor', params.id),
});
