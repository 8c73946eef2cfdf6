/** Pending authorizations, and the suite's registrations at social servers. */
import { sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { clock, orderedId } from '@suite/chassis/runtime';
import { openEncryption, type CipherLocation, openDecryption } from '@suite/field-encryption';
import { assertActive, enterByToken, newWorkspaceToken } from '../../tokens/workspace-token.ts';
import type { Db } from '../../operations.ts';
import { newProofKey } from '../social-server/pkce.ts';
import { SCOPES, type SocialApp } from '../social-server/social-server.ts';
import { AuthorizationExpired } from './social-account.rules.ts';

const LIFETIME_MS = 600_000;

const secretCipherLocation = (id: string): CipherLocation => ({
  table: 'social_apps',
  column: 'client_secret_sealed',
  id,
});
const verifierCipherLocation = (id: string): CipherLocation => ({
  table: 'social_authorizations',
  column: 'verifier_sealed',
  id,
});

/** Returns the app registration at a server, if it exists. */
export async function findApp(db: Db, keys: Keys, server_url: string): Promise<SocialApp | undefined> {
  const row = await db.socialApp.findFirst({ where: { server_url } });
  if (!row) return undefined;
  const encryption = await openDecryption(db, keys.master);
  return {
    client_id: row.client_id,
    client_secret: encryption.open(secretCipherLocation(row.id), row.client_secret_sealed),
  };
}

/** Stores a registration, unless a concurrent request was faster. @returns the stored registration */
export async function storeApp(db: Db, keys: Keys, server_url: string, app: SocialApp): Promise<SocialApp> {
  const id = orderedId();
  const encryption = (await openEncryption(db, keys.master)).seal(secretCipherLocation(id), app.client_secret);
  await db.rows(sql`
    INSERT INTO social_apps (id, server_url, client_id, client_secret_sealed)
    VALUES (${id}::uuid, ${server_url}, ${app.client_id}, ${encryption}) ON CONFLICT (workspace_id, server_url) DO NOTHING`);
  return (await findApp(db, keys, server_url)) ?? app;
}

/** Starts an authorization. @returns the address where the user can allow it within ten minutes */
export async function beginAuthorization(
  db: Db,
  keys: Keys,
  {
    caller,
    server_url,
    app,
    redirect_uri,
  }: { caller: Caller; server_url: string; app: SocialApp; redirect_uri: string },
): Promise<{ authorize_url: string; expires_at: string }> {
  const id = orderedId();
  const { token: state, hash: state_hash } = newWorkspaceToken(caller.workspace_id);
  const { verifier, challenge } = newProofKey();
  const verifier_sealed = (await openEncryption(db, keys.master)).seal(verifierCipherLocation(id), verifier);
  const expires_at = new Date(clock.now().getTime() + LIFETIME_MS);
  const authorization = { id, user_id: caller.user_id, server_url, state_hash, verifier_sealed, expires_at };
  await db.socialAuthorization.deleteMany({ where: { expires_at: { lt: clock.now() } } });
  await db.socialAuthorization.create({ data: authorization });
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri,
    scope: SCOPES,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return { authorize_url: `${server_url}/oauth/authorize?${parameters}`, expires_at: expires_at.toISOString() };
}

/** Authorization whose user has returned. */
export interface UsedAuthorization {
  workspace_id: string;
  user_id: string;
  server_url: string;
  verifier: string;
  app: SocialApp;
}

interface AuthorizationRow {
  id: string;
  workspace_id: string;
  user_id: string;
  server_url: string;
  verifier_sealed: string;
}

/**
 * Uses up an authorization, regardless of the outcome. @throws AuthorizationExpired when it is unknown, used or too old
 */
export async function useAuthorization(
  db: Db,
  keys: Keys,
  caller: Caller | null,
  state: string,
): Promise<UsedAuthorization> {
  const hash = await enterByToken(caller, state);
  await assertActive(db);
  const [row] = await db.rows<AuthorizationRow>(sql`
    UPDATE social_authorizations SET used_at = ${clock.now()}
    FROM users WHERE users.id = user_id AND users.status = 'active'
      AND state_hash = ${hash} AND used_at IS NULL AND expires_at > ${clock.now()}
    RETURNING social_authorizations.id, social_authorizations.workspace_id, user_id, server_url, verifier_sealed`);
  if (!row) throw AuthorizationExpired();
  const { id, workspace_id, user_id, server_url, verifier_sealed } = row;
  const app = await findApp(db, keys, server_url);
  if (!app) throw AuthorizationExpired();
  const verifier = (await openDecryption(db, keys.master)).open(verifierCipherLocation(id), verifier_sealed);
  return { workspace_id, user_id, server_url, verifier, app };
}
