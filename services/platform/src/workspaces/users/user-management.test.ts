import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import {
  authenticate,
  invitation,
  mailsFor,
  openWorkspace,
  PASSWORD,
  signIn,
  type TestWorkspace,
} from '../../../test/workspace.ts';

const platform = await start(contents);
let acme: TestWorkspace;
let globex: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  globex = await openWorkspace(platform);
});

const events = (id: string) => eventTypesOf(platform, id);
const readMails = (id: string) => mailsFor(platform, id);

describe('changing a user', () => {
  test('updates the name and emits an event', async () => {
    const owner = await acme.as('owner');
    const { status, body, headers } = await owner.post(`/api/user/update/${acme.users.agent}`, {
      name: 'Agneta Agent',
      phone: null,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Agneta Agent', phone: null, updated_by: acme.users.owner });
    expect(headers.get('etag')).toMatch(new RegExp(`^"${body.data.version}-`));
    expect(await events(acme.users.agent)).toEqual(['platform.user.updated']);
  });

  test('is rejected with a stale version', async () => {
    const owner = await acme.as('owner');
    const path = `/api/user/update/${acme.users.vendor}`;
    const { body } = await owner.post(path, { name: 'Vera' });
    expect((await owner.post(path, { name: 'Valerie', version: body.data.version - 1 })).status).toBe(412);
    expect(
      (await owner.post(path, { name: 'Valerie' }, { headers: { 'if-match': `"${body.data.version}"` } })).status,
    ).toBe(200);
    expect((await owner.post(path, { status: 'disabled', version: 1 })).status).toBe(412);
  });

  test('takes effect immediately and is announced if it changes the role', async () => {
    const other = await openWorkspace(platform);
    const staff = await other.as('staff');
    const reply = await (await other.as('owner')).post(`/api/user/update/${other.users.staff}`, {
      role_id: other.roles.client,
    });
    expect(reply.body.data).toMatchObject({ kind: 'client', role_id: other.roles.client });
    expect(await events(other.users.staff)).toEqual(['platform.user.updated', 'platform.user.access_changed']);
    const again = await authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! });
    expect(again.caller).toMatchObject({ kind: 'client', role: 'client' });
  });

  test('is rejected for a user with more permissions than the caller, for any change', async () => {
    const manager = await acme.as('manager');
    const calls = [
      manager.post(`/api/user/update/${acme.users.owner}`, { name: 'Fool' }),
      manager.post(`/api/user/reset-password/${acme.users.owner}`),
      manager.put(`/api/user/verify/${acme.users.hr}`),
      manager.post(`/api/user/update/${acme.users.manager}`, { role_id: acme.roles.owner }),
    ];
    for (const reply of await Promise.all(calls))
      expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
  });

  test('returns the same response for a user of another workspace as for an unknown one', async () => {
    const owner = await acme.as('owner');
    const unknown = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';
    for (const id of [globex.users.staff, unknown]) {
      const replies = [
        await owner.post(`/api/user/update/${id}`, { name: 'Fool' }),
        await owner.post(`/api/user/reset-password/${id}`),
        await owner.put(`/api/user/verify/${id}`),
        await owner.delete(`/api/user/delete/${id}`),
      ];
      expect(sortedStatuses(replies)).toEqual(Array(4).fill(404));
      expect(new Set(replies.map(({ body }) => body.code))).toEqual(new Set(['not_found']));
    }
  });
});

describe('disabling a user', () => {
  test('ends their sessions, and enabling permits a sign-in again', async () => {
    const other = await openWorkspace(platform);
    const [owner, staff] = [await other.as('owner'), await other.as('staff')];
    const path = `/api/user/update/${other.users.staff}`;
    expect((await owner.post(path, { status: 'disabled' })).body.data).toMatchObject({
      status: 'disabled',
      allowed_actions: ['update', 'enable', 'delete'],
    });
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).rejects.toMatchObject({
      status: 401,
    });
    expect((await owner.post(path, { status: 'disabled' })).status).toBe(200);
    expect((await owner.post(path, { status: 'active' })).body.data).toMatchObject({ status: 'active' });
    expect(await events(other.users.staff)).toEqual(['platform.user.disabled', 'platform.user.enabled']);
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).rejects.toMatchObject({
      status: 401,
    });
    await expect(signIn(platform, other.email('staff'))).resolves.toBeDefined();
  });

  test('does not activate an invited user', async () => {
    const owner = await acme.as('owner');
    const { body } = await owner.post('/api/user/store', invitation(acme));
    const reply = await owner.post(`/api/user/update/${body.data.id}`, { status: 'active' });
    expect(reply).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        details: { from: 'invited', allowed: ['update', 'verify', 'delete', 'reset_password'] },
      },
    });
  });
});

