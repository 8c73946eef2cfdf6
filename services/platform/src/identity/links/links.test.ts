import { describe, expect, test } from '@jest/globals';
import { type ServiceUnderTest, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { mailbox } from '../../../test/mailbox.ts';
import { openWorkspace, PASSWORD, signIn, type TestWorkspace } from '../../../test/workspace.ts';

// Runs without schedules, so that only these tests send e-mails.
const platform = await start({ ...contents, schedules: [] });
const NEW = 'another horse battery staple';

const { emailsTo, tokenTo } = mailbox(platform);

async function invite(acme: TestWorkspace, serving: ServiceUnderTest = platform) {
  const email = `invited.${acme.id}@example.test`;
  const owner = await acme.as('owner');
  const { body } = await owner.post('/api/user/store', { name: 'Ida', email, role_id: acme.roles.staff });
  return { email, id: body.data.id as string, serving };
}

const post = (path: string, body: object) => platform.anonymous.post(path, body);

describe('an invitation', () => {
  test('lets its recipient choose a password and sign in, once', async () => {
    const acme = await openWorkspace(platform);
    const { email, id } = await invite(acme);
    const { purpose, token } = await tokenTo(email);
    expect(purpose).toBe('accept_invitation');
    expect(await post('/api/accept-invitation', { token, password: NEW })).toMatchObject({
      status: 200,
      body: { data: { email, workspace: `acme-${acme.id.slice(-12)}` } },
    });
    await signIn(platform, email, NEW);
    const [user] =
      await platform.sql`SELECT status, email_verified_at IS NOT NULL AS verified FROM users WHERE id = ${id}`;
    expect(user).toEqual({ status: 'active', verified: true });
    expect(await post('/api/accept-invitation', { token, password: NEW })).toMatchObject({
      status: 422,
      body: { code: 'link_spent' },
    });
    const events = await platform.sql`SELECT type FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
    expect(events.map(({ type }) => type)).toEqual(['platform.user.created', 'platform.user.verified']);
  });

  test('is accepted once when followed ten times concurrently', async () => {
    const acme = await openWorkspace(platform);
    const { token } = await tokenTo((await invite(acme)).email);
    const replies = await runConcurrently(10, (at) =>
      post('/api/accept-invitation', { token, password: `${NEW} ${at}` }),
    );
    expect(sortedStatuses(replies)).toEqual([200, ...Array(9).fill(422)]);
  });

  test('is invalid if it has expired, was replaced or has another purpose', async () => {
    const acme = await openWorkspace(platform);
    const { email, id } = await invite(acme);
    const { token } = await tokenTo(email);
    for (const path of ['/api/reset-password', '/api/accept-invitation']) {
      if (path === '/api/accept-invitation')
        await platform.sql`UPDATE one_time_links SET expires_at = now() WHERE user_id = ${id}`;
      expect(await post(path, { token, password: NEW })).toMatchObject({ status: 422, body: { code: 'link_spent' } });
    }
    await (await acme.as('owner')).post(`/api/user/reset-password/${id}`);
    const second = await tokenTo(email);
    await (await acme.as('owner')).post(`/api/user/update/${id}`, { email: `other.${email}` });
    expect((await post('/api/accept-invitation', { token: second.token, password: NEW })).status).toBe(422);
    const third = await tokenTo(`other.${email}`);
    expect((await post('/api/accept-invitation', { token: third.token, password: NEW })).status).toBe(200);
  });

  test('can be accepted only with an invitation link', async () => {
    const acme = await openWorkspace(platform);
    await post('/api/forgot-password', { email: acme.email('staff') });
    const { token } = await tokenTo(acme.email('staff'));
    expect((await post('/api/accept-invitation', { token, password: NEW })).status).toBe(422);
    expect((await post('/api/verify-email', { token })).status).toBe(422);
    expect((await post('/api/reset-password', { token, password: NEW })).status).toBe(200);
  });

  test('remains valid after a rejected password', async () => {
    const acme = await openWorkspace(platform);
    const { token } = await tokenTo((await invite(acme)).email);
    for (const password of ['short', 'password1234', `invited.${acme.id}`])
      expect(await post('/api/accept-invitation', { token, password })).toMatchObject({
        status: 422,
        body: { errors: { password: expect.any(Array) } },
      });
    expect((await post('/api/accept-invitation', { token, password: NEW })).status).toBe(200);
  });
});

describe('a new e-mail address', () => {
  test('takes effect after confirmation, and the previous address is notified', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const email = `new.${acme.id}@example.test`;
    const { body } = await staff.post('/api/edit-profile', { email, current_password: PASSWORD });
    expect(body.data).toMatchObject({ email: acme.email('staff'), pending_email: email });
    const { purpose, token } = await tokenTo(email);
    expect(purpose).toBe('verify_email');
    expect(await post('/api/verify-email', { token })).toMatchObject({ status: 200, body: { data: { email } } });
    await signIn(platform, email);
    expect((await emailsTo(acme.email('staff'))).at(-1)).toContain('Your e-mail address was changed');
    const [event] =
      await platform.sql`SELECT data FROM journal_events WHERE aggregate_id = ${acme.users.staff} AND type = 'platform.user.updated' ORDER BY position DESC LIMIT 1`;
    expect(event!.data).toMatchObject({ email });
    expect((await post('/api/verify-email', { token })).status).toBe(422);
  });

  test('requires the password', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const email = `new.${acme.id}@example.test`;
    for (const input of [{ email }, { email, current_password: 'wrong' }]) {
      const reply = await staff.post('/api/edit-profile', input);
      expect(reply).toMatchObject({ status: 422, body: { errors: { current_password: [expect.any(String)] } } });
    }
    expect(await emailsTo(email)).toEqual([]);
  });

  test('is reported as taken only to the reader of its mailbox', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const response = await staff.post('/api/edit-profile', { email: acme.email('hr'), current_password: PASSWORD });
    expect(response.status).toBe(200);
    const { token } = await tokenTo(acme.email('hr'));
    expect(await post('/api/verify-email', { token })).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  });

  test('leaves only the last link valid if it replaces a pending one', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const [one, two] = [`one.${acme.id}@example.test`, `two.${acme.id}@example.test`];
    await staff.post('/api/edit-profile', { email: one, current_password: PASSWORD });
    const first = await tokenTo(one);
    await staff.post('/api/edit-profile', { email: two, current_password: PASSWORD });
    expect((await post('/api/verify-email', { token: first.token })).status).toBe(422);
    expect((await post('/api/verify-email', { token: (await tokenTo(two)).token })).status).toBe(200);
  });
});

describe('the page of e-mail links', () => {
  test('is the same for all users and runs only its own script', async () => {
    const response = await fetch(`${platform.url}/api/one-time-link`, {
      headers: { authorization: `Bearer ${platform.gateway.sign('platform', null)}` },
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; connect-src 'self'/,
    );
    expect(await response.text()).toContain('/api/accept-invitation');
  });
});
