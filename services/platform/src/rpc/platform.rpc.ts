/** What platform answers to the gateway and to other services: who is calling, and who somebody is. */
import {
  type Caller,
  type Database,
  Email,
  Id,
  invalid,
  Name,
  Phone,
  serveRpc,
  sql,
  Unauthenticated,
  isApiKey,
} from '@suite/chassis';
import {
  type IntrospectRequest,
  type IntrospectResponse,
  PlatformServiceDefinition,
  type User as UserLabel,
} from '@suite/proto/platform/v1/platform';
import { z } from 'zod';
import { type Bearer, bearerOfKey, bearerOfSession } from '../identity/across-workspaces.ts';
import { hashOf } from '../identity/token.ts';
import { mayUseFrom, narrowed } from '../keys/api-key.ts';
import { byItself, type Db } from '../operations.ts';
import { rightsOf } from '../roles/role.ts';
import { NewPassword } from '../sessions/session.schema.ts';
import { ensureClientUser, ensuredBefore, hashOfPassword } from '../users/client-user.ts';
import { SecondFactorMissing } from '../second-factor/second-factor.ts';
import type { User } from '../users/user.ts';
import { letterhead } from '../workspaces/letterhead.ts';

/** As much of a user as other services may know. */
const labelOf = ({ id, name, email, kind, status, phone }: User): UserLabel => ({
  user_id: id,
  name,
  email: email ?? '',
  kind,
  status,
  phone: phone ?? '',
});

/** Whose credential this is, without asking the database about what cannot be one. */
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
async function noteUse(database: Database<Db>, found: Bearer, address: string): Promise<void> {
  if (found.noted) return;
  await database.write(byItself('rpc:introspect', found.workspace_id), (db) =>
    db.rows(sql`
      INSERT INTO last_uses (id, address) VALUES (${found.credential_id}::uuid, ${address})
      ON CONFLICT (id) DO UPDATE SET at = now(), address = EXCLUDED.address WHERE last_uses.at <= now() - interval '1 minute'`),
  );
}

async function introspect(
  request: IntrospectRequest,
  { database }: { database: Database<Db> },
): Promise<IntrospectResponse> {
  const found = await bearer(database, request);
  if (!found || !mayUseFrom(request.address, found.allowed_ips)) throw Unauthenticated();
  if (found.unenrolled) throw SecondFactorMissing();
  await noteUse(database, found, request.address);
  const isKey = request.credential?.$case === 'api_key';
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
    permissions: [...permissions],
    record_scopes: { ...record_scopes },
    modules: found.modules,
    timezone: found.timezone,
    currency: found.currency,
    session_id: isKey ? '' : found.credential_id,
    api_key_id: isKey ? found.credential_id : '',
    expires_at: found.expires_at ?? undefined,
    team,
  };
}

const Wanted = z.object({
  idempotency_key: z.string().min(1).max(255),
  name: Name,
  email: Email,
  phone: Phone.or(z.literal('')),
  password: NewPassword.or(z.literal('')),
});

/** The caller's workspace; these methods answer about no other. */
function contextOf({ caller, request_id }: { caller: Caller | null; request_id: string }, operation: string) {
  if (!caller) throw Unauthenticated();
  return { workspace_id: caller.workspace_id, caller, operation, request_id };
}

export const platformRpc = serveRpc<typeof PlatformServiceDefinition, Db>(PlatformServiceDefinition, {
  introspect,

  async batchGetUsers({ user_ids }, context) {
    const wrong = user_ids.find((id) => !Id.safeParse(id).success);
    if (wrong !== undefined || user_ids.length > 1_000)
      throw invalid('user_ids', 'Send at most 1000 ids, each a UUID.');
    const users = await context.database.view(contextOf(context, 'rpc:batchGetUsers'), (db) =>
      db.user.findMany({ where: { id: { in: user_ids }, status: { not: 'deleted' } } }),
    );
    return { users: users.map(labelOf) };
  },

  async getLetterhead(_, context) {
    const asked = contextOf(context, 'rpc:getLetterhead');
    const { database, storage } = context;
    return await letterhead((work) => database.read(asked, work), storage, asked.workspace_id);
  },

  async ensureClientUser(request, context) {
    const parsed = Wanted.safeParse(request);
    if (!parsed.success) throw invalid(String(parsed.error.issues[0]?.path[0]), parsed.error.issues[0]!.message);
    const { database } = context;
    const asked = contextOf(context, 'rpc:ensureClientUser');
    const before = await database.read(asked, (db) => ensuredBefore(db, parsed.data));
    const hash = before ? null : await hashOfPassword(parsed.data);
    const { user, created } = before ?? (await database.write(asked, (db) => ensureClientUser(db, parsed.data, hash)));
    return { user: labelOf(user), created };
  },
});
