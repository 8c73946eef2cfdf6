import {
  choice,
  Email,
  Id,
  input,
  Name,
  Phone,
  record,
  refTo,
  Timestamp,
  version,
  Zone,
  Locale,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { revoke_api_keys } from '../passwords/password-reset.schema.ts';
import { USER_KINDS } from '../roles/seeded-roles.ts';
import { LOG_EVENTS } from './user-log.ts';
import { users } from './user.rules.ts';

/** Role fields in a user record. */
export const RoleLabel = z.object({ id: Id, key: z.string(), name: z.string() });

/** User as visible to staff of the workspace. */
export const User = record({
  name: z.string(),
  email: z.string(),
  /** New address, until its owner confirms it. */
  pending_email: z.string().nullable(),
  email_verified_at: Timestamp.nullable(),
  kind: choice(...USER_KINDS),
  role_id: Id,
  role: RoleLabel.optional(),
  status: choice('invited', 'active', 'disabled'),
  phone: z.string().nullable(),
  /** Link to the photo. Expires after one to three hours. */
  photo_url: z.string().nullable(),
  photo_thumbnail_url: z.string().nullable(),
  locale: z.string().nullable(),
  language: z.string().nullable(),
  /** IANA time zone of the user, if it differs from the workspace's. */
  timezone: z.string().nullable(),
  // Chosen: the link to a customer, vendor or employee is set on that record, by a user who may read that record. These
  // fields are
  // read-only.
  employee_id: Id.nullable().describe('ID of the employee who signs in with this account. Set in the employee record.'),
  customer_id: Id.nullable().describe(
    'ID of the customer that this client represents in the portal. Set in the customer record.',
  ),
  vendor_id: Id.nullable().describe(
    'ID of the vendor that this account represents in the portal. Set in the vendor record.',
  ),
  team_id: Id.nullable(),
  last_login_at: Timestamp.nullable(),
  /** Actions that the caller can currently take on the account. */
  allowed_actions: Actions(users),
});

/** Fields that users can change in their own profile. */
export const personal = {
  name: Name,
  phone: Phone.nullable(),
  locale: Locale.nullable(),
  language: Locale.nullable(),
  timezone: Zone.nullable(),
};

/** An invitation. */
export const NewUser = input({
  ...personal,
  email: Email,
  role_id: refTo('roles'),
}).partial({ phone: true, locale: true, language: true, timezone: true });

/**
 * Changes to a user. `status` requests an action: `disabled` disables an active user, `active` enables a disabled one.
 */
export const UserChange = input({
  ...personal,
  email: Email,
  role_id: refTo('roles'),
  status: stateRequest(users, ['active', 'disabled'], ['enable', 'disable']),
  version,
}).partial();

export const UserReset = input({
  revoke_api_keys,
  remove_second_factor: z
    .boolean()
    .default(false)
    .describe('Whether to remove the second factor, if the user has lost the app and the recovery codes.'),
});

export const UserFilter = list(User, {
  filter: [
    'id',
    'name',
    'email',
    'kind',
    'role_id',
    'status',
    'email_verified_at',
    'employee_id',
    'customer_id',
    'vendor_id',
    'team_id',
    'created_at',
    'updated_at',
  ],
  sort: ['created_at', 'updated_at', 'name', 'email'],
  search: true,
  expand: ['role'],
});

/** Entry of the account log. */
export const UserLogEntry = z.object({
  id: Id,
  user_id: Id,
  user: z.object({ id: Id, name: z.string(), email: z.string().nullable() }).nullable().optional(),
  event: choice(...LOG_EVENTS),
  address: z.string(),
  user_agent: z.string(),
  /** Session or API key of the entry. */
  subject_id: Id.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.describe('Identical to `created_at`, because entries never change.'),
});

export const UserLogFilter = list(UserLogEntry, {
  filter: ['id', 'user_id', 'event', 'address', 'subject_id', 'created_at'],
  sort: ['created_at'],
  expand: ['user'],
});

/** Colleague or contact, with the fields visible to all users who work with them. */
export const Contact = User.pick({
  id: true,
  name: true,
  email: true,
  phone: true,
  kind: true,
  status: true,
  photo_thumbnail_url: true,
  created_at: true,
  updated_at: true,
});

export const ContactFilter = list(Contact, {
  filter: ['id', 'name', 'email', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});
