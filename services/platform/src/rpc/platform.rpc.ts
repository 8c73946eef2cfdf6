/** The methods of platform for the gateway and other services: identifying callers and looking up users. */
import {
  type Database,
  Email,
  Forbidden,
  Id,
  isApiKey,
  ModuleDisabled,
  Name,
  Phone,
  serveMethods,
  sql,
  Unauthenticated,
} from '@suite/chassis';
import {
  type IntrospectRequest,
  PlatformServiceDefinition,
  type User as UserLabel,
} from '@suite/proto/platform/v1/platform';
import { z } from 'zod';
import { type Bearer, bearerOfKey, bearerOfSession } from '../identity/across-workspaces.ts';
import { hashOf } from '../identity/token.ts';
import { mayUseFrom, narrowed } from '../keys/api-key.rules.ts';
import { byItself, type Db, method } from '../operations.ts';
import { avatarUrl } from '../pictures/picture.ts';
import { RoleExceedsCaller, rightsOf } from '../roles/role.rules.ts';
import { EnrolmentNeeded, SecondFactorNeeded } from '../second-factor/challenge.ts';
import { NewPassword, TrackerCredentials } from '../sessions/session.schema.ts';
import { AccountDisabled, WorkspaceSuspended, WrongCredentials } from '../sign-in/password-sign-in.ts';
import { signInToTrack } from '../sign-in/tracker-sign-in.ts';

import * as clients from '../users/client-user.ts';
import * as staff from '../users/staff-user.ts';
import { SecondFactorMissing } from '../second-factor/second-factor.ts';
import { type User } from '../accounts/user.ts';
import { holdersOfRights } from '../accounts/rights.ts';
import { EmailTaken, PlanLimit } from '../accounts/user.rules.ts';
import { letterhead } from '../workspaces/letterhead.ts';

const { methods } = PlatformServiceDefinition;

/** The fields of a user that other services may know. */
const labelOf = ({ id, name, email, kind, status, phone, timezone, photo_thumbnail }: User): UserLabel => ({
  user_id: id,
  name,
  email: email ?? '',
  kind,
  status,
  phone: phone ?? '',
  timezone: timezone ?? undefined,
  avatar_url: avatarUrl(photo_thumbnail),
});

/** Looks up the user of a credential; a malformed one costs no query. */
async function bearer(database: Database<Db>, { credential }: IntrospectRequest): Promise<Bearer | undefined> {
  const context = byItself('rpc:introspect');
  if (credential?.$case === 'session_id') {
    if (!Id.safeParse(credential.value).success) return undefined;
    return await database.read(context, (db) => bearerOfSession(db, credential.value));
  }
  if (credential?.$case === 'api_key' && isApiKey(credential.value)) {
    return await database.read(context, (db) => bearerOfKey(db, hashOf(credential.value)));
  }
  return undefined;
}

/** Notes that a session or key was used, at most once a minute. */
async function recordKeyUse(database: Database<Db>, found: Bearer, address: string): Promise<void> {
  if (found.noted) return;
  await database.write(byItself('rpc:introspect', found.workspace_id), (db) =>
    db.rows(sql`
      INSERT INTO last_uses (id, address) VALUES (${found.credential_id}::uuid, ${address})
      ON CONFLICT (id) DO UPDATE SET at = now(), address = EXCLUDED.address WHERE last_uses.at <= now() - interval '1 minute'`),
  );
}

/** The bearer of a credential, as the gateway and services read them. A session of a tracker has no permission at all. */
function introspected(found: Bearer, isKey: boolean) {
  const rights = rightsOf(found.role);
  const { permissions, record_scopes } = isKey ? narrowed(rights, found.scopes) : rights;
  // Others need it for nothing, and it goes with every request.
  const team = Object.values(record_scopes).includes('team') ? found.team : [];
  return {
    user_id: found.user_id,
    user_name: found.user_name,
    user_kind: found.kind,
    workspace_id: found.workspace_id,
    role: found.role.key,
    permissions: found.purpose === 'tracker' ? [] : [...permissions],
    record_scopes: { ...record_scopes },
    modules: found.modules,
    timezone: found.timezone,
    user_timezone: found.user_timezone ?? '',
    currency: found.currency,
    session_id: isKey ? '' : found.credential_id,
    api_key_id: isKey ? found.credential_id : '',
    purpose: found.purpose,
    expires_at: found.expires_at ?? undefined,
    team,
  };
}

