import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { mailbox } from '../../../test/mailbox.ts';
import {
  authenticate,
  invitation,
  openWorkspace,
  PASSWORD,
  signIn,
  type TestWorkspace,
} from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

// Runs without schedules, so that only these tests send e-mails.
const platform = await start({ ...contents, schedules: [] });
const { emailsTo, tokenTo } = mailbox(platform);
const OWN = 'violet-otter-plays-7';
const post = (path: string, body: object) => platform.anonymous.post(path, body);

/** Requests a new address for the account `staff`, as another user with `role`. */
async function requested(role: 'manager' | 'owner', acme: TestWorkspace) {
  const email = `mine.${acme.id}@example.test`;
  const colleague = await acme.as(role);
  const { status, body } = await colleague.post(`/api/user/update/${acme.users.staff}`, { email });
  expect([status, body.data.email, body.data.pending_email]).toEqual([200, acme.email('staff'), email]);
  return { email, colleague, old: acme.email('staff') };
}

describe('a change of address that a manager requests', () => {
  test('takes effect only after the current address approves it, and ends all sessions', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const { email, old } = await requested('manager', acme);
    const approval = await tokenTo(old);
    const confirmation = await tokenTo(email);
    expect([approval.purpose, confirmation.purpose]).toEqual(['approve_email', 'verify_requested_email']);
    expect(await post('/api/verify-email', { token: confirmation.token })).toMatchObject({
      status: 409,
      body: { code: 'email_change_unapproved' },
    });
    await signIn(platform, old);
    expect((await post('/api/approve-email-change', { token: approval.token })).status).toBe(200);
    expect((await post('/api/verify-email', { token: confirmation.token })).status).toBe(200);
    await signIn(platform, email);
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).rejects.toMatchObject({
      status: 401,
    });
    expect((await emailsTo(old)).at(-1)).toContain('Your e-mail address was changed');
  });

  test('notifies the current address immediately, and can be rejected there', async () => {
    const acme = await openWorkspace(platform);
    const { email, old } = await requested('manager', acme);
    const approval = await tokenTo(old);
    const confirmation = await tokenTo(email);
    expect((await post('/api/reject-email-change', { token: approval.token })).status).toBe(200);
    expect((await post('/api/approve-email-change', { token: approval.token })).body.code).toBe('link_spent');
    expect((await post('/api/verify-email', { token: confirmation.token })).body.code).toBe('link_spent');
    await signIn(platform, old);
  });

  test('does not take effect without approval, regardless of the time', async () => {
    const acme = await openWorkspace(platform);
    await requested('manager', acme);
    const rows = await platform.sql`SELECT pending_email_free_at FROM users WHERE id = ${acme.users.staff}`;
    expect(rows).toEqual([{ pending_email_free_at: null }]);
  });

  test('prevents other users from removing the second factor', async () => {
    const acme = await openWorkspace(platform);
    const { colleague } = await requested('manager', acme);
    const path = `/api/user/reset-password/${acme.users.staff}`;
    expect(await colleague.post(path, { remove_second_factor: true })).toMatchObject({
      status: 409,
      body: { code: 'second_factor_protected' },
    });
  });

  test('is confirmed by the new address of an invitation that a customer relies on', async () => {
    const acme = await openWorkspace(platform);
    const manager = await acme.as('manager');
    const input = invitation(acme, { role_id: acme.roles.client });
    const { id, email: old } = (await manager.post('/api/user/store', input)).body.data;
    await platform.sql`UPDATE users SET customer_id = gen_random_uuid() WHERE id = ${id}`;
    const email = `mine.${acme.id}@example.test`;
    expect((await manager.post(`/api/user/update/${id}`, { email })).body.data).toMatchObject({ email: old });
    expect((await emailsTo(email)).join()).not.toContain('accept_invitation');
  });
});

