import { describe, expect, test } from '@jest/globals';
import { start, eventTypesOf } from '@suite/testing';
import { deliverMail } from '../../identity/mail/mail-delivery.ts';
import { platform as contents } from '../../platform.ts';
import { contentsOf } from '../../../test/contents.ts';
import { authenticate, openWorkspace, PASSWORD, rpcOf } from '../../../test/workspace.ts';

// Runs without schedules, so that only these tests send e-mails.
const platform = await start({ ...contents, schedules: [] });

/** Returns the remaining rows of the database, except for emitted events (kept for 30 days). */
const everything = (): Promise<string> => contentsOf(platform, { without_events: true });

describe('a deleted account', () => {
  test('leaves only an ID without personal data', async () => {
    const acme = await openWorkspace(platform);
    const [owner, staff] = [await acme.as('owner'), await acme.as('staff')];
    await staff.post('/api/edit-profile', { name: 'Zacharias Zweistein', phone: '+49 30 987654321', locale: 'de-AT' });
    await owner.post('/api/user/update/' + acme.users.staff, { name: 'Zacharias Dreistein' });
    await owner.post('/api/user/reset-password/' + acme.users.staff);
    const secret = acme.email('staff');
    await deliverMail.work(platform.tools as never);
    expect(await everything()).toContain(secret);

    expect(await owner.delete(`/api/user/delete/${acme.users.staff}`)).toMatchObject({
      status: 200,
      body: { data: { deleted: true } },
    });

    const left = await everything();
    for (const trace of [secret, 'Zacharias', '987654321', 'de-AT']) expect(left).not.toContain(trace);
    const [row] = await platform.sql`SELECT name, email, status FROM users WHERE id = ${acme.users.staff}`;
    expect(row).toEqual({ name: 'Former user', email: null, status: 'deleted' });
    const [event] = await platform.sql`SELECT data FROM journal_events WHERE type = 'platform.user.deleted'`;
    expect(event!.data).toEqual({ user_id: acme.users.staff });
  });

  test('leaves no addresses, programs or returned e-mails', async () => {
    const acme = await openWorkspace(platform);
    const [owner, staff] = [await acme.as('owner'), await acme.as('staff')];
    const [id, place, program] = [acme.users.staff, '203.0.113.77', 'Zacharias browser'];
    const key = (await staff.post('/api/v1/settings/api-keys', { name: 'Zacharias laptop', allowed_ips: [place] }))
      .body;
    await owner.post(`/api/user/reset-password/${id}`);
    await platform.sql`UPDATE sessions SET address = ${place}, user_agent = ${program} WHERE user_id = ${id}`;
    await platform.sql`UPDATE outgoing_mail SET last_error = ${`550 ${acme.email('staff')} is unknown`} WHERE user_id = ${id}`;
    await platform.sql`
      INSERT INTO last_uses (id, workspace_id, address) SELECT id, workspace_id, ${place} FROM sessions WHERE user_id = ${id}
      ON CONFLICT (id) DO UPDATE SET address = EXCLUDED.address`;
    await platform.sql`INSERT INTO last_uses (id, workspace_id, address) VALUES (${key.data.id}, ${acme.id}, ${place})`;
    await platform.sql`
      INSERT INTO user_log (id, workspace_id, user_id, event, address, user_agent)
      VALUES (gen_random_uuid(), ${acme.id}, ${id}, 'login', ${place}, ${program})`;
    await platform.sql`
      INSERT INTO client_requests (workspace_id, idempotency_key, user_id, password_hash) VALUES (${acme.id}, 'a', ${id}, 'Zacharias hash')`;

    expect((await owner.delete(`/api/user/delete/${id}`)).status).toBe(200);
    const left = await everything();
    for (const trace of [place, 'Zacharias', acme.email('staff')]) expect(left).not.toContain(trace);
    const events = await platform.sql`SELECT event FROM user_log WHERE user_id = ${id} AND address = ''`;
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['login', 'key_create']));
  });

  test('loses all access and disappears from all lists', async () => {
    const acme = await openWorkspace(platform);
    const [owner, staff] = [await acme.as('owner'), await acme.as('staff')];
    const key = (await staff.post('/api/v1/settings/api-keys', { name: 'Script' })).body.data;
    expect((await staff.delete('/api/delete-account', { password: PASSWORD })).status).toBe(200);

    const session = { $case: 'session_id' as const, value: staff.caller.session_id! };
    await expect(authenticate(platform, session)).rejects.toMatchObject({ status: 401 });
    await expect(authenticate(platform, { $case: 'api_key', value: key.token })).rejects.toMatchObject({ status: 401 });
    expect(await eventTypesOf(platform, key.id)).toEqual(['platform.api_key.revoked']);
    const again = await platform.anonymous.post('/api/login', { email: acme.email('staff'), password: PASSWORD });
    expect(again).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
    expect((await owner.get(`/api/users?id=${acme.users.staff}`)).body.data).toEqual([]);
    expect((await owner.get(`/api/staff-user?id=${acme.users.staff}`)).body.data).toEqual([]);
    for (const verb of ['update', 'reset-password'])
      expect((await owner.post(`/api/user/${verb}/${acme.users.staff}`, {})).status).toBe(404);
    expect((await owner.delete(`/api/user/delete/${acme.users.staff}`)).status).toBe(404);
    expect(await rpcOf(platform, owner.caller).batchGetUsers({ user_ids: [acme.users.staff] })).toEqual({ users: [] });
  });

  test('frees its address for another user', async () => {
    const acme = await openWorkspace(platform);
    const owner = await acme.as('owner');
    await owner.delete(`/api/user/delete/${acme.users.hr}`);
    const reply = await owner.post('/api/user/store', {
      name: 'Next',
      email: acme.email('hr'),
      role_id: acme.roles.hr,
    });
    expect(reply.status).toBe(201);
  });

  test('requires the password of its owner', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    expect(await staff.delete('/api/delete-account', { password: 'wrong' })).toMatchObject({
      status: 422,
      body: { errors: { password: [expect.any(String)] } },
    });
    expect((await staff.delete('/api/delete-account', {})).status).toBe(422);
    expect((await staff.delete('/api/delete-account')).status).toBe(422);
    const key = platform.member({
      workspace: acme.id,
      user_id: acme.users.staff,
      api_key_id: acme.users.staff,
      can: ['account.update'],
    });
    expect(await key.delete('/api/delete-account', { password: PASSWORD })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    });
    expect((await staff.get('/api/user')).status).toBe(200);
  });
});
