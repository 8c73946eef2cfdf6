import { beforeAll, describe, expect, test } from '@jest/globals';
import { keysOf, start, sortedStatuses } from '@suite/testing';
import { waitFor } from '@suite/testing/waiting';
import jwt from 'jsonwebtoken';
import { platform as contents } from '../../platform.ts';
import {
  authenticate,
  openWorkspace,
  PASSWORD,
  executeRequests,
  signIn,
  type TestWorkspace,
} from '../../../test/workspace.ts';

const platform = await start(contents);
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const login = (email: string, password = PASSWORD) => platform.anonymous.post('/api/login', { email, password });
const logOf = (user_id: string) =>
  platform.sql`SELECT event FROM user_log WHERE user_id = ${user_id} ORDER BY created_at, id`;

describe('signing in', () => {
  test('returns two tokens and the user with their permissions and workspace', async () => {
    const { status, body } = await login(acme.email('sales').toUpperCase());
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ token_type: 'Bearer', expires_in: 600, refresh_expires_in: 14 * 86_400 });
    expect(body.data.refresh_token).toMatch(/^bmr_/);
    expect(body.data.user).toMatchObject({
      id: acme.users.sales,
      email: acme.email('sales'),
      role: { key: 'sales', name: 'Sales' },
      record_scopes: { lead: 'own' },
      workspace: { id: acme.id, timezone: 'Europe/Berlin', base_currency: 'EUR', plan: 'enterprise' },
    });
    expect(body.data.user.permissions).toContain('lead.convert');
    expect(body.data.user.permissions).not.toContain('user.create');
    expect(body.data.user.modules).toContain('crm');
    expect(await logOf(acme.users.sales)).toEqual([{ event: 'login' }]);
  });

  test('creates an access token that contains only user, session and constant data', async () => {
    const { body } = await login(acme.email('hr'));
    const token = jwt.verify(body.data.access_token, keysOf('platform').trusted.get('platform')![0]!, {
      complete: true,
    });
    const { header, payload } = token as jwt.Jwt & { payload: jwt.JwtPayload };
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'platform' });
    expect(payload).toEqual({
      iss: 'platform',
      aud: 'gateway',
      sub: acme.users.hr,
      sid: expect.any(String),
      iat: expect.any(Number),
      nbf: payload.iat,
      exp: payload.iat! + 600,
      jti: expect.any(String),
    });
  });

  test('returns the same response for a wrong password and an unknown address', async () => {
    const wrong = await login(acme.email('agent'), 'not the password');
    const nobody = await login('nobody@example.test');
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatchObject({ code: 'wrong_credentials' });
    expect({ ...nobody.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    await executeRequests(platform);
    expect(await logOf(acme.users.agent)).toEqual([{ event: 'login_failed' }]);
  });

  test('does the same work for an unknown address', async () => {
    const other = await openWorkspace(platform);
    const written = async (email: string) => {
      const before = platform.database.statements;
      await login(email, 'not the password');
      const statements = platform.database.statements - before;
      const rows = await platform.sql`SELECT kind, email, address FROM account_requests`;
      await executeRequests(platform);
      return { statements, rows };
    };
    // The workspace's own events cause statements, too, until they are processed.
    await waitFor(async () => {
      const requests = await platform.sql`
        SELECT FROM inbox JOIN journal_events AS event ON event.id = event_id AND workspace_id = ${other.id}
        WHERE consumer = 'platform.switch-integrations'`;
      expect(requests).toHaveLength(1);
    });
    const known = await written(other.email('staff'));
    expect(known.rows).toEqual([{ kind: 'login_failed', email: null, address: '127.0.0.1' }]);
    expect(await written('nobody@elsewhere.test')).toEqual(known);
    expect(await platform.sql`SELECT FROM account_requests`).toEqual([]);
  });

  test('reveals a disabled account or suspended workspace only with the password', async () => {
    const other = await openWorkspace(platform);
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${other.users.staff}`;
    expect(await login(other.email('staff'), 'wrong')).toMatchObject({ status: 401 });
    expect(await login(other.email('staff'))).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${other.id}`;
    expect(await login(other.email('hr'), 'wrong')).toMatchObject({ status: 401 });
    expect(await login(other.email('hr'))).toMatchObject({ status: 403, body: { code: 'workspace_suspended' } });
  });

  test('is rejected for an invited user without a password', async () => {
    const other = await openWorkspace(platform);
    await platform.sql`DELETE FROM passwords WHERE id = ${other.users.staff}`;
    expect(await login(other.email('staff'), '')).toMatchObject({ status: 422 });
    expect(await login(other.email('staff'))).toMatchObject({ status: 401 });
  });

  test('hashes a password again when its parameters are outdated', async () => {
    const old = '$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$';
    const { hash } = await import('@node-rs/argon2');
    const weak = await hash(PASSWORD, { memoryCost: 4_096, timeCost: 1, parallelism: 1 });
    expect(weak.slice(0, 25)).toBe(old.slice(0, 25));
    await platform.sql`UPDATE passwords SET hash = ${weak} WHERE id = ${acme.users.vendor}`;
    await signIn(platform, acme.email('vendor'));
    const [row] = await platform.sql`SELECT hash FROM passwords WHERE id = ${acme.users.vendor}`;
    expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await signIn(platform, acme.email('vendor'));
  });

  test.each([
    ['no body', {}, ['email', 'password']],
    ['no password', { email: 'a@b.test' }, ['password']],
    ['a number for a password', { email: 'a@b.test', password: 1 }, ['password']],
    ['an address that is none', { email: 'ada', password: 'x' }, ['email']],
    ['an unknown field', { email: 'a@b.test', password: 'x', workspace_id: 'y' }, ['workspace_id']],
    ['an endless password', { email: 'a@b.test', password: 'x'.repeat(1_001) }, ['password']],
  ])('returns 422 for %s', async (_, body, fields) => {
    const reply = await platform.anonymous.post('/api/login', body);
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(reply.body.errors)).toEqual(fields);
  });
});