describe('a change of address that an owner requests', () => {
  test('takes effect without approval after a week, which protects the second factor', async () => {
    const acme = await openWorkspace(platform);
    const { email, colleague } = await requested('owner', acme);
    const { token } = await tokenTo(email);
    expect((await post('/api/verify-email', { token })).body.code).toBe('email_change_unapproved');
    await platform.sql`UPDATE users SET pending_email_free_at = now() - interval '1 day' WHERE id = ${acme.users.staff}`;
    expect((await post('/api/verify-email', { token })).status).toBe(200);
    await signIn(platform, email);
    const path = `/api/user/reset-password/${acme.users.staff}`;
    const removal = await colleague.post(path, { remove_second_factor: true });
    expect(removal.body.code).toBe('second_factor_protected');
  });
});

describe('a change of address', () => {
  test('can be requested five times a day, by the user and colleagues together', async () => {
    const acme = await openWorkspace(platform);
    const [staff, owner] = [await acme.as('staff'), await acme.as('owner')];
    const byUser = (n: number) =>
      staff.post('/api/edit-profile', { email: `${n}.${acme.id}@example.test`, current_password: PASSWORD });
    const byOwner = (n: number, email = `${n}.${acme.id}@example.test`) =>
      owner.post(`/api/user/update/${acme.users.staff}`, { email });
    const replies = [await byUser(1), await byOwner(2), await byUser(3), await byOwner(4), await byUser(5)];
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 200]);
    for (const rejected of [await byUser(6), await byOwner(7)]) {
      expect(rejected).toMatchObject({ status: 429, body: { code: 'too_many_email_changes' } });
      expect(rejected.body.details.retry_after_s).toBeGreaterThan(80_000);
      expect(Number(rejected.headers.get('Retry-After'))).toBe(rejected.body.details.retry_after_s);
    }
    // Without an e-mail to a new address, nothing is limited.
    expect((await byOwner(8, acme.email('staff'))).status).toBe(200);
    expect((await staff.post('/api/edit-profile', { name: 'Ada' })).status).toBe(200);
    await platform.sql`
      UPDATE outgoing_mail SET created_at = created_at - interval '1 day' WHERE user_id = ${acme.users.staff}`;
    expect((await byUser(9)).status).toBe(200);
  });

  test('is limited for concurrent requests, too', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const replies = await runConcurrently(8, (n) =>
      owner.post(`/api/user/update/${acme.users.staff}`, { email: `${n}.${acme.id}@example.test` }),
    );
    expect(sortedStatuses(replies).toSorted((one, other) => one - other)).toEqual([
      200, 200, 200, 200, 200, 429, 429, 429,
    ]);
  });
});

describe('an account that another user activated', () => {
  test('has no verified address before its owner follows a link', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const { id, email } = (await owner.post('/api/user/store', invitation(acme))).body.data;
    await platform.sql`
      INSERT INTO passwords (id, workspace_id, hash)
      SELECT ${id}, workspace_id, hash FROM passwords WHERE id = ${acme.users.owner}`;
    await expect(signIn(platform, email)).rejects.toThrow('email_unverified');
    expect((await owner.put(`/api/user/verify/${id}`)).body.data).toMatchObject({
      status: 'active',
      email_verified_at: null,
    });
    await expect(signIn(platform, email)).rejects.toThrow('wrong_credentials');
    const [event] = await platform.sql`
      SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'platform.user.verified'`;
    expect(event?.data).toMatchObject({ vouched: true });
  });
});

describe('an invitation with a password that another user chose', () => {
  test('requires a password that its owner chooses, which replaces the first one', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    const { id, email } = (await owner.post('/api/user/store', invitation(acme))).body.data;
    const { token } = await tokenTo(email);
    const needed = { status: 422, body: { code: 'password_needed' } };
    expect(await post('/api/accept-invitation', { token })).toMatchObject(needed);
    await platform.sql`
      INSERT INTO passwords (id, workspace_id, hash)
      SELECT ${id}, workspace_id, hash FROM passwords WHERE id = ${acme.users.owner}`;
    expect(await post('/api/accept-invitation', { token })).toMatchObject(needed);
    expect((await post('/api/accept-invitation', { token, password: OWN })).status).toBe(200);
    await expect(signIn(platform, email)).rejects.toThrow('wrong_credentials');
    expect((await post('/api/login', { email, password: OWN })).status).toBe(200);
  });
});
