import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, statuses, together } from '@suite/harness';
import { platform as contents } from '../platform.ts';
import { admitted, openWorkspace, PASSWORD, signIn, type TestWorkspace } from '../test-workspace.ts';

const platform = await start(contents);
let acme: TestWorkspace;
let globex: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  globex = await openWorkspace(platform);
});

let invited = 0;
const invitation = (workspace: TestWorkspace, wish: object = {}) => {
  invited += 1;
  return { name: 'Ida Invited', email: `ida-${invited}@example.test`, role_id: workspace.roles.staff, ...wish };
};
const events = async (id: string) =>
  (await platform.sql`SELECT type FROM outbox WHERE aggregate_id = ${id} ORDER BY position`).map(({ type }) => type);
const letters = async (id: string) =>
  (
    await platform.sql`SELECT letter FROM outgoing_mail WHERE user_id = ${id} AND status <> 'cancelled' ORDER BY id`
  ).map(({ letter }) => letter);

describe('inviting somebody', () => {
  test('makes an invited user and sends them a link', async () => {
    const owner = await acme.as('owner');
    const wish = invitation(acme, { email: 'New.Person@Example.test', phone: '+49 30 1234567' });
    const { status, body } = await owner.post('/api/user/store', wish);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Ida Invited',
      email: 'new.person@example.test',
      kind: 'staff',
      status: 'invited',
      email_verified_at: null,
      last_login_at: null,
      allowed_actions: ['verify', 'delete'],
      created_by: acme.users.owner,
      version: 1,
    });
    expect(await events(body.data.id)).toEqual(['platform.user.created']);
    expect(await letters(body.data.id)).toEqual(['invitation']);
  });

  test('with an address that somebody has, here or elsewhere, is refused', async () => {
    const owner = await acme.as('owner');
    for (const email of [acme.email('hr').toUpperCase(), globex.email('hr')]) {
      const reply = await owner.post('/api/user/store', invitation(acme, { email }));
      expect(reply).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    }
  });

  test('gives no role that allows more than the inviter may do', async () => {
    const manager = await acme.as('manager');
    for (const role of ['owner', 'hr'] as const) {
      const reply = await manager.post('/api/user/store', invitation(acme, { role_id: acme.roles[role] }));
      expect(reply).toMatchObject({ status: 403, body: { code: 'beyond_your_rights' } });
    }
    expect((await manager.post('/api/user/store', invitation(acme, { role_id: acme.roles.sales }))).status).toBe(201);
  });

  test('gives no role of another workspace', async () => {
    const reply = await (await acme.as('owner')).post('/api/user/store', invitation(globex));
    expect(reply).toMatchObject({ status: 422, body: { errors: { role_id: ['There is no such role.'] } } });
  });

  test('stops at the limit of the plan, also when twenty are invited at once', async () => {
    const small = await openWorkspace(platform, 'business');
    const owner = await small.as('owner');
    const seats = 25 - 7;
    const replies = await together(20, () => owner.post('/api/user/store', invitation(small)));
    expect(statuses(replies)).toEqual([...Array(seats).fill(201), ...Array(20 - seats).fill(409)]);
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'plan_limit',
      details: { user_limit: 25 },
    });
    const client = invitation(small, { role_id: small.roles.client });
    expect((await owner.post('/api/user/store', client)).status).toBe(201);
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['no address', { email: 'ida' }, 'email'],
    ['a role that is no id', { role_id: 'staff' }, 'role_id'],
    ['a kind of its own', { kind: 'owner' }, 'kind'],
    ['a status of its own', { status: 'active' }, 'status'],
    ['a password of its own', { password: 'x' }, 'password'],
    ['a telephone number that is none', { phone: 'call me' }, 'phone'],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
  ])('with %s is refused', async (_, wish, field) => {
    const reply = await (await acme.as('owner')).post('/api/user/store', invitation(acme, wish));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe('the list of users', () => {
  test('shows people of the workspace in at most three statements, newest first', async () => {
    const owner = await globex.as('owner');
    const before = platform.database.statements;
    const { status, body } = await owner.get('/api/users?expand=role&per_page=5');
    expect(platform.database.statements - before).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ total: 9, per_page: 5 });
    expect(body.data).toHaveLength(5);
    expect(body.data[0]).toMatchObject({ role: { key: expect.any(String) }, last_login_at: null, photo_url: null });
    const all = await owner.get('/api/users?per_page=100');
    expect(all.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      Object.values(globex.users).toSorted(),
    );
  });

  test('filters and searches', async () => {
    const owner = await globex.as('owner');
    const found = async (question: string) =>
      (await owner.get(`/api/users?${question}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found('kind=client')).toEqual([globex.users.client]);
    expect(await found(`email=${globex.email('hr')}`)).toEqual([globex.users.hr]);
    expect(await found('q=olga')).toEqual([globex.users.owner]);
    expect(await found(`q=hr.${globex.id}`)).toEqual([globex.users.hr]);
    expect((await owner.get('/api/users?password_hash=x')).status).toBe(422);
    expect((await owner.get('/api/users?workspace_id=x')).status).toBe(422);
  });

  test('knows when somebody last signed in', async () => {
    const { body } = await (await globex.as('owner')).get(`/api/users?id=${globex.users.owner}`);
    expect(Date.parse(body.data[0].last_login_at)).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('changing a user', () => {
  test('changes their name and announces it', async () => {
    const owner = await acme.as('owner');
    const { status, body, headers } = await owner.post(`/api/user/update/${acme.users.agent}`, {
      name: 'Agneta Agent',
      phone: null,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Agneta Agent', phone: null, updated_by: acme.users.owner });
    expect(headers.get('etag')).toBe(`"${body.data.version}"`);
    expect(await events(acme.users.agent)).toEqual(['platform.user.updated']);
  });

  test('with a version that is stale is refused', async () => {
    const owner = await acme.as('owner');
    const path = `/api/user/update/${acme.users.vendor}`;
    const { body } = await owner.post(path, { name: 'Vera' });
    expect((await owner.post(path, { name: 'Valerie', version: body.data.version - 1 })).status).toBe(412);
    expect(
      (await owner.post(path, { name: 'Valerie' }, { headers: { 'if-match': `"${body.data.version}"` } })).status,
    ).toBe(200);
    expect((await owner.post(path, { status: 'disabled', version: 1 })).status).toBe(412);
  });

  test('to another role takes effect at once and is announced', async () => {
    const other = await openWorkspace(platform);
    const staff = await other.as('staff');
    const reply = await (await other.as('owner')).post(`/api/user/update/${other.users.staff}`, {
      role_id: other.roles.client,
    });
    expect(reply.body.data).toMatchObject({ kind: 'client', role_id: other.roles.client });
    expect(await events(other.users.staff)).toEqual(['platform.user.updated', 'platform.user.access_changed']);
    const again = await admitted(platform, { $case: 'session_id', value: staff.caller.session_id! });
    expect(again.caller).toMatchObject({ kind: 'client', role: 'client' });
  });

  test('who may do more than oneself is refused, whatever the change', async () => {
    const manager = await acme.as('manager');
    const calls = [
      manager.post(`/api/user/update/${acme.users.owner}`, { name: 'Fool' }),
      manager.post(`/api/user/reset-password/${acme.users.owner}`),
      manager.put(`/api/user/verify/${acme.users.hr}`),
      manager.post(`/api/user/update/${acme.users.manager}`, { role_id: acme.roles.owner }),
    ];
    for (const reply of await Promise.all(calls))
      expect(reply).toMatchObject({ status: 403, body: { code: 'beyond_your_rights' } });
  });

  test('of another workspace is answered like one that never was', async () => {
    const owner = await acme.as('owner');
    const unknown = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';
    for (const id of [globex.users.staff, unknown]) {
      const replies = [
        await owner.post(`/api/user/update/${id}`, { name: 'Fool' }),
        await owner.post(`/api/user/reset-password/${id}`),
        await owner.put(`/api/user/verify/${id}`),
        await owner.delete(`/api/user/delete/${id}`),
      ];
      expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([404, 'not_found']));
    }
  });
});

describe('disabling a user', () => {
  test('ends their sessions, and enabling lets them in again', async () => {
    const other = await openWorkspace(platform);
    const [owner, staff] = [await other.as('owner'), await other.as('staff')];
    const path = `/api/user/update/${other.users.staff}`;
    expect((await owner.post(path, { status: 'disabled' })).body.data).toMatchObject({
      status: 'disabled',
      allowed_actions: ['enable', 'delete'],
    });
    await expect(admitted(platform, { $case: 'session_id', value: staff.caller.session_id! })).rejects.toMatchObject({
      status: 401,
    });
    expect((await owner.post(path, { status: 'disabled' })).status).toBe(200);
    expect((await owner.post(path, { status: 'active' })).body.data).toMatchObject({ status: 'active' });
    expect(await events(other.users.staff)).toEqual(['platform.user.disabled', 'platform.user.enabled']);
    await expect(signIn(platform, other.email('staff'))).resolves.toBeDefined();
  });

  test('is no way to activate somebody who was only invited', async () => {
    const owner = await acme.as('owner');
    const { body } = await owner.post('/api/user/store', invitation(acme));
    const reply = await owner.post(`/api/user/update/${body.data.id}`, { status: 'active' });
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'invited', allowed: ['verify', 'delete'] } },
    });
  });
});

describe('the last owner', () => {
  test('is not disabled, demoted or deleted', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    const id = other.users.owner;
    const replies = [
      await owner.post(`/api/user/update/${id}`, { status: 'disabled' }),
      await owner.post(`/api/user/update/${id}`, { role_id: other.roles.manager }),
      await owner.delete(`/api/user/delete/${id}`),
      await owner.delete('/api/delete-account', { password: PASSWORD }),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([409, 'last_owner']));
  });

  test('is left when two owners demote each other at once', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    await owner.post(`/api/user/update/${other.users.manager}`, { role_id: other.roles.owner });
    const second = await signIn(platform, other.email('manager'));
    const replies = await Promise.all([
      owner.post(`/api/user/update/${other.users.manager}`, { role_id: other.roles.staff }),
      second.post(`/api/user/update/${other.users.owner}`, { role_id: other.roles.staff }),
    ]);
    expect(statuses(replies)).toEqual([200, 409]);
    expect(await platform.sql`SELECT FROM users WHERE workspace_id = ${other.id} AND kind = 'owner'`).toHaveLength(1);
  });
});

describe('verifying a user', () => {
  test('activates somebody who was invited, once', async () => {
    const owner = await acme.as('owner');
    const { body } = await owner.post('/api/user/store', invitation(acme));
    const path = `/api/user/verify/${body.data.id}`;
    const replies = await together(5, () => owner.put(path));
    expect(statuses(replies)).toEqual([200, 200, 200, 200, 200]);
    expect((await owner.put(path)).body.data).toMatchObject({
      status: 'active',
      email_verified_at: expect.any(String),
    });
    expect(await events(body.data.id)).toEqual(['platform.user.created', 'platform.user.verified']);
  });

  test('does not bring back somebody who was disabled', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    await owner.post(`/api/user/update/${other.users.staff}`, { status: 'disabled' });
    const reply = await owner.put(`/api/user/verify/${other.users.staff}`);
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { allowed: ['enable', 'delete'] } },
    });
  });
});

describe('resetting a password', () => {
  test('ends the password and the sessions and sends a link', async () => {
    const other = await openWorkspace(platform);
    const [owner, staff] = [await other.as('owner'), await other.as('staff')];
    expect((await owner.post(`/api/user/reset-password/${other.users.staff}`)).status).toBe(200);
    await expect(signIn(platform, other.email('staff'))).rejects.toThrow('wrong_credentials');
    await expect(admitted(platform, { $case: 'session_id', value: staff.caller.session_id! })).rejects.toMatchObject({
      status: 401,
    });
    expect(await letters(other.users.staff)).toEqual(['reset_password']);
  });

  test('of somebody who never had one sends the invitation again', async () => {
    const owner = await acme.as('owner');
    const { body } = await owner.post('/api/user/store', invitation(acme));
    await owner.post(`/api/user/reset-password/${body.data.id}`);
    expect(await letters(body.data.id)).toEqual(['invitation', 'invitation']);
  });
});

describe('the log of accounts', () => {
  test('tells what happened, newest first, and cannot be changed', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    await platform.stranger.post('/api/login', { email: other.email('hr'), password: 'wrong' });
    const { body } = await owner.get('/api/users/log?expand=user');
    expect(body.data).toMatchObject([
      { event: 'login_failed', user_id: other.users.hr, user: { email: other.email('hr') }, address: '127.0.0.1' },
      { event: 'login', user_id: other.users.owner, subject_id: owner.caller.session_id },
    ]);
    expect((await owner.get('/api/users/log?event=login_failed')).body.data).toHaveLength(1);
    const change = platform.database.pool.query(
      `BEGIN; SET LOCAL ROLE suite_confined; SELECT set_config('suite.workspace_id', '${other.id}', true); DELETE FROM user_log`,
    );
    await expect(change).rejects.toThrow('permission denied');
    await platform.database.pool.query('ROLLBACK');
  });
});
