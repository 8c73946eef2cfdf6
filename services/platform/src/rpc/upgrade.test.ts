import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, forwardedCaller, eventPublisher, start } from '@suite/testing';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { openWorkspace, PASSWORD } from '../../test/workspace.ts';
import { platform as contents } from '../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { say } = await eventPublisher(platform);
const migration = new URL('../../prisma/migrations/20261122160616_rpc_keys/migration.sql', import.meta.url);

/** Moves the keys to the previous table of platform. */
const keepAsBefore = ({ name, email }: { name: string; email: string }) =>
  platform.admin.query(`
    ALTER TABLE client_requests RENAME CONSTRAINT client_requests_pkey TO ensured_users_pkey;
    ALTER TABLE client_requests
      RENAME CONSTRAINT client_requests_workspace_id_user_id_fkey TO ensured_users_workspace_id_user_id_fkey;
    ALTER INDEX client_requests_workspace_id_user_id_idx RENAME TO ensured_users_workspace_id_user_id_idx;
    ALTER TABLE client_requests RENAME TO ensured_users;
    ALTER TABLE ensured_users ADD COLUMN created boolean DEFAULT true, ADD COLUMN name text DEFAULT '${name}',
      ADD COLUMN email text DEFAULT '${email}', ADD COLUMN phone text;
    DELETE FROM rpc_keys`);

test('returns a client user from before the shared key table, and confirms them', async () => {
  const acme = await openWorkspace(platform);
  const { caller } = await acme.as('sales');
  const services = { platform: { definition: PlatformServiceDefinition, address: `127.0.0.1:${platform.grpc_port}` } };
  const rpc = connectRpc(services, keysOf('crm')).as(forwardedCaller('crm', caller), randomUUID()).platform;
  const email = `clara.${randomUUID()}@example.test`;
  const client = { idempotency_key: randomUUID(), name: 'Clara', email, phone: '' };
  const payload = await rpc.ensureClientUser({ ...client, password: PASSWORD });
  await keepAsBefore(client);
  await platform.admin.query(readFileSync(migration, 'utf8'));

  expect(await rpc.ensureClientUser({ ...client, password: PASSWORD })).toMatchObject({
    created: true,
    user: { user_id: payload.user!.user_id, email },
  });
  const { user_id } = payload.user!;
  const converted = { lead_id: randomUUID(), deal_id: randomUUID(), client_ids: [user_id] };
  await say(acme.id, 'crm.lead.converted', { ...converted, new_client: { ...client, user_id } });
  expect(await platform.sql`SELECT status, kind FROM users WHERE id = ${user_id}`).toEqual([
    { status: 'invited', kind: 'client' },
  ]);
});
