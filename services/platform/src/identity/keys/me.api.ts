/** The account of an access token or API key. Integrations use it to test their connection. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { anyCredential, ok } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { CredentialOwner } from './me.schema.ts';

interface OwnerRow {
  name: string;
  email: string;
  workspace: { id: string; name: string; timezone: string; base_currency: string };
  key_name: string | null;
  key_expires_at: string | null;
}

export const show = query('GET /api/v1/me', {
  summary: 'Get the account of an API key',
  description:
    'Returns 200 for every valid access token and API key, regardless of its permissions and scopes. Use it to test a connection and to label it. `GET /api/user` returns the whole profile, for keys with the scope `account.view`.',
  addition: 'Integrations test a connection with a call that succeeds for every valid key, regardless of its scopes.',
  access: anyCredential,
  reply: ok(CredentialOwner),
  async handle({ db, caller }) {
    const [row] = await db.rows<OwnerRow>(sql`
      SELECT users.name, email,
        jsonb_build_object('id', workspaces.id, 'name', workspaces.name, 'timezone', workspaces.timezone, 'base_currency', currency) AS workspace,
        api_keys.name AS key_name, expires_at AS key_expires_at
      FROM users
        JOIN workspaces ON workspaces.id = users.workspace_id
        LEFT JOIN api_keys ON api_keys.id = ${caller.api_key_id ?? null}::uuid
      WHERE users.id = ${caller.user_id}::uuid`);
    if (!row) throw NotFound();
    const { name, email, workspace, key_name, key_expires_at: expires_at } = row;
    return {
      name,
      email,
      workspace,
      api_key: caller.api_key_id ? { id: caller.api_key_id, name: key_name ?? '', expires_at } : null,
      id: caller.user_id,
      kind: caller.kind,
      label: `${name} (${workspace.name})`,
      permissions: [...caller.permissions],
      modules: [...caller.modules],
    };
  },
});
