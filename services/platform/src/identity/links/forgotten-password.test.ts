import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { mailbox } from '../../../test/mailbox.ts';
import { authenticate, openWorkspace, PASSWORD, executeRequests, signIn } from '../../../test/workspace.ts';

// Runs without schedules, so that only these tests send e-mails.
const platform = await start({ ...contents, schedules: [] });
const { emailsTo, tokenTo } = mailbox(platform);
const NEW = 'another horse battery staple';
const post = (path: string, body: object) => platform.anonymous.post(path, body);

describe('a forgotten password', () => {
  test('is replaced by a link that ends all sessions', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const response = await post('/api/forgot-password', { email: acme.email('staff').toUpperCase() });
    expect(response).toMatchObject({ status: 200, body: { data: { email: acme.email('staff') } } });
    const { purpose, token } = await tokenTo(acme.email('staff'));
    expect(purpose).toBe('reset_password');
    expect((await post('/api/reset-password', { token, password: NEW })).status).toBe(200);
    await signIn(platform, acme.email('staff'), NEW);
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).rejects.toMatchObject({
      status: 401,
    });
    expect((await emailsTo(acme.email('staff'))).at(-1)).toContain('Your password was changed');
  });

  test('revokes the API keys on request', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const { token: key } = (await staff.post('/api/v1/settings/api-keys', { name: 'Script' })).body.data;
    const using = () => authenticate(platform, { $case: 'api_key', value: key });
    const reset = async (choice: object) => {
      await post('/api/forgot-password', { email: acme.email('staff') });
      const { token } = await tokenTo(acme.email('staff'));
      await platform.sql`UPDATE outgoing_mail SET created_at = created_at - interval '1 hour'`;
      return (await post('/api/reset-password', { token, password: NEW, ...choice })).status;
    };
    expect(await reset({})).toBe(200);
    await expect(using()).resolves.toBeDefined();
    expect(await reset({ revoke_api_keys: true })).toBe(200);
    await expect(using()).rejects.toMatchObject({ status: 401 });
  });

  test('gets the same response for an unknown address', async () => {
    const known = await openWorkspace(platform);
    const replies = [
      await post('/api/forgot-password', { email: known.email('hr') }),
      await post('/api/forgot-password', { email: 'nobody@example.test' }),
    ];
    expect(sortedStatuses(replies)).toEqual([200, 200]);
    expect(replies[1]!.body.data.message).toBe(replies[0]!.body.data.message);
    expect(await emailsTo('nobody@example.test')).toEqual([]);
  });

  test('remains valid until the link is used', async () => {
    const acme = await openWorkspace(platform);
    await post('/api/forgot-password', { email: acme.email('staff') });
    await expect(signIn(platform, acme.email('staff'), PASSWORD)).resolves.toBeDefined();
  });

  test('does not help a disabled user', async () => {
    const acme = await openWorkspace(platform);
    await post('/api/forgot-password', { email: acme.email('staff') });
    const { token } = await tokenTo(acme.email('staff'));
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${acme.users.staff}`;
    expect((await post('/api/reset-password', { token, password: NEW })).status).toBe(422);
    await platform.sql`UPDATE outgoing_mail SET created_at = created_at - interval '1 hour'`;
    const before = (await emailsTo(acme.email('staff'))).length;
    await post('/api/forgot-password', { email: acme.email('staff') });
    expect(await emailsTo(acme.email('staff'))).toHaveLength(before);
  });

  test('gets at most ten links, then one every six seconds', async () => {
    const replies = await runConcurrently(12, () => post('/api/forgot-password', { email: 'eager@example.test' }));
    expect(sortedStatuses(replies)).toEqual([...Array(10).fill(200), 429, 429]);
  });

  test('sends its owner one e-mail a minute, even while other callers request it', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('staff');
    await runConcurrently(12, () => post('/api/forgot-password', { email }));
    const headers = { 'x-client-address': '198.51.100.9' };
    expect((await platform.anonymous.post('/api/forgot-password', { email }, { headers })).status).toBe(200);
    expect(await emailsTo(email)).toHaveLength(1);
    await platform.sql`UPDATE outgoing_mail SET created_at = created_at - interval '1 minute'`;
    await platform.anonymous.post('/api/forgot-password', { email }, { headers });
    expect(await emailsTo(email)).toHaveLength(2);
  });

  test('is recorded in the same way for an unknown address', async () => {
    const acme = await openWorkspace(platform);
    const written = async (email: string) => {
      const before = platform.database.statements;
      await post('/api/forgot-password', { email });
      const statements = platform.database.statements - before;
      const rows = await platform.sql`SELECT kind, user_id, email = ${email} AS same FROM account_requests`;
      await executeRequests(platform);
      return { statements, rows };
    };
    // Takes the minimum, because the service concurrently processes its own events and their statements count.
    const leastWritten = async (email: string) => {
      const tries = [await written(email), await written(email), await written(email)];
      return tries.toSorted((one, other) => one.statements - other.statements)[0]!;
    };
    const known = await leastWritten(acme.email('staff'));
    expect(known.rows).toEqual([{ kind: 'forgot_password', user_id: null, same: true }]);
    expect(await leastWritten('nobody@elsewhere.test')).toEqual(known);
  });
});