describe('signing out', () => {
  test('ends this session only', async () => {
    const [one, two] = [await signIn(platform, acme.email('manager')), await signIn(platform, acme.email('manager'))];
    const reply = await one.post('/api/logout');
    expect(reply).toMatchObject({ status: 200, body: { data: { session_id: one.caller.session_id, ended: true } } });
    const session = (id: string) => ({ $case: 'session_id' as const, value: id });
    await expect(authenticate(platform, session(one.caller.session_id!))).rejects.toMatchObject({ status: 401 });
    await expect(authenticate(platform, session(two.caller.session_id!))).resolves.toBeDefined();
    expect((await platform.anonymous.post('/api/refresh', { refresh_token: one.refresh_token })).status).toBe(401);
    const [event] =
      await platform.sql`SELECT data FROM journal_events WHERE type = 'platform.session.revoked' AND aggregate_id = ${one.caller.session_id}`;
    expect(event!.data).toEqual({ session_id: one.caller.session_id, user_id: acme.users.manager });
  });

  test('has no further effect the second time', async () => {
    const kim = await signIn(platform, acme.email('manager'));
    expect(sortedStatuses([await kim.post('/api/logout'), await kim.post('/api/logout')])).toEqual([200, 200]);
    const events = await platform.sql`SELECT FROM journal_events WHERE aggregate_id = ${kim.caller.session_id}`;
    expect(events).toHaveLength(1);
  });

  test('is rejected with an API key', async () => {
    const key = platform.member({
      workspace: acme.id,
      user_id: acme.users.staff,
      api_key_id: acme.users.staff,
      can: ['account.update'],
    });
    expect(await key.post('/api/logout')).toMatchObject({ status: 403, body: { code: 'session_required' } });
  });
});
