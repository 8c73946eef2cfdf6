import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, together } from '@suite/harness';
import { platform as contents } from '../platform.ts';
import { newApiKey } from '@suite/chassis';
import { admitted, openWorkspace, PASSWORD, rpcOf, signIn, type TestWorkspace } from '../../test/workspace.ts';

// Without its schedules, so that only the calls of the tests are counted.
const platform = await start({ ...contents, schedules: [] });
const second = await start(contents, { replicaOf: platform });
let acme: TestWorkspace;
let globex: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  globex = await openWorkspace(platform);
});

describe('introspection', () => {
  test('tells who the bearer of a session is and what they may do now', async () => {
    const { caller } = await acme.as('sales');
    const told = await rpcOf(platform).introspect({
      credential: { $case: 'session_id', value: caller.session_id! },
      address: '',
    });
    expect(told).toMatchObject({
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
    expect(told.modules).toContain('crm');
    expect(Date.parse(String(told.expires_at))).toBeGreaterThan(Date.now());
  });

  test('follows the plan of the workspace', async () => {
    const other = await openWorkspace(platform, 'starter');
    const staff = await other.as('staff');
    expect(staff.caller.modules).toEqual(['crm', 'products']);
    await platform.sql`UPDATE workspaces SET plan_code = 'business' WHERE id = ${other.id}`;
    const again = await admitted(platform, { $case: 'session_id', value: staff.caller.session_id! });
    expect(again.caller.modules).toContain('invoicing');
  });

  test('refuses sessions and keys of a workspace that was suspended', async () => {
    const other = await openWorkspace(platform);
    const staff = await other.as('staff');
    const { token } = (await staff.post('/api/v1/settings/api-keys', { name: 'Script' })).body.data;
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${other.id}`;
    await expect(admitted(platform, { $case: 'session_id', value: staff.caller.session_id! })).rejects.toMatchObject({
      status: 401,
    });
    await expect(admitted(platform, { $case: 'api_key', value: token })).rejects.toMatchObject({ status: 401 });
  });

  test.each([
    ['nothing', undefined],
    ['an unknown session', { $case: 'session_id' as const, value: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10' }],
    ['a session that is no id', { $case: 'session_id' as const, value: "' OR true --" }],
    ['an unknown key', { $case: 'api_key' as const, value: newApiKey() }],
    ['a key that is none', { $case: 'api_key' as const, value: 'bms_x' }],
  ])('refuses %s', async (_, credential) => {
    await expect(rpcOf(platform).introspect({ credential, address: '' })).rejects.toMatchObject({ status: 401 });
  });

  test('asks the database nothing about a key whose checksum is wrong', async () => {
    const key = newApiKey();
    const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const before = platform.database.statements;
    await expect(
      rpcOf(platform).introspect({ credential: { $case: 'api_key', value: wrong }, address: '' }),
    ).rejects.toMatchObject({ status: 401 });
    expect(platform.database.statements).toBe(before);
  });
});

describe('users in bulk', () => {
  test('are those of the caller’s workspace', async () => {
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
      },
    ]);
  });

  test('are told to nobody without a workspace, and not for what are no ids', async () => {
    await expect(rpcOf(platform).batchGetUsers({ user_ids: [acme.users.hr] })).rejects.toMatchObject({ status: 401 });
    const { caller } = await acme.as('staff');
    await expect(rpcOf(platform, caller).batchGetUsers({ user_ids: ['x'] })).rejects.toMatchObject({ status: 422 });
  });
});

describe('a client user', () => {
  const wanted = (wish: object = {}) => ({
    idempotency_key: `key ${Math.random()}`,
    name: 'Clara Client',
    email: `clara.${Math.random()}@example.test`,
    phone: '',
    password: '',
    ...wish,
  });
  const count = async (email: string) => (await platform.sql`SELECT FROM users WHERE email = ${email}`).length;

  test('is invited when there is none with the address', async () => {
    const { caller } = await acme.as('sales');
    const wish = wanted({ email: 'Clara@Example.test', phone: '+49 30 1234' });
    const told = await rpcOf(platform, caller).ensureClientUser(wish);
    expect(told).toEqual({
      created: true,
      user: {
        user_id: expect.any(String),
        name: 'Clara Client',
        email: 'clara@example.test',
        kind: 'client',
        status: 'invited',
        phone: '+49 30 1234',
      },
    });
    const id = told.user!.user_id;
    expect(await platform.sql`SELECT letter FROM outgoing_mail WHERE user_id = ${id}`).toEqual([
      { letter: 'invitation' },
    ]);
    expect(await platform.sql`SELECT type FROM outbox WHERE aggregate_id = ${id}`).toEqual([
      { type: 'platform.user.created' },
    ]);
  });

  test('is made once by one key, however parallel and over however many replicas', async () => {
    const { caller } = await acme.as('sales');
    const wish = wanted();
    const replicas = [rpcOf(platform, caller), rpcOf(second, caller)] as const;
    const told = await together(50, (at) => replicas[at % 2 ? 1 : 0].ensureClientUser(wish));
    expect(new Set(told.map(({ user }) => user!.user_id)).size).toBe(1);
    expect(told.every(({ created }) => created)).toBe(true);
    expect(await count(wish.email)).toBe(1);
    expect(await platform.sql`SELECT FROM outbox WHERE aggregate_id = ${told[0]!.user!.user_id}`).toHaveLength(1);
  });

  test('is made once for one address, whatever the keys', async () => {
    const { caller } = await acme.as('sales');
    const { email } = wanted();
    const rpc = rpcOf(platform, caller);
    const wishes = Array.from({ length: 20 }, () => wanted({ email }));
    const told = await together(20, (at) => rpc.ensureClientUser(wishes[at]!));
    expect(new Set(told.map(({ user }) => user!.user_id)).size).toBe(1);
    expect(told.filter(({ created }) => created)).toHaveLength(1);
  });

  test('stays the same for a key that comes back with another address', async () => {
    const { caller } = await acme.as('sales');
    const first = wanted();
    const [one, two] = [
      await rpcOf(platform, caller).ensureClientUser(first),
      await rpcOf(platform, caller).ensureClientUser({ ...first, email: wanted().email }),
    ];
    expect(two).toEqual(one);
  });

  test('is whoever in the workspace has the address already', async () => {
    const { caller } = await acme.as('sales');
    const told = await rpcOf(platform, caller).ensureClientUser(wanted({ email: acme.email('client') }));
    expect(told).toMatchObject({ created: false, user: { user_id: acme.users.client } });
  });

  test('is made also with an address that somebody of another workspace has', async () => {
    const { caller } = await acme.as('sales');
    const told = await rpcOf(platform, caller).ensureClientUser(wanted({ email: globex.email('client') }));
    expect(told).toMatchObject({ created: true, user: { status: 'invited' } });
    expect(told.user!.user_id).not.toBe(globex.users.client);
  });

  test('with a password can sign in at once', async () => {
    const { caller } = await acme.as('sales');
    const wish = wanted({ password: PASSWORD });
    expect(await rpcOf(platform, caller).ensureClientUser(wish)).toMatchObject({ user: { status: 'active' } });
    expect((await signIn(platform, wish.email)).caller).toMatchObject({ kind: 'client', role: 'client' });
  });

  test.each([
    ['no key', { idempotency_key: '' }],
    ['no name', { name: ' ' }],
    ['no address', { email: 'clara' }],
    ['a bad password', { password: 'short' }],
    ['a bad telephone number', { phone: 'x' }],
  ])('with %s is refused', async (_, wish) => {
    const { caller } = await acme.as('sales');
    await expect(rpcOf(platform, caller).ensureClientUser(wanted(wish))).rejects.toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
  });
});
