/** Methods of platform for the gateway and other services: identify callers and look up users. */
import { Forbidden, ModuleDisabled, PlanLimit, Unauthenticated } from '@suite/chassis/faults';
import { Email, Id, Name, Phone } from '@suite/chassis/fields';
import { serveMethods } from '@suite/chassis/rpc';
import { PlatformServiceDefinition, type User as UserLabel } from '@suite/proto/platform/v1/platform';
import { z } from 'zod';
import { findUserOfSession } from '../identity/workspaces-of-users/across-workspaces.ts';
import { withoutCaller, method } from '../operations.ts';
import { avatarUrl } from '../identity/accounts/picture.ts';
import { RoleExceedsCaller } from '../identity/roles/role.rules.ts';
import { EnrolmentRequired, SecondFactorRequired } from '../identity/second-factor/challenge.ts';
import { NewPassword, TrackerCredentials } from '../identity/sessions/session.schema.ts';
import {
  AccountDisabled,
  EmailUnverified,
  WorkspaceSuspended,
  WrongCredentials,
} from '../identity/sign-in/password-sign-in.ts';
import { signInToTrack } from '../identity/sign-in/tracker-sign-in.ts';

import * as clients from '../workspaces/users/client-user.ts';
import * as staff from '../workspaces/users/staff-user.ts';
import { type StoredUser } from '../identity/accounts/user.ts';
import { readRightsHolders, toRightsResponse } from '../identity/accounts/rights.ts';
import { EmailTaken } from '../identity/accounts/user.rules.ts';
import { queueReminder } from '../connections/sms-messages/sms-reminder.ts';
import { recordStorage } from '../entitlements/storage-use/storage-use.ts';
import { letterheadResponse } from '../workspaces/workspaces/letterhead.ts';
import { findWorkspace } from '../workspaces/workspaces/workspace.ts';
import { emailTerms } from '../identity/mail/email-terms.ts';
import { introspect, toIntrospection } from './introspection.ts';

const { methods } = PlatformServiceDefinition;

/** Returns the user fields that other services can know. */
const labelOf = ({
  id,
  name,
  email,
  kind,
  status,
  phone,
  timezone,
  photo_thumbnail,
  ...user
}: StoredUser): UserLabel => ({
  user_id: id,
  name,
  email: email ?? '',
  kind,
  status,
  phone: phone ?? '',
  timezone: timezone ?? undefined,
  avatar_url: avatarUrl(photo_thumbnail),
  email_verified: user.email_verified_at !== null,
});

/** Returns the status of a workspace and its enabled modules. */
const getWorkspace = method(methods.getWorkspace, {
  summary: "Get a workspace's enabled modules",
  access: 'stranger',
  only: ['crm', 'hr', 'support'],
  input: z.object({ workspace_id: Id }),
  async handle({ database, input: { workspace_id } }) {
    const found = await database.read(withoutCaller('rpc:get-workspace', workspace_id), (db) =>
      findWorkspace(db, workspace_id),
    );
    return { active: found?.active ?? false, modules: found?.modules ?? [], country: found?.country ?? '' };
  },
});

/** Stores the storage use of a service for a workspace. Returns the data needed to enforce the plan. */
const reportStorage = method(methods.reportStorage, {
  summary: 'Record the storage use of a workspace',
  access: 'stranger',
  only: ['crm', 'hr', 'inventory', 'projects', 'support'],
  input: z.object({ workspace_id: Id, bytes: z.string().regex(/^\d{1,18}$/, 'Send a number of bytes.') }),
  handle: ({ database, issuer, input: { workspace_id, bytes } }) =>
    database.write(withoutCaller('rpc:report-storage', workspace_id), (db) =>
      recordStorage(db, { workspace_id, service: issuer, bytes }),
    ),
});

/** Returns the e-mail settings of a workspace, for an e-mail of another service. */
const prepareEmail = method(methods.prepareEmail, {
  summary: 'Count the recipients of an e-mail',
  access: 'stranger',
  only: ['crm', 'hr', 'projects', 'support'],
  input: z.object({ workspace_id: Id, recipients: z.int().min(0).max(1_000) }),
  handle: ({ database, input: { workspace_id, recipients } }) =>
    database.write(withoutCaller('rpc:prepare-email', workspace_id), (db) => emailTerms(db, workspace_id, recipients)),
});

/**
 * Sends a reminder by text message, or returns why it was not sent. Services call it without a user, when a reminder is
 * due.
 */
