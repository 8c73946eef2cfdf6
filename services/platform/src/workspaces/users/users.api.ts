/** Users can sign in: owners and staff, clients and vendors. They are invited by e-mail and have exactly one role. */
import { sql } from '@suite/chassis/database';
import { PlanLimit } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { one, paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { RoleExceedsCaller } from '../../identity/roles/role.rules.ts';
import { eraseUser } from './erasure.ts';
import { changeUser, inviteUser, resetPassword, verifyUser } from './user-management.ts';
import { TooManyEmailChanges } from '../../identity/accounts/email.ts';
import { findManageable } from '../../identity/accounts/user.ts';
import {
  actionsOnUsers,
  LAST_LOGIN,
  NOT_DELETED,
  readUser,
  TEAM,
  withPhotoLinks,
} from '../../identity/accounts/user.view.ts';
import { EmailTaken, LastOwner, SecondFactorProtected, users } from '../../identity/accounts/user.rules.ts';
import {
  NewUser,
  User,
  UserChange,
  UserFilter,
  UserLogEntry,
  UserLogFilter,
  UserReset,
} from '../../identity/accounts/user.schema.ts';

interface UserWithPhotos {
  photo_url: string | null;
  photo_thumbnail_url: string | null;
}

export const list = query('GET /api/users', {
  summary: 'List users',
  description:
    'Returns the users that you may see, with role, team, last sign-in and allowed actions. Deleted users are not included. Expand `role` for the name of the role.',
  access: can('user.view'),
  query: UserFilter,
  reply: page(User),
  async handle({ db, query, caller, links }) {
    const found = await paginate(db, query, {
      table: 'users',
      where: NOT_DELETED,
      compute: {
        photo_url: sql`users.photo`,
        photo_thumbnail_url: sql`users.photo_thumbnail`,
        last_login_at: LAST_LOGIN,
        team_id: TEAM,
        allowed_actions: await actionsOnUsers(db, caller),
      },
      expand: {
        role: one('role_id', (ids) => db.rows(sql`SELECT id, key, name FROM roles WHERE id = ANY(${ids}::uuid[])`)),
      },
    });
    return { ...found, rows: (found.rows as UserWithPhotos[]).map((row) => withPhotoLinks(row, links)) };
  },
});

export const log = query('GET /api/users/log', {
  summary: 'List account events',
  description:
    'Returns sign-ins, failed attempts and changes of passwords and API keys, newest first. Entries never change.',
  access: can('userlog.view'),
  query: UserLogFilter,
  reply: page(UserLogEntry),
  handle: ({ db, query }) =>
    paginate(db, query, {
      table: 'user_log',
      compute: { updated_at: sql`user_log.created_at` },
      expand: {
        user: one('user_id', (ids) => db.rows(sql`SELECT id, name, email FROM users WHERE id = ANY(${ids}::uuid[])`)),
      },
    }),
});

export const create = command('POST /api/user/store', {
  summary: 'Invite a user',
  description:
    'Creates a user and sends an invitation to choose a password. The user stays `invited` until then. Returns `role_exceeds_caller` for a role beyond your own, and `plan_limit` if the plan allows no further user.',
  access: can('user.create'),
  body: NewUser,
  reply: created(User),
  faults: [RoleExceedsCaller, EmailTaken, PlanLimit],
  async handle({ db, body, caller, emit, links }) {
    const { id } = await inviteUser(db, emit, caller, body);
    return await readUser(db, id, links, caller);
  },
});

export const update = command('POST /api/user/update/{id}', {
  summary: 'Update a user',
  description:
    'Updates name, role and contact details. `status` disables an active user or enables a disabled one. A new e-mail address takes effect once the current and the new address have confirmed it. A change by an owner needs no approval by the current address after seven days. A new address can be requested five times a day.',
  access: users.can('update', 'disable', 'enable'),
  params: { id: idOf('users') },
  body: UserChange,
  reply: ok(User),
  faults: [RoleExceedsCaller, EmailTaken, LastOwner, PlanLimit, TooManyEmailChanges],
  async handle({ db, params, body, caller, expect, emit, links }) {
    const { version: _, ...input } = body;
    await changeUser(db, emit, caller, params.id, input, expect);
    return await readUser(db, params.id, links, caller);
  },
});

export const reset = command('POST /api/user/reset-password/{id}', {
  summary: "Reset a user's password",
  description:
    "Invalidates the password, ends all sessions and sends a reset link. The link works once and expires after 30 minutes. Revokes the user's API keys on request.",
  access: users.can('reset_password'),
  params: { id: idOf('users') },
  body: UserReset,
  reply: ok(User),
  faults: [RoleExceedsCaller, SecondFactorProtected],
  async handle({ db, params, body, caller, emit, links, request }) {
    await resetPassword(db, emit, caller, params.id, body, request);
    return await readUser(db, params.id, links, caller);
  },
});

export const verify = command('PUT /api/user/verify/{id}', {
  summary: 'Activate an invited user',
  description:
    'Activates the account without the invitation. The user chooses a password with "forgot password", which also verifies the e-mail address. `email_verified_at` stays `null` until then. An active user stays unchanged.',
  access: users.can('verify'),
  params: { id: idOf('users') },
  reply: ok(User),
  faults: [RoleExceedsCaller],
  async handle({ db, params, caller, emit, links }) {
    await verifyUser(db, emit, caller, params.id);
    return await readUser(db, params.id, links, caller);
  },
});

export const remove = command('DELETE /api/user/delete/{id}', {
  summary: 'Delete a user',
  description:
    'Deletes a user, ends their sessions and erases their personal data. Their records remain and show "Former user" as the author. Returns `last_owner` for the last owner.',
  access: users.can('delete'),
  params: { id: idOf('users') },
  reply: removed,
  faults: [RoleExceedsCaller, LastOwner],
  async handle({ db, params, caller, emit }) {
    await eraseUser(db, emit, await findManageable(db, params.id, caller));
    return { id: params.id };
  },
});
