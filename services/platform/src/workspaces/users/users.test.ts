import { beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '@suite/chassis/database';
import { start, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';
import { invitation, mailsFor, openWorkspace, executeRequests, type TestWorkspace } from '../../../test/workspace.ts';

// Started without schedules, so that only the calls of the tests are counted.
const platform = await start({ ...contents, schedules: [] });
let acme: TestWorkspace;
let globex: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  globex = await openWorkspace(platform);
});

const events = (id: string) => eventTypesOf(platform, id);
const readMails = (id: string) => mailsFor(platform, id);

describe('inviting a user', () => {
  test('creates an invited user and sends them a link', async () => {
    const owner = await acme.as('owner');
    const input = invitation(acme, { email: 'New.Person@Example.test', phone: '+49 30 1234567' });
    const { status, body } = await owner.post('/api/user/store', input);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Ida Invited',
      email: 'new.person@example.test',
      kind: 'staff',
      status: 'invited',
      email_verified_at: null,
      last_login_at: null,
      allowed_actions: ['update', 'verify', 'delete', 'reset_password'],
      created_by: acme.users.owner,
      version: 1,
    });
    expect(await events(body.data.id)).toEqual(['platform.user.created']);
    expect(await readMails(body.data.id)).toEqual(['invitation']);
  });

  test('is rejected if the address is already in use in the workspace', async () => {
    const owner = await acme.as('owner');
    const reply = await owner.post('/api/user/store', invitation(acme, { email: acme.email('hr').toUpperCase() }));
    expect(reply).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  });

  test("rejects roles that exceed the caller's permissions", async () => {
    const manager = await acme.as('manager');
    for (const role of ['owner', 'hr'] as const) {
      const reply = await manager.post('/api/user/store', invitation(acme, { role_id: acme.roles[role] }));
      expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
    }
    expect((await manager.post('/api/user/store', invitation(acme, { role_id: acme.roles.sales }))).status).toBe(201);
  });

  test('rejects roles of another workspace', async () => {
    const reply = await (await acme.as('owner')).post('/api/user/store', invitation(globex));
    expect(reply).toMatchObject({ status: 422, body: { errors: { role_id: ['Role not found.'] } } });
  });

  test('stops at the limit of the plan, even for twenty concurrent invitations', async () => {
    const small = await openWorkspace(platform, 'business');
    const owner = await small.as('owner');
    const seats = 25 - 8;
    const replies = await runConcurrently(20, () => owner.post('/api/user/store', invitation(small)));
    expect(sortedStatuses(replies)).toEqual([...Array(seats).fill(201), ...Array(20 - seats).fill(409)]);
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'plan_limit',
      details: { limit: 'users', allowed: 25, used: 25 },
    });
    const client = invitation(small, { role_id: small.roles.client });
    expect((await owner.post('/api/user/store', client)).status).toBe(201);
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['no address', { email: 'ida' }, 'email'],
    ['an invalid role ID', { role_id: 'staff' }, 'role_id'],
    ['a kind of its own', { kind: 'owner' }, 'kind'],
    ['a status of its own', { status: 'active' }, 'status'],
    ['a password of its own', { password: 'x' }, 'password'],
    ['an invalid phone number', { phone: 'call me' }, 'phone'],
    ['a locale that is none', { locale: 'xx-YY-zz' }, 'locale'],
    ['an unknown language', { language: 'xx' }, 'language'],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
  ])('is rejected with %s', async (_, input, field) => {
    const reply = await (await acme.as('owner')).post('/api/user/store', invitation(acme, input));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe('the list of users', () => {
  test("returns the workspace's users in at most three statements, newest first", async () => {
    const owner = await globex.as('owner');
    const before = platform.database.statements;
    const { status, body } = await owner.get('/api/users?expand=role&per_page=5');
    expect(platform.database.statements - before).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ total: 10, per_page: 5 });
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

  test('shows the last sign-in of each user', async () => {
    const { body } = await (await globex.as('owner')).get(`/api/users?id=${globex.users.owner}`);
    expect(Date.parse(body.data[0].last_login_at)).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('the account log', () => {
  test('lists events newest first, and cannot be changed', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    await platform.anonymous.post('/api/login', { email: other.email('hr'), password: 'wrong' });
    await executeRequests(platform);
    const { body } = await owner.get('/api/users/log?expand=user');
    expect(body.data).toMatchObject([
      { event: 'login_failed', user_id: other.users.hr, user: { email: other.email('hr') }, address: '127.0.0.1' },
      { event: 'login', user_id: other.users.owner, subject_id: owner.caller.session_id },
    ]);
    expect((await owner.get('/api/users/log?event=login_failed')).body.data).toHaveLength(1);
    const change = platform.database.write(withoutCaller('test', other.id), (db) =>
      (db as Db).rows(sql`DELETE FROM user_log`),
    );
    await expect(change).rejects.toMatchObject({ code: '42501' });
  });
});
