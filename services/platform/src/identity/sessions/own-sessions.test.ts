import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { authenticate, mailsFor, openWorkspace, PASSWORD, signIn } from '../../../test/workspace.ts';
import { deliverMail } from '../mail/mail-delivery.ts';
import { deviceName } from './device.ts';

const platform = await start({ ...contents, schedules: [] });
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const login = (email: string, from: { address: string; agent: string; device_token?: string }) =>
  platform.anonymous.post(
    '/api/login',
    { email, password: PASSWORD, ...(from.device_token && { device_token: from.device_token }) },
    { headers: { 'x-client-address': from.address, 'user-agent': from.agent } },
  );

describe('your own sessions', () => {
  test('are listed with device, address and last use, without other users’ sessions', async () => {
    const acme = await openWorkspace(platform);
    await acme.as('owner');
    const staff = await acme.as('staff');
    await login(acme.email('staff'), { address: '198.51.100.9', agent: FIREFOX });
    const { body } = await staff.get('/api/sessions');
    expect(body.meta.total).toBe(2);
    expect(body.data).toMatchObject([
      { device: 'Firefox on Linux', user_agent: FIREFOX, address: '198.51.100.9', current: false, last_used_at: null },
      { id: staff.caller.session_id, address: '127.0.0.1', current: true, last_used_from: '203.0.113.7' },
    ]);
    expect(Object.keys(body.data[0])).not.toContain('user_id');
  });

  test('end immediately and disappear from the list', async () => {
    const acme = await openWorkspace(platform);
    const [here, there] = [await acme.as('staff'), await signIn(platform, acme.email('staff'))];
    const path = `/api/sessions/${there.caller.session_id}`;
    for (const _ of [1, 2]) expect((await here.delete(path)).status).toBe(200);
    const session = { $case: 'session_id' as const, value: there.caller.session_id! };
    await expect(authenticate(platform, session)).rejects.toMatchObject({ status: 401 });
    expect((await platform.anonymous.post('/api/refresh', { refresh_token: there.refresh_token })).status).toBe(401);
    expect((await here.get('/api/sessions')).body.meta.total).toBe(1);
    const events = await platform.sql`SELECT type FROM journal_events WHERE aggregate_id = ${there.caller.session_id}`;
    expect(events).toEqual([{ type: 'platform.session.revoked' }]);
  });

  test('return 404 if they belong to another user, even for an owner', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const reply = await (await acme.as('owner')).delete(`/api/sessions/${staff.caller.session_id}`);
    expect(reply.status).toBe(404);
    await expect(
      authenticate(platform, { $case: 'session_id', value: staff.caller.session_id! }),
    ).resolves.toBeDefined();
  });
});

describe('a notification by e-mail', () => {
  async function sent(): Promise<{ to: string; text: string }[]> {
    const mails: { to: string; text: string }[] = [];
    const mailer = { send: async (mail: { to: string; text: string }) => void mails.push(mail) };
    await deliverMail.work({ ...platform.tools, mailer } as never);
    return mails;
  }

  test('reports a new device, and no known one', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('hr');
    const home = { address: '203.0.113.7', agent: FIREFOX };
    const { device_token } = (await login(email, home)).body.data;
    await login(email, home);
    await login(email, { address: '198.51.100.1', agent: 'curl/8.5.0', device_token });
    expect(await mailsFor(platform, acme.users.hr)).toEqual([]);
    await login(email, { address: '192.0.2.66', agent: 'http://evil.example/ visit me' });
    expect(await mailsFor(platform, acme.users.hr)).toEqual(['new_device']);
    const [mail] = (await sent()).filter(({ to }) => to === email);
    expect(mail!.text).toContain('192.0.2.66');
    expect(mail!.text).not.toContain('evil');
  });

  test('reports a new API key without its secret', async () => {
    const acme = await openWorkspace(platform);
    const { body } = await (await acme.as('staff')).post('/api/v1/settings/api-keys', { name: 'Visit evil.example' });
    const [mail] = (await sent()).filter(({ to }) => to === acme.email('staff'));
    expect(mail!.text).toContain(body.data.prefix);
    expect(mail!.text).not.toContain('evil');
    expect(mail!.text).not.toContain(body.data.token);
  });
});

test.each([
  [FIREFOX, 'Firefox on Linux'],
  ['curl/8.5.0', 'curl'],
  ['node', 'node'],
  ['evil.example/1.0', 'Unknown program'],
  ['', 'Unknown program'],
  ['<script>alert(1)</script>', 'Unknown program'],
])('names the device of %s %s', (agent, name) => {
  expect(deviceName(agent)).toBe(name);
});
