/**
 * Personal API keys let a program act as a user. A key is shown once. Scopes, IP addresses and an expiry date can
 * restrict it.
 */
import { find, sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { newApiKey } from '@suite/chassis/identity';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page } from '@suite/chassis/operations';
import { tokenHash, keyHints } from '../../tokens/token.ts';
import { queueMail } from '../mail/mail-templates.ts';
import { command, query } from '../../operations.ts';
import { originOf } from '../sessions/device.ts';
import { SessionRequired } from '../sessions/session.ts';
import { findUser } from '../accounts/user.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';
import { revokeKeys } from './api-key.ts';
import { assertOwnScopes, apiKeyActions } from './api-key.rules.ts';
import { ApiKey, ApiKeyFilter, ApiKeyInput, NewApiKey } from './api-key.schema.ts';

const LAST_USED = sql`(SELECT at FROM last_uses WHERE last_uses.workspace_id = api_keys.workspace_id AND last_uses.id = api_keys.id)`;
const STATUS = sql`CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END`;

export const list = query('GET /api/v1/settings/api-keys', {
  summary: 'List API keys',
  description: 'Returns your API keys. Owners see the keys of all users. The secret part of a key is never returned.',
  access: can('apikey.view'),
  query: ApiKeyFilter,
  reply: page(ApiKey),
  handle: ({ db, query }) =>
    paginate(db, query, {
      table: 'api_keys',
      compute: { last_used_at: LAST_USED, status: STATUS },
    }),
});

export const create = command('POST /api/v1/settings/api-keys', {
  summary: 'Create an API key',
  description:
    'Creates an API key with your permissions. Returns the whole key once: a repeated request does not show it again. `scopes` restrict the key to some permissions. The scopes `account.view` and `account.update` also open operations without a permission, such as your account.',
  access: can('apikey.create'),
  body: ApiKeyInput,
  reply: created(NewApiKey),
  faults: [SessionRequired],
  async handle({ db, body, caller, request }) {
    // Chosen: only users create keys. A key that creates keys would outlive its own revocation.
    if (!caller.session_id) throw SessionRequired();
    assertOwnScopes(caller, body.scopes);
    const token = newApiKey();
    const data = {
      ...body,
      ...keyHints(token),
      user_id: caller.user_id,
      secret_hash: tokenHash(token),
    };
    const key = await db.apiKey.create({ data });
    await recordAccountEvent(db, 'key_create', caller.user_id, request, key.id);
    const { email } = await findUser(db, caller.user_id);
    await queueMail(db, 'new_api_key', caller.user_id, email!, { ...originOf(request), prefix: key.prefix });
    return { ...key, status: 'active' as const, last_used_at: null, token };
  },
});

export const revoke = command('DELETE /api/v1/settings/api-keys/{id}', {
  summary: 'Revoke an API key',
  description: 'Revokes the key: it stops working immediately. Revoking it again changes nothing.',
  access: apiKeyActions.can('revoke'),
  params: { id: idOf('api_keys') },
  reply: ok(ApiKey),
  async handle({ db, params, request, emit }) {
    await revokeKeys(db, emit, { id: params.id }, request);
    const key = await find(db.apiKey, params.id);
    const [use] = await db.rows<{ at: string | null }>(
      sql`SELECT ${LAST_USED} AS at FROM api_keys WHERE id = ${params.id}::uuid`,
    );
    return { ...key, status: 'revoked' as const, last_used_at: use?.at ?? null };
  },
});
