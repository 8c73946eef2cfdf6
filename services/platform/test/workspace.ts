/** Test fixture: a workspace with one user for each seeded role, authenticated as in the gateway. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { Clients } from '@suite/chassis/rpc';
import { clock } from '@suite/chassis/runtime';
import { type Member, memberOf, methodClients, type ServiceUnderTest } from '@suite/testing';
import {
  type IntrospectRequest,
  type IntrospectResponse,
  PlatformServiceDefinition,
} from '@suite/proto/platform/v1/platform';
import jwt from 'jsonwebtoken';
import { executeAccountRequests } from '../src/identity/login-throttling/account-request.ts';
import { platformRpc } from '../src/rpc/platform.rpc.ts';
import { hashPassword, knownOrigin } from '../src/identity/passwords/password.ts';
import { withoutCaller, type Db } from '../src/operations.ts';
import type { SeededRoleKey } from '../src/identity/roles/seeded-roles.ts';
import { provisionWorkspace } from '../src/workspaces/workspaces/workspace.ts';

export const PASSWORD = 'correct horse battery staple';
const hashed = hashPassword(PASSWORD, knownOrigin('test'));

/** Signed-in user, with the response to the sign-in. */
export interface SignedIn extends Member {
  access_token: string;
  refresh_token: string;
}

/** Workspace on a running platform. */
export interface TestWorkspace {
  id: string;
  /** IDs of the users, one for each seeded role. */
  users: Record<SeededRoleKey, string>;
  roles: Record<SeededRoleKey, string>;
  email(role: SeededRoleKey): string;
  /** Returns the user of a role, signed in once per workspace. */
  as(role: SeededRoleKey): Promise<SignedIn>;
}

const ADDRESS = '203.0.113.7';

/** Clients by platform, so that calls share a connection. */
const clients = new WeakMap<ServiceUnderTest, ReturnType<typeof methodClients<typeof PlatformServiceDefinition>>>();

/**
 * Returns platform's gRPC methods, for a caller of the workspace or without one.
 * @param as process that calls. Defaults to the first process that the method permits
 */
export function rpcOf(
  platform: ServiceUnderTest,
  caller: Caller | null = null,
  as?: string,
): Clients<{ platform: typeof PlatformServiceDefinition }>['platform'] {
  const served = { ...platformRpc, definition: PlatformServiceDefinition };
  const client = clients.get(platform) ?? methodClients(platform, served);
  clients.set(platform, client);
  return client(caller, as);
}

function callerOf({
  user_kind,
  session_id,
  api_key_id,
  record_scopes,
  team,
  purpose,
  user_timezone,
  limits: _limits,
  subscription_status: _status,
  entitled_until: _until,
  expires_at: _,
  instance,
  ...same
}: IntrospectResponse): Caller {
  const kind = user_kind as Caller['kind'];
  const scopes = record_scopes as Caller['record_scopes'];
  const credential = {
    ...(session_id && { session_id }),
    ...(api_key_id && { api_key_id }),
    ...(purpose === 'tracker' && { purpose: 'tracker' as const }),
    ...(user_timezone && { user_timezone }),
    ...(instance && { instance: { id: instance.id, mode: instance.mode as 'live' | 'test' } }),
  };
  return { ...same, kind, record_scopes: scopes, ...(team.length > 0 && { team }), ...credential };
}

/** Authenticates a credential, with the permissions from platform. */
export async function authenticate(
  platform: ServiceUnderTest,
  credential: IntrospectRequest['credential'],
  address = ADDRESS,
): Promise<Member> {
  const caller = callerOf(await rpcOf(platform).introspect({ credential, address }));
  return memberOf(platform, caller);
}

/** Signs in with an address and a password. */
export async function signIn(platform: ServiceUnderTest, email: string, password = PASSWORD): Promise<SignedIn> {
  const { status, body } = await platform.anonymous.post('/api/login', { email, password });
  if (status !== 200) throw new Error(`Sign-in as ${email} returned ${status} ${body?.code}.`);
  const { access_token, refresh_token } = body.data;
  const { sid } = jwt.decode(access_token) as { sid: string };
  const member = await authenticate(platform, { $case: 'session_id', value: sid });
  return Object.assign(member, { access_token, refresh_token });
}

async function seed(database: Database<Db>, id: string, plan: string, email: (role: SeededRoleKey) => string) {
  const hash = await hashed;
  return await database.write(withoutCaller('test', id), async (db, emit) => {
    const owner = { name: 'Olga Owner', email: email('owner') };
    const slug = `acme-${id.slice(-12)}`;
    const settings = { timezone: 'Europe/Berlin', currency: 'EUR', fiscal_year_start: '01-01' };
    await provisionWorkspace(db, emit, { id, name: 'Acme', slug, plan, ...settings, owner });
    const roles = await db.role.findMany();
    for (const { key, kind, id: role_id } of roles) {
      if (key !== 'owner')
        await db.user.create({ data: { name: `${key} example`, email: email(key as SeededRoleKey), kind, role_id } });
    }
    await db.user.updateMany({ data: { status: 'active', email_verified_at: clock.now() } });
    const users = await db.user.findMany({ include: { role: true } });
    await db.password.createMany({ data: users.map((user) => ({ id: user.id, hash })) });
    return {
      users: Object.fromEntries(users.map((user) => [user.role.key, user.id])) as Record<SeededRoleKey, string>,
      roles: Object.fromEntries(roles.map((role) => [role.key, role.id])) as Record<SeededRoleKey, string>,
    };
  });
}

/** Creates the workspace Acme in Berlin and euros, with an active user for each seeded role. All have one password. */
export async function openWorkspace(platform: ServiceUnderTest, plan = 'enterprise'): Promise<TestWorkspace> {
  const id = randomUUID();
  const email = (role: SeededRoleKey) => `${role}.${id}@example.test`;
  const { users, roles } = await seed(platform.database as Database<Db>, id, plan, email);
  const sessions = new Map<SeededRoleKey, Promise<SignedIn>>();
  const as = (role: SeededRoleKey) => {
    const session = sessions.get(role) ?? signIn(platform, email(role));
    sessions.set(role, session);
    return session;
  };
  return { id, users, roles, email, as };
}

let invited = 0;

/** Returns the body that invites an unknown user. The role defaults to staff. */
export function invitation(workspace: TestWorkspace, fields: object = {}) {
  invited += 1;
  return { name: 'Ida Invited', email: `ida-${invited}@example.test`, role_id: workspace.roles.staff, ...fields };
}

/** Executes account requests of unauthenticated callers, as the schedule does a moment later. */
export const executeRequests = (platform: ServiceUnderTest) => executeAccountRequests.work(platform.tools as never);

/** Returns the e-mails that were sent or are queued for a user. */
export async function mailsFor(platform: ServiceUnderTest, user_id: string): Promise<string[]> {
  const mails = await platform.sql`
    SELECT letter FROM outgoing_mail WHERE user_id = ${user_id} AND status <> 'cancelled' ORDER BY created_at, id`;
  return mails.map(({ letter }) => letter);
}
