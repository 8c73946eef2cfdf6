import {
  Actions,
  choice,
  Email,
  Id,
  input,
  list,
  Name,
  Phone,
  record,
  refTo,
  Timestamp,
  version,
  Zone,
  Locale,
} from '@suite/chassis';
import { z } from 'zod';
import { revoke_api_keys } from '../fields.schema.ts';
import { USER_KINDS } from '../roles/seeded-roles.ts';
import { LOG_EVENTS } from './user-log.ts';
import { users } from './user.rules.ts';

/** The fields of a role that a user's record shows. */
export const RoleLabel = z.object({ id: Id, key: z.string(), name: z.string() });

/** A user as the workspace's own people see it. */
export const User = record({
  name: z.string(),
  email: z.string(),
  /** The new address, until its owner has confirmed it. */
  pending_email: z.string().nullable(),
  email_verified_at: Timestamp.nullable(),
  kind: choice(...USER_KINDS),
  role_id: Id,
  role: RoleLabel.optional(),
  status: choice('invited', 'active', 'disabled'),
  phone: z.string().nullable(),
  /** Good for an hour. */
  photo_url: z.string().nullable(),
  photo_thumbnail_url: z.string().nullable(),
  locale: z.string().nullable(),
  language: z.string().nullable(),
  /** Their own IANA zone, where it is not the workspace's. */
  timezone: z.string().nullable(),
  // Chosen: each link is written at the record that it opens, by somebody who may read that record. These only show it.
  employee_id: Id.nullable().describe('The employee who signs in with this account. Set at the employee.'),
  customer_id: Id.nullable().describe('The customer that this client follows in the portal. Set at the customer.'),
  vendor_id: Id.nullable().describe('The vendor that this account follows in the portal. Set at the vendor.'),
  team_id: Id.nullable(),
  last_login_at: Timestamp.nullable(),
  /** The actions that this caller may take on the account now. */
  allowed_actions: Actions(users),
});

/** The fields that users may change of themselves. */
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

/** `status` asks for an action: `disabled` disables an active user, `active` enables a disabled one. */
export const UserChange = input({
  ...personal,
  email: Email,
  role_id: refTo('roles'),
  status: choice('active', 'disabled'),
  version,
}).partial();

export const UserReset = input({
  revoke_api_keys,
  remove_second_factor: z
    .boolean()
    .default(false)
    .describe('Use it if the user has lost the app and the recovery codes.'),
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

/** A line of the account log. */
export const UserLogEntry = z.object({
  id: Id,
  user_id: Id,
  user: z.object({ id: Id, name: z.string(), email: z.string().nullable() }).nullable().optional(),
  event: choice(...LOG_EVENTS),
  address: z.string(),
  user_agent: z.string(),
  /** The session or API key that it was about. */
  subject_id: Id.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.describe('The same as `created_at`: entries are never changed.'),
});

export const UserLogFilter = list(UserLogEntry, {
  filter: ['id', 'user_id', 'event', 'address', 'subject_id', 'created_at'],
  sort: ['created_at'],
  expand: ['user'],
});

/** A colleague or contact, as everybody who works with them may see them. */
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
