/** Accounts by address, across all workspaces: a sign-in has no workspace yet. */
import { everyWorkspace, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Account that a sign-in is checked against. Without a user ID, the account does not exist. */
export interface LoginAccount {
  user_id: string | null;
  workspace_id: string;
  status: string;
  workspace_status: string;
  password_hash: string | null;
  /** True if the address is verified. Sign-in requires a verified address. */
  is_verified: boolean;
  /** Known device of this account, if its token was sent. */
  device_id: string | null;
}

/** Account requested by a sign-in. */
export interface LoginTarget {
  email: string;
  /** Short name of a workspace. Optional. */
  workspace: string | undefined;
  device_token_hash: string;
}

const UNKNOWN_USER_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the account for an address. Chosen: an address may have accounts in several workspaces, each with its own
 * password, so an invitation reveals nothing about other workspaces. Without a workspace name, the usable account with
 * the earliest verified address is chosen. No other user can therefore create an account that takes precedence. An
 * unknown address is looked up in the same way, with a placeholder ID, so that the response time reveals nothing.
 */
export const findAccountByEmail = (
  db: Db,
  { email, workspace = '', device_token_hash }: LoginTarget,
): Promise<LoginAccount> =>
  everyWorkspace(db, async (all) => {
    const [found] = await all.rows<LoginAccount & { workspace: string | null }>(sql`
      SELECT nullif(account.id, ${UNKNOWN_USER_ID}::uuid) AS user_id, account.workspace_id, account.status,
        workspaces.status AS workspace_status, passwords.hash AS password_hash, account.email_verified_at IS NOT NULL AS is_verified, devices.id AS device_id,
        workspaces.slug AS workspace
      FROM (
          SELECT id, workspace_id, status, email_verified_at, created_at FROM users WHERE email = ${email}
          UNION ALL
          SELECT ${UNKNOWN_USER_ID}::uuid, ${UNKNOWN_USER_ID}::uuid, 'nobody', NULL, now() WHERE NOT EXISTS (SELECT FROM users WHERE email = ${email})
        ) AS account
        LEFT JOIN workspaces ON workspaces.id = account.workspace_id
        LEFT JOIN passwords ON passwords.id = account.id
        LEFT JOIN devices ON devices.token_hash = ${device_token_hash} AND devices.user_id = account.id
      ORDER BY ${workspace}::text <> '' AND workspaces.slug IS DISTINCT FROM ${workspace}::text,
        account.status = 'active' AND workspaces.status = 'active' AND passwords.hash IS NOT NULL DESC,
        email_verified_at NULLS LAST, account.created_at, account.id
      LIMIT 1`);
    const { workspace: slug, ...account } = found!;
    if (workspace === '' || slug === workspace) return account;
    return { ...account, user_id: null, password_hash: null, device_id: null };
  });