const sendSms = method(methods.sendSms, {
  summary: 'Send a reminder by text message',
  access: 'settling',
  only: ['crm'],
  idempotent: true,
  input: z.object({
    idempotency_key: z.string().min(1, 'Send an idempotency key.').max(255),
    user_id: Id,
    text: z.string().trim().min(1, 'Enter the text of the reminder.').max(1_000),
  }),
  handle: ({ db, input: { user_id, text } }) => queueReminder(db, user_id, text),
});

/** Opens a session that can only track time. */
const signIn = method(methods.signInToTrack, {
  summary: 'Sign in to the time tracker',
  access: 'stranger',
  only: ['projects'],
  input: TrackerCredentials,
  faults: [
    WrongCredentials,
    AccountDisabled,
    EmailUnverified,
    WorkspaceSuspended,
    ModuleDisabled,
    Forbidden,
    SecondFactorRequired,
    EnrolmentRequired,
  ],
  async handle({ input, ...context }) {
    const { session_id, user, ...tokens } = await signInToTrack(context, input);
    const bearer = await context.database.read(withoutCaller('rpc:sign-in-to-track'), (db) =>
      findUserOfSession(db, session_id),
    );
    if (!bearer) throw Unauthenticated();
    return { ...tokens, ...user, bearer: toIntrospection(bearer, false) };
  },
});

/** Returns users by ID, with the fields that other services may read. Deleted users are omitted. */
const batchGetUsers = method(methods.batchGetUsers, {
  summary: 'Get users by ID',
  only: ['crm', 'finance', 'hr', 'projects', 'support'],
  visible: true,
  input: z.object({ user_ids: z.array(Id).max(1_000, 'Send at most 1000 IDs.') }),
  async handle({ db, input: { user_ids } }) {
    const users = await db.user.findMany({ where: { id: { in: user_ids }, status: { not: 'deleted' } } });
    return { users: users.map(labelOf) };
  },
});

/**
 * Returns the current permissions of users who may sign in. Services call it without a caller, to filter later
 * notifications by permission.
 */
const batchGetRights = method(methods.batchGetRights, {
  summary: 'Get the permissions of users',
  access: 'settling',
  only: ['crm', 'hr', 'inventory', 'projects', 'support'],
  input: z.object({ user_ids: z.array(Id).max(1_000, 'Send at most 1000 IDs.') }),
  handle: async ({ db, input: { user_ids } }) => ({
    users: (await readRightsHolders(db, user_ids)).map(toRightsResponse),
  }),
});

/** Returns the letterhead of the caller's workspace. */
const getLetterhead = method(methods.getLetterhead, {
  summary: "Get a workspace's letterhead",
  only: ['crm', 'finance', 'hr'],
  prepare: ({ read, storage, caller }) => letterheadResponse(read, storage, caller.workspace_id),
  handle: async ({ prepared }) => prepared,
});

/** Returns the client user with an address. A new user is pending until the command that needs them succeeds. */
const ensureClientUser = method(methods.ensureClientUser, {
  summary: 'Get or create a client user',
  only: ['crm', 'projects'],
  idempotent: true,
  input: z.object({
    idempotency_key: z.string().min(1, 'Send an idempotency key.').max(255),
    name: Name,
    email: Email,
    phone: Phone.or(z.literal('')),
    password: NewPassword.or(z.literal('')),
  }),
  faults: [EmailTaken, clients.ClientHasAccount],
  boundTo: ({ name, email, phone, password }, seal) => [name, email, phone, seal({ password })],
  prepare: ({ input, caller }) => clients.hashOfPassword(input, caller?.workspace_id),
  async handle({ db, input, prepared: hash }) {
    const { user, created } = await clients.ensureClientUser(db, input, hash);
    return { user: labelOf(user), created };
  },
});

/**
 * Returns the staff user with an address. A new user stays pending until the command that needs the user has succeeded.
 */
const ensureStaffUser = method(methods.ensureStaffUser, {
  summary: 'Get or create a staff user',
  only: ['hr'],
  idempotent: true,
  dry_run: true,
  input: z.object({
    idempotency_key: z.string().min(1, 'Send an idempotency key.').max(255),
    name: Name,
    email: Email,
    role_key: z.string().min(1).max(50),
    dry_run: z.boolean().default(false),
  }),
  faults: [EmailTaken, PlanLimit, RoleExceedsCaller],
  boundTo: ({ email, role_key }) => [email, role_key],
  async handle({ db, caller, input }) {
    const { user, created } = await staff.ensureStaffUser(db, caller, input);
    return { user: labelOf(user), created };
  },
});

export const platformRpc = serveMethods(PlatformServiceDefinition, {
  introspect,
  signInToTrack: signIn,
  batchGetUsers,
  batchGetRights,
  getLetterhead,
  getWorkspace,
  reportStorage,
  prepareEmail,
  sendSms,
  ensureClientUser,
  ensureStaffUser,
});