/** Looks up the user of a session or an API key, with the rights. */
const introspect = method(methods.introspect, {
  summary: 'Find out who calls',
  access: 'gateway',
  faults: [SecondFactorMissing],
  async handle({ database, input: request }) {
    const found = await bearer(database, request);
    if (!found || !mayUseFrom(request.address, found.allowed_ips)) throw Unauthenticated();
    if (found.unenrolled) throw SecondFactorMissing();
    await recordKeyUse(database, found, request.address);
    return introspected(found, request.credential?.$case === 'api_key');
  },
});

/** Opens a session that can track time and nothing else. */
const signIn = method(methods.signInToTrack, {
  summary: 'Sign in to track time',
  access: 'stranger',
  input: TrackerCredentials,
  faults: [
    WrongCredentials,
    AccountDisabled,
    WorkspaceSuspended,
    ModuleDisabled,
    Forbidden,
    SecondFactorNeeded,
    EnrolmentNeeded,
  ],
  async handle({ input, ...context }) {
    const { session_id, user, ...tokens } = await signInToTrack(context, input);
    const bearer = await context.database.read(byItself('rpc:sign-in-to-track'), (db) =>
      bearerOfSession(db, session_id),
    );
    if (!bearer) throw Unauthenticated();
    return { ...tokens, ...user, bearer: introspected(bearer, false) };
  },
});

/** Users by their ids, as far as other services may know them; those that are gone are left out. */
const batchGetUsers = method(methods.batchGetUsers, {
  summary: 'Look up users',
  visible: true,
  input: z.object({ user_ids: z.array(Id).max(1_000, 'Send at most 1000 ids.') }),
  async handle({ db, input: { user_ids } }) {
    const users = await db.user.findMany({ where: { id: { in: user_ids }, status: { not: 'deleted' } } });
    return { users: users.map(labelOf) };
  },
});

/** The present rights of users who may sign in. A service asks by itself: what it tells them later, it tells by their rights. */
const batchGetRights = method(methods.batchGetRights, {
  summary: 'Look up what users may do',
  access: 'settling',
  input: z.object({ user_ids: z.array(Id).max(1_000, 'Send at most 1000 ids.') }),
  async handle({ db, input: { user_ids } }) {
    const holders = await holdersOfRights(db, user_ids);
    return {
      users: holders.map(({ user, role, team, ...rest }) => {
        const { permissions, record_scopes } = rightsOf(role);
        const isOfTeam = Object.values(record_scopes).includes('team');
        return {
          user,
          role: role.key,
          permissions: [...permissions],
          record_scopes: { ...record_scopes },
          team: isOfTeam ? team : [],
          ...rest,
        };
      }),
    };
  },
});

/** The letterhead of the caller's workspace. */
const getLetterhead = method(methods.getLetterhead, {
  summary: 'Look up the letterhead',
  prepare: ({ read, storage, caller }) => letterhead(read, storage, caller.workspace_id),
  handle: async ({ prepared }) => prepared,
});

/** The client user with an address, or a new one who is pending until the command that needs them has succeeded. */
const ensureClientUser = method(methods.ensureClientUser, {
  summary: 'Find or make a client user',
  idempotent: true,
  input: z.object({
    idempotency_key: z.string().min(1, 'Send an idempotency key.').max(255),
    name: Name,
    email: Email,
    phone: Phone.or(z.literal('')),
    password: NewPassword.or(z.literal('')),
  }),
  faults: [EmailTaken],
  boundTo: ({ name, email, phone, password }, seal) => [name, email, phone, seal({ password })],
  prepare: ({ input }) => clients.hashOfPassword(input),
  async handle({ db, input, prepared: hash }) {
    const { user, created } = await clients.ensureClientUser(db, input, hash);
    return { user: labelOf(user), created };
  },
});

/** The member of staff with an address, or a new one who is pending until the command that needs him has succeeded. */
const ensureStaffUser = method(methods.ensureStaffUser, {
  summary: 'Find or make a member of staff',
  idempotent: true,
  input: z.object({
    idempotency_key: z.string().min(1, 'Send an idempotency key.').max(255),
    name: Name,
    email: Email,
    role_key: z.string().min(1).max(50),
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
  ensureClientUser,
  ensureStaffUser,
});
