/**
 * Statements across workspaces, except the one about accounts in sign-in/account.ts. A user must be identified before
 * their workspace is known: an address, a token or a key does not identify its workspace.
 */
import { everyWorkspace, type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  type Limits,
  EFFECTIVE_LIMITS,
  EFFECTIVE_MODULES,
  joinEffectivePlan,
} from '../../entitlements/entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';

/** Refresh token with its session. */
export interface RefreshTokenWithSession {
  id: string;
  workspace_id: string;
  session_id: string;
  user_id: string;
  /** True if the session may continue: neither ended nor expired, and its user and workspace are active. */
  alive: boolean;
}

/** Condition for a user without a confirmed second factor, neither an app nor a number. */
const HAS_NO_FACTOR = sql`(
  NOT EXISTS (SELECT FROM second_factors WHERE second_factors.id = users.id AND second_factors.confirmed_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM sms_factors WHERE sms_factors.id = users.id AND sms_factors.confirmed_at IS NOT NULL))`;

/** Returns the refresh token with a hash. */
export const findRefreshToken = (db: Db, token_hash: string): Promise<RefreshTokenWithSession | undefined> =>
  everyWorkspace(db, async (all) => {
    const [link] = await all.rows<RefreshTokenWithSession>(sql`
      SELECT refresh_tokens.id, refresh_tokens.workspace_id, session_id, user_id,
        revoked_at IS NULL AND sessions.expires_at > now() AND users.status = 'active' AND users.email_verified_at IS NOT NULL AND workspaces.status = 'active'
          AND NOT (workspaces.second_factor_required AND ${HAS_NO_FACTOR}) AS alive
      FROM refresh_tokens
        JOIN sessions ON sessions.id = session_id
        JOIN users ON users.id = user_id
        JOIN workspaces ON workspaces.id = users.workspace_id
      WHERE token_hash = ${token_hash}`);
    return link;
  });

/** Valid link from an e-mail. */
export interface OpenLink {
  id: string;
  workspace_id: string;
  user_id: string;
  /** Address that the link was sent to. */
  email: string;
  /** Name of the user that the link was sent to. */
  name: string;
}

/** Returns the valid link with a hash and one of the given purposes. */
export const findOpenLink = (db: Db, purposes: string[], token_hash: string): Promise<OpenLink | undefined> =>
  everyWorkspace(db, async (all) => {
    const [link] = await all.rows<OpenLink>(sql`
      SELECT one_time_links.id, one_time_links.workspace_id, user_id, one_time_links.email, users.name
      FROM one_time_links JOIN users ON users.id = user_id
      WHERE token_hash = ${token_hash} AND purpose = ANY(${purposes}) AND used_at IS NULL AND expires_at > now()`);
    return link;
  });

/** User of a valid session or API key. */
export interface CredentialUser {
  /** ID of the session or key. */
  credential_id: string;
  user_id: string;
  user_name: string;
  kind: string;
  workspace_id: string;
  timezone: string;
  /** Time zone chosen by the user. */
  user_timezone: string | null;
  currency: string;
  modules: string[];
  limits: Limits;
  subscription_status: string;
  /** Time at which modules and limits next change automatically. Null if they do not. */
  entitled_until: string | null;
  role: { key: string; system: boolean; permissions: string[]; record_scopes: object };
  /** web | tracker. Empty for API keys. */
  purpose: string;
  scopes: string[];
  allowed_ips: string[];
  expires_at: string | null;
  /** Users of their team, including themselves. Empty without a team. */
  team: string[];
  /** True if its use was recorded within the last minute. */
  noted: boolean;
  /** True if the workspace requires a second factor that this user has not set up. */
  unenrolled: boolean;
}

const findCredentialUser = (db: Db, credential: Sql): Promise<CredentialUser | undefined> =>
  everyWorkspace(db, async (all) => {
    const now = clock.now();
    const [bearer] = await all.rows<CredentialUser>(sql`
      SELECT credential.id AS credential_id, users.id AS user_id, users.name AS user_name, users.kind,
        workspaces.id AS workspace_id, workspaces.timezone, users.timezone AS user_timezone, workspaces.currency, ${EFFECTIVE_MODULES} AS modules,
        ${EFFECTIVE_LIMITS} AS limits, entitlements.status AS subscription_status,
        CASE WHEN entitlements.until > ${now} THEN entitlements.until END AS entitled_until,
        jsonb_build_object('key', roles.key, 'system', roles.system, 'permissions', roles.permissions, 'record_scopes', roles.record_scopes) AS role,
        credential.purpose, credential.scopes, credential.allowed_ips, credential.expires_at,
        ARRAY(
          SELECT mate.user_id::text FROM team_members AS own
            JOIN team_members AS mate ON mate.workspace_id = own.workspace_id AND mate.team_id = own.team_id
          WHERE own.workspace_id = users.workspace_id AND own.user_id = users.id ORDER BY mate.user_id) AS team,
        coalesce(last_uses.at > now() - interval '1 minute', false) AS noted,
        workspaces.second_factor_required AND ${HAS_NO_FACTOR} AS unenrolled
      FROM (${credential}) AS credential
        JOIN users ON users.id = credential.user_id AND users.status = 'active' AND users.email_verified_at IS NOT NULL
        JOIN roles ON roles.id = users.role_id
        JOIN workspaces ON workspaces.id = users.workspace_id AND workspaces.status = 'active'
        ${joinEffectivePlan(now)}
        LEFT JOIN last_uses ON last_uses.id = credential.id
      WHERE credential.expires_at IS NULL OR credential.expires_at > now()`);
    return bearer;
  });

