/** Users of the workspace by kind, with the details that all staff may see. */
import { empty, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate } from '@suite/chassis/lists';
import { page, anyUser } from '@suite/chassis/operations';
import { type Db, query } from '../../operations.ts';
import type { UserKind } from '../../identity/roles/seeded-roles.ts';
import { NOT_DELETED, withPhotoLinks } from '../../identity/accounts/user.view.ts';
import { Contact, ContactFilter } from '../../identity/accounts/user.schema.ts';

interface ContactsRequest {
  db: Db;
  query: ListRequest;
  caller: Caller;
  links: Parameters<typeof withPhotoLinks>[1];
}

/**
 * Lists the users of some kinds whom the caller may see. Chosen: clients and vendors see only themselves, so that
 * clients do not learn about each other.
 */
async function listContacts({ db, query, caller, links }: ContactsRequest, ...kinds: UserKind[]) {
  const isOutsider = caller.kind === 'client' || caller.kind === 'vendor';
  const found = await paginate(db, query, {
    table: 'users',
    where: sql`${NOT_DELETED} AND users.kind = ANY(${kinds}) ${isOutsider ? sql`AND users.id = ${caller.user_id}::uuid` : empty}`,
    compute: { photo_thumbnail_url: sql`users.photo_thumbnail` },
  });
  return {
    ...found,
    rows: found.rows.map((row) => withPhotoLinks(row as { photo_thumbnail_url: string | null }, links)),
  };
}

export const staff = query('GET /api/staff-user', {
  summary: 'List owners and staff users',
  description:
    'Returns users of the kinds `owner` and `staff`, with the details that all staff may see. Clients and vendors get an empty list. Use it to select an assignee.',
  access: anyUser,
  query: ContactFilter,
  reply: page(Contact),
  handle: (request) => listContacts(request, 'owner', 'staff'),
});

export const clients = query('GET /api/client-user', {
  summary: 'List client users',
  description:
    'Returns users of the kind `client`, with the details that all staff may see. Clients see themselves only. Use it to select a client for a project or a ticket.',
  access: anyUser,
  query: ContactFilter,
  reply: page(Contact),
  handle: (request) => listContacts(request, 'client'),
});

export const vendors = query('GET /api/vendor-user', {
  summary: 'List vendor users',
  description:
    'Returns users of the kind `vendor`, with the details that all staff may see. Vendors see themselves only.',
  access: anyUser,
  query: ContactFilter,
  reply: page(Contact),
  handle: (request) => listContacts(request, 'vendor'),
});
