import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Member, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { isApiKey } from '@suite/chassis/identity';
import { platform as contents } from '../../platform.ts';
import { authenticate, openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';
import { isAddressAllowed } from './api-key.rules.ts';

const platform = await start(contents);
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const PATH = '/api/v1/settings/api-keys';
const make = async (by: Member, input: object = {}) => (await by.post(PATH, { name: 'Script', ...input })).body.data;
const using = (token: string, address?: string) => authenticate(platform, { $case: 'api_key', value: token }, address);

describe('an API key', () => {
  test('is shown in full once, and is recognisable afterwards', async () => {
    const sales = await acme.as('sales');
    const { status, body } = await sales.post(PATH, { name: 'Nightly export' });
    expect(status).toBe(201);
    const { token, ...key } = body.data;
    expect(isApiKey(token)).toBe(true);
    expect(key).toMatchObject({
      name: 'Nightly export',
      prefix: token.slice(0, 8),
      last4: token.slice(-4),
      status: 'active',
      scopes: ['*'],
    });
    const listed = await sales.get(`${PATH}?id=${key.id}`);
    expect(listed.body.data).toEqual([key]);
    const [row] = await platform.sql`SELECT to_jsonb(api_keys) AS row FROM api_keys WHERE id = ${key.id}`;
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test('has the current permissions of its owner', async () => {
    const other = await openWorkspace(platform);
    const { token } = await make(await other.as('sales'));
    const before = await using(token);
    expect(before.caller).toMatchObject({
      user_id: other.users.sales,
      workspace_id: other.id,
      role: 'sales',
      record_scopes: { lead: 'own' },
    });
    expect(before.caller.permissions).toContain('lead.convert');
    await platform.sql`UPDATE users SET role_id = ${other.roles.staff} WHERE id = ${other.users.sales}`;
    expect((await using(token)).caller.permissions).not.toContain('lead.convert');
    const [{ last_used_at }] = (await (await other.as('sales')).get(PATH)).body.data;
    expect(last_used_at).not.toBeNull();
  });

  test('is restricted to its scopes and to the current permissions of its owner', async () => {
    const other = await openWorkspace(platform);
    const { token } = await make(await other.as('sales'), { scopes: ['lead.view', 'deal.view'] });
    expect((await using(token)).caller.permissions).toEqual(['lead.view', 'deal.view']);
    await platform.sql`UPDATE users SET role_id = ${other.roles.client}, kind = 'client' WHERE id = ${other.users.sales}`;
    expect((await using(token)).caller.permissions).toEqual(['deal.view']);
  });

  test('cannot access the account if its scopes include no account scope', async () => {
    const staff = await acme.as('staff');
    const only = await using((await make(staff, { scopes: ['product.view'] })).token);
    const calls = [
      await only.get('/api/user'),
      await only.get('/api/staff-user'),
      await only.get('/api/client-user'),
      await only.post('/api/edit-profile', { name: 'Mallory' }),
    ];
    for (const reply of calls) expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const reader = await using((await make(staff, { scopes: ['account.view'] })).token);
    expect((await reader.get('/api/user')).body.data.permissions).toEqual(['account.view']);
    expect(await reader.post('/api/edit-profile', { name: 'Mallory' })).toMatchObject({
      status: 403,
      body: { details: { permission: 'account.update' } },
    });
    const writer = await using((await make(staff, { scopes: ['account.update'] })).token);
    expect((await writer.post('/api/edit-profile', { name: 'Staff Example' })).status).toBe(200);
    const whole = await using((await make(staff)).token);
    expect((await whole.get('/api/user')).status).toBe(200);
  });

  test('cannot have scopes that its owner lacks', async () => {
    const sales = await acme.as('sales');
    const reply = await sales.post(PATH, { name: 'Script', scopes: ['lead.view', 'user.create'] });
    expect(reply).toMatchObject({
      status: 422,
      body: { errors: { scopes: ['You do not have the permission user.create. Remove the scope.'] } },
    });
  });

  test('cannot create or restore keys', async () => {
    const { token } = await make(await acme.as('owner'));
    expect(await (await using(token)).post(PATH, { name: 'Another' })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    });
  });

  test('stops working when it is revoked or expires, or its owner is disabled', async () => {
    const other = await openWorkspace(platform);
    const staff = await other.as('staff');
    const [revoked, expired, orphaned] = [await make(staff), await make(staff), await make(staff)];
    const reply = await staff.delete(`${PATH}/${revoked.id}`);
    expect(reply).toMatchObject({ status: 200, body: { data: { id: revoked.id, status: 'revoked' } } });
    await platform.sql`UPDATE api_keys SET expires_at = now() WHERE id = ${expired.id}`;
    for (const { token } of [revoked, expired]) await expect(using(token)).rejects.toMatchObject({ status: 401 });
    await expect(using(orphaned.token)).resolves.toBeDefined();
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${other.users.staff}`;
    await expect(using(orphaned.token)).rejects.toMatchObject({ status: 401 });
    const listed = await staff.get(`${PATH}?sort=created_at`);
    expect(listed.body.data.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'expired', 'active']);
  });

  test('is revoked once by repeated requests', async () => {
    const staff = await acme.as('staff');
    const { id } = await make(staff);
    const replies = await runConcurrently(5, () => staff.delete(`${PATH}/${id}`));
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 200]);
    expect(await platform.sql`SELECT FROM journal_events WHERE aggregate_id = ${id}`).toHaveLength(1);
    expect(await platform.sql`SELECT event FROM user_log WHERE subject_id = ${id} ORDER BY created_at`).toEqual([
      { event: 'key_create' },
      { event: 'key_revoke' },
    ]);
  });

  test('is visible to its owner and to workspace owners only', async () => {
    const { id } = await make(await acme.as('hr'));
    const manager = await acme.as('manager');
    expect((await manager.get(`${PATH}?id=${id}`)).body.data).toEqual([]);
    expect((await manager.delete(`${PATH}/${id}`)).status).toBe(404);
    const owner = await acme.as('owner');
    expect((await owner.get(`${PATH}?id=${id}`)).body.data).toHaveLength(1);
    expect((await owner.delete(`${PATH}/${id}`)).status).toBe(200);
  });

  test('is created once with an Idempotency-Key, and not shown again', async () => {
    const hr = await acme.as('hr');
    const headers = { 'idempotency-key': 'make-it-once' };
    const [first, again] = [
      await hr.post(PATH, { name: 'Once' }, { headers }),
      await hr.post(PATH, { name: 'Once' }, { headers }),
    ];
    expect(sortedStatuses([first, again])).toEqual([201, 201]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data).toEqual({ ...first.body.data, token: null });
  });

  test('works only from its allowed addresses', async () => {
    const { token } = await make(await acme.as('staff'), { allowed_ips: ['198.51.100.0/24', '2001:db8::/32'] });
    await expect(using(token, '198.51.100.9')).resolves.toBeDefined();
    await expect(using(token, '2001:db8::9')).resolves.toBeDefined();
    await expect(using(token, '203.0.113.9')).rejects.toMatchObject({ status: 401 });
    await expect(using(token, '')).rejects.toMatchObject({ status: 401 });
  });

  test('records its use at most once a minute', async () => {
    const { token, id } = await make(await acme.as('staff'));
    const seen = () => platform.sql`SELECT at FROM last_uses WHERE id = ${id}`;
    await using(token);
    const first = await seen();
    await using(token);
    expect(await seen()).toEqual(first);
    await platform.sql`UPDATE last_uses SET at = at - interval '61 s' WHERE id = ${id}`;
    await using(token);
    expect((await seen())[0]!.at.getTime()).toBeGreaterThanOrEqual(first[0]!.at.getTime());
  });

  test.each([
    ['no name', {}, 'name'],
    ['an unknown scope', { name: 'x', scopes: ['lead.fly'] }, 'scopes.0'],
    ['no scope at all', { name: 'x', scopes: [] }, 'scopes'],
    ['an end in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an invalid expiry time', { name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
    ['an invalid address', { name: 'x', allowed_ips: ['10.0.0.0/99'] }, 'allowed_ips.0'],
    ['a token of its own', { name: 'x', token: 'bms_mine' }, 'token'],
    ['another owner', { name: 'x', user_id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10' }, 'user_id'],
  ])('is rejected with %s', async (_, input, field) => {
    const reply = await (await acme.as('staff')).post(PATH, input);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe('an address', () => {
  test.each([
    ['10.1.2.3', [], true],
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['::ffff:10.1.2.3', ['10.1.2.3'], true],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['', ['10.0.0.0/8'], false],
  ])('is compared as %s with the allowed list %j: %s', (address, allowed, may) => {
    expect(isAddressAllowed(address, allowed)).toBe(may);
  });
});

describe('GET /api/v1/me', () => {
  test.each([['lead.view'], ['account.view'], ['customer.view']])(
    'returns the account behind an API key with the scope %s only',
    async (scope) => {
      const owner = await acme.as('owner');
      const { id, token } = await make(owner, { name: 'Zap', scopes: [scope] });
      const by = await using(token);
      const { status, body } = await by.get('/api/v1/me');
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        id: owner.caller.user_id,
        kind: 'owner',
        workspace: { id: owner.caller.workspace_id, base_currency: expect.stringMatching(/^[A-Z]{3}$/) },
        api_key: { id, name: 'Zap', expires_at: null },
      });
      expect(body.data.permissions).toEqual([...by.caller.permissions]);
      expect(body.data.label).toBe(`${body.data.name} (${body.data.workspace.name})`);
    },
  );

  test('returns the account of a session without an API key', async () => {
    const client = await acme.as('client');
    expect((await client.get('/api/v1/me')).body.data).toMatchObject({ kind: 'client', api_key: null });
    expect((await platform.anonymous.get('/api/v1/me')).status).toBe(401);
  });
});
