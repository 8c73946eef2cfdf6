import { beforeAll, describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../platform.ts';
import type { Database } from '@suite/chassis/database';
import { newApiKey } from '@suite/chassis/identity';
import { withoutCaller, type Db } from '../operations.ts';
import { assignPlan } from '../entitlements/plans/plan.ts';
import { authenticate, openWorkspace, rpcOf, type TestWorkspace } from '../../test/workspace.ts';

// Started without schedules, so that only the calls of the tests are counted.
const platform = await start({ ...contents, schedules: [] });
let acme: TestWorkspace;
let globex: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  globex = await openWorkspace(platform);
});

describe('introspection', () => {
  test('returns the user of a session and their current permissions', async () => {
    const { caller } = await acme.as('sales');
    const payload = await rpcOf(platform).introspect({
      credential: { $case: 'session_id', value: caller.session_id! },
      address: '',
    });
    expect(payload).toMatchObject({
      user_id: acme.users.sales,
      user_name: 'sales example',
      user_kind: 'staff',
      workspace_id: acme.id,
      role: 'sales',
      record_scopes: { lead: 'own', deal: 'own' },
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      session_id: caller.session_id,
      api_key_id: '',
    });
    expect(payload.modules).toContain('crm');
    expect(Date.parse(String(payload.expires_at))).toBeGreaterThan(Date.now());
  });

  test('depends on the plan of the workspace', async () => {
    const other = await openWorkspace(platform, 'starter');
    const staff = await other.as('staff');
    expect(staff.caller.modules).toEqual(['crm', 'products']);
    const database = platform.database as Database<Db>;
    await database.write(withoutCaller('test', other.id), (db, emit) =>
      assignPlan(db, emit, other.id, { code: 'business' }),
    );
    const again = await authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! });
    expect(again.caller.modules).toContain('invoicing');
  });

  test('rejects sessions and keys of a suspended workspace', async () => {
    const other = await openWorkspace(platform);
    const staff = await other.as('staff');
    const { token } = (await staff.post('/api/v1/settings/api-keys', { name: 'Script' })).body.data;
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${other.id}`;
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).rejects.toMatchObject({
      status: 401,
    });
    await expect(authenticate(platform, { $case: 'api_key', value: token })).rejects.toMatchObject({ status: 401 });
  });

  test.each([
    ['nothing', undefined],
    ['an unknown session', { $case: 'session_id' as const, value: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10' }],
    ['an invalid session ID', { $case: 'session_id' as const, value: "' OR true --" }],
    ['an unknown key', { $case: 'api_key' as const, value: newApiKey() }],
    ['a key that is none', { $case: 'api_key' as const, value: 'bms_x' }],
  ])('rejects %s', async (_, credential) => {
    await expect(rpcOf(platform).introspect({ credential, address: '' })).rejects.toMatchObject({ status: 401 });
  });

  test('needs no query for a key with a wrong checksum', async () => {
    const key = newApiKey();
    const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const before = platform.database.statements;
    await expect(
      rpcOf(platform).introspect({ credential: { $case: 'api_key', value: wrong }, address: '' }),
    ).rejects.toMatchObject({ status: 401 });
    expect(platform.database.statements).toBe(before);
  });
});

describe('the enabled modules of a workspace', () => {
  const look = (workspace_id: string) => rpcOf(platform).getWorkspace({ workspace_id });

  test('follow the currently effective plan, whether or not its end was announced', async () => {
    const other = await openWorkspace(platform);
    expect(await look(other.id)).toMatchObject({ active: true, modules: expect.arrayContaining(['crm']) });
    await platform.sql`UPDATE entitlements SET until = now() + interval '1 hour' WHERE workspace_id = ${other.id}`;
    expect((await look(other.id)).modules).toContain('crm');
    await platform.sql`UPDATE entitlements SET until = now() - interval '1 second' WHERE workspace_id = ${other.id}`;
    expect(await look(other.id)).toMatchObject({ active: true, modules: [] });
  });

  test('are empty for a suspended or unknown workspace', async () => {
    const other = await openWorkspace(platform);
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${other.id}`;
    expect((await look(other.id)).active).toBe(false);
    expect(await look('00000000-0000-0000-0000-000000000000')).toEqual({ active: false, modules: [], country: '' });
  });
});

describe('permissions in bulk', () => {
  test('equal the session permissions, for active users of the workspace', async () => {
    const sales = await acme.as('sales');
    const session = { $case: 'session_id', value: sales.caller.session_id! } as const;
    const { permissions, record_scopes, modules, role, timezone, currency } = await rpcOf(platform).introspect({
      credential: session,
      address: '',
    });
    const request = { user_ids: [acme.users.sales, globex.users.sales, acme.id] };
    const { users } = await rpcOf(platform, sales.caller).batchGetRights(request);
    const rights = { permissions, record_scopes, modules, role, timezone, currency, team: [] };
    expect(users).toEqual([
      { ...rights, user: expect.objectContaining({ email: acme.email('sales'), kind: 'staff' }) },
    ]);
  });

  test('are empty for users who may not sign in', async () => {
    const other = await openWorkspace(platform);
    const { caller } = await other.as('owner');
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${other.users.hr}`;
    expect(await rpcOf(platform, caller).batchGetRights({ user_ids: [other.users.hr] })).toEqual({ users: [] });
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${other.id}`;
    expect(await rpcOf(platform, caller).batchGetRights({ user_ids: [other.users.staff] })).toEqual({ users: [] });
  });
});

describe('users in bulk', () => {
  test('belong to the caller’s workspace', async () => {
    const { caller } = await acme.as('staff');
    const { users } = await rpcOf(platform, caller).batchGetUsers({
      user_ids: [acme.users.hr, globex.users.hr, acme.id],
    });
    expect(users).toEqual([
      {
        user_id: acme.users.hr,
        name: 'hr example',
        email: acme.email('hr'),
        kind: 'staff',
        status: 'active',
        phone: '',
        email_verified: true,
      },
    ]);
  });

  test('require a workspace and valid IDs', async () => {
    await expect(rpcOf(platform).batchGetUsers({ user_ids: [acme.users.hr] })).rejects.toMatchObject({ status: 401 });
    const { caller } = await acme.as('staff');
    await expect(rpcOf(platform, caller).batchGetUsers({ user_ids: ['x'] })).rejects.toMatchObject({ status: 422 });
  });
});