describe('the last owner', () => {
  test('cannot be disabled, demoted or deleted', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    const id = other.users.owner;
    const replies = [
      await owner.post(`/api/user/update/${id}`, { status: 'disabled' }),
      await owner.post(`/api/user/update/${id}`, { role_id: other.roles.manager }),
      await owner.delete(`/api/user/delete/${id}`),
      await owner.delete('/api/delete-account', { password: PASSWORD }),
    ];
    expect(sortedStatuses(replies)).toEqual(Array(4).fill(409));
    expect(new Set(replies.map(({ body }) => body.code))).toEqual(new Set(['last_owner']));
  });

  test('remains when two owners demote each other concurrently', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    await owner.post(`/api/user/update/${other.users.manager}`, { role_id: other.roles.owner });
    const second = await signIn(platform, other.email('manager'));
    const replies = await Promise.all([
      owner.post(`/api/user/update/${other.users.manager}`, { role_id: other.roles.staff }),
      second.post(`/api/user/update/${other.users.owner}`, { role_id: other.roles.staff }),
    ]);
    expect(sortedStatuses(replies)).toEqual([200, 409]);
    expect(await platform.sql`SELECT FROM users WHERE workspace_id = ${other.id} AND kind = 'owner'`).toHaveLength(1);
  });
});

describe('verifying a user', () => {
  test('activates an invited user once', async () => {
    const owner = await acme.as('owner');
    const { body } = await owner.post('/api/user/store', invitation(acme));
    const path = `/api/user/verify/${body.data.id}`;
    const replies = await runConcurrently(5, () => owner.put(path));
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 200]);
    expect((await owner.put(path)).body.data).toMatchObject({
      status: 'active',
      email_verified_at: null,
    });
    expect(await events(body.data.id)).toEqual(['platform.user.created', 'platform.user.verified']);
  });

  test('does not reactivate a disabled user', async () => {
    const other = await openWorkspace(platform);
    const owner = await other.as('owner');
    await owner.post(`/api/user/update/${other.users.staff}`, { status: 'disabled' });
    const reply = await owner.put(`/api/user/verify/${other.users.staff}`);
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { allowed: ['update', 'enable', 'delete'] } },
    });
  });
});

describe('resetting a password', () => {
  test('deletes the password, ends the sessions and sends a link', async () => {
    const other = await openWorkspace(platform);
    const [owner, staff] = [await other.as('owner'), await other.as('staff')];
    expect((await owner.post(`/api/user/reset-password/${other.users.staff}`)).status).toBe(200);
    await expect(signIn(platform, other.email('staff'))).rejects.toThrow('wrong_credentials');
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).rejects.toMatchObject({
      status: 401,
    });
    expect(await readMails(other.users.staff)).toEqual(['reset_password']);
  });

  test('revokes the API keys only if requested', async () => {
    const other = await openWorkspace(platform);
    const [owner, staff] = [await other.as('owner'), await other.as('staff')];
    const { token, id } = (await staff.post('/api/v1/settings/api-keys', { name: 'Script' })).body.data;
    const path = `/api/user/reset-password/${other.users.staff}`;
    const using = () => authenticate(platform, { $case: 'api_key', value: token });
    await owner.post(path);
    await expect(using()).resolves.toBeDefined();
    await owner.post(path, { revoke_api_keys: true });
    await expect(using()).rejects.toMatchObject({ status: 401 });
    expect(await eventTypesOf(platform, id)).toEqual(['platform.api_key.revoked']);
  });

  test('sends the invitation again to a user without a password', async () => {
    const owner = await acme.as('owner');
    const { body } = await owner.post('/api/user/store', invitation(acme));
    await owner.post(`/api/user/reset-password/${body.data.id}`);
    expect(await readMails(body.data.id)).toEqual(['invitation', 'invitation']);
  });
});