/** Returns the user of a session that has not ended. */
export const findUserOfSession = (db: Db, id: string): Promise<CredentialUser | undefined> =>
  findCredentialUser(
    db,
    sql`SELECT id, user_id, purpose, '{*}'::text[] AS scopes, '{}'::text[] AS allowed_ips, expires_at FROM sessions WHERE id = ${id}::uuid AND revoked_at IS NULL`,
  );

/** Returns the user of a valid API key. */
export const findUserOfKey = (db: Db, secret_hash: string): Promise<CredentialUser | undefined> =>
  findCredentialUser(
    db,
    sql`SELECT id, user_id, '' AS purpose, scopes, allowed_ips, expires_at FROM api_keys WHERE secret_hash = ${secret_hash} AND revoked_at IS NULL`,
  );

/** White-label instance of a valid token. */
export interface TokenInstance {
  token_id: string;
  id: string;
  name: string;
  status: string;
  mode: string;
  expires_at: string | null;
}

/** Returns the instance of a valid token. */
export const findInstanceOfToken = (db: Db, token_hash: string): Promise<TokenInstance | undefined> =>
  everyWorkspace(db, async (all) => {
    const [bearer] = await all.rows<TokenInstance>(sql`
      SELECT wl_tokens.id AS token_id, wl_instances.id, name, status, mode, expires_at
      FROM wl_tokens JOIN wl_instances ON wl_instances.id = wl_tokens.wl_instance_id
      WHERE token_hash = ${token_hash} AND (expires_at IS NULL OR expires_at > ${clock.now()})`);
    return bearer;
  });

/**
 * Removes a deleted user's personal data from the audit log, which nothing else may change. A function of the database
 * owner does so, only for deleted users of this workspace.
 */
export const redactAudit = (db: Db, user_id: string): Promise<unknown> =>
  db.rows(sql`SELECT redact_audit_of_user(${user_id}::uuid)::text`);

/** Returns a free short name for a workspace, based on the given one. */
export const findFreeSlug = (db: Db, preferred: string): Promise<string> =>
  everyWorkspace(db, async (all) => {
    const taken = await all.rows<{ slug: string }>(
      sql`SELECT slug FROM workspaces WHERE starts_with(slug, ${preferred})`,
    );
    const slugs = new Set(taken.map(({ slug }) => slug));
    let slug = preferred;
    for (let number = 2; slugs.has(slug); number += 1) slug = `${preferred}-${number}`;
    return slug;
  });

/** Deletes expired rows in all workspaces: full allowances, and sessions and links a month after they ended. */
export async function deleteExpired(all: Db): Promise<void> {
  await all.rows(sql`DELETE FROM login_allowances WHERE full_at < now()`);
  await all.rows(sql`DELETE FROM sessions WHERE expires_at < now() - interval '30 days'`);
  await all.rows(sql`DELETE FROM login_challenges WHERE expires_at < now()`);
  await all.rows(sql`DELETE FROM devices WHERE last_used_at < now() - interval '180 days'`);
  await all.rows(sql`
    DELETE FROM devices USING (SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY last_used_at DESC) AS place FROM devices) AS placed
    WHERE placed.id = devices.id AND placed.place > 50`);
  await all.rows(sql`DELETE FROM one_time_links WHERE expires_at < now() - interval '30 days'`);
  await all.rows(sql`DELETE FROM wl_tokens WHERE expires_at < now() - interval '400 days'`);
  await all.rows(sql`DELETE FROM last_uses WHERE at < now() - interval '400 days'`);
  await all.rows(sql`
    WITH expired AS (
      SELECT workspace_id, max(sequence) AS sequence FROM feed_changes WHERE at < now() - interval '30 days' GROUP BY workspace_id),
    removed AS (
      DELETE FROM feed_changes USING expired
      WHERE feed_changes.workspace_id = expired.workspace_id AND feed_changes.sequence <= expired.sequence)
    UPDATE change_feeds SET removed_sequence = expired.sequence FROM expired WHERE change_feeds.workspace_id = expired.workspace_id`);
}
