import { describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { keysOf, start, runConcurrently } from '@suite/testing';
import { Secret, TOTP } from 'otpauth';
import { platform as contents } from '../../platform.ts';
import { authenticate, openWorkspace, PASSWORD, rpcOf, signIn, type TestWorkspace } from '../../../test/workspace.ts';

const platform = await start({ ...contents, schedules: [] });
const HOME = '203.0.113.7';

const signInToTrack = (email: string, more: object = {}, rpc = rpcOf(platform)) => {
  const usual = { workspace: '', device_token: '', address: HOME, user_agent: 'Stopwatch/1.0' };
  return rpc.signInToTrack({ email, password: PASSWORD, ...usual, ...more });
};
const byId = (value: string) => ({ $case: 'session_id' as const, value });
const sessionsOf = (user_id: string) =>
  platform.sql`SELECT purpose, address, user_agent FROM sessions WHERE user_id = ${user_id}::uuid`;
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const fault = (status: number, code: string) => ({ status, code });

/** Sets up the second factor of the staff user. Returns its secret. */
async function enrol(acme: TestWorkspace): Promise<string> {
  const staff = await acme.as('staff');
  const { secret } = (await staff.post('/api/second-factor/enable', { password: PASSWORD })).body.data;
  await staff.post('/api/second-factor/confirm', { code: codeOf(secret) });
  await platform.sql`UPDATE second_factors SET last_step = 0`;
  return secret;
}

describe('a tracker session', () => {
  test('is opened by a correct password, without any permissions', async () => {
    const acme = await openWorkspace(platform);
    const { bearer, ...signedIn } = await signInToTrack(acme.email('manager'));
    expect(signedIn).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^bmr_/),
      expires_in: 600,
      device_token: expect.any(String),
      email: acme.email('manager'),
      workspace_name: 'Acme',
      week_start: 1,
    });
    expect(bearer).toMatchObject({
      user_id: acme.users.manager,
      workspace_id: acme.id,
      permissions: [],
      purpose: 'tracker',
    });
    expect(await sessionsOf(acme.users.manager)).toEqual([
      { purpose: 'tracker', address: HOME, user_agent: 'Stopwatch/1.0' },
    ]);
    const tracker = await authenticate(platform, byId(bearer!.session_id));
    expect(tracker.caller).toMatchObject({ purpose: 'tracker', permissions: [] });
    for (const path of ['/api/user', '/api/sessions', '/api/staff-user', '/api/v1/settings/api-keys'])
      expect(await tracker.get(path)).toMatchObject({ status: 403, body: { code: 'tracker_session' } });
  });

  test('keeps its purpose when refreshed, is listed, and can be ended', async () => {
    const acme = await openWorkspace(platform);
    const first = await signInToTrack(acme.email('staff'));
    const { body } = await platform.anonymous.post('/api/refresh', { refresh_token: first.refresh_token });
    expect(body.data.refresh_token).not.toBe(first.refresh_token);
    const id = first.bearer!.session_id;
    expect((await authenticate(platform, byId(id))).caller.purpose).toBe('tracker');
    const staff = await signIn(platform, acme.email('staff'));
    const listed = async () => (await staff.get('/api/sessions?sort=created_at')).body.data;
    expect(await listed()).toMatchObject([
      { id, purpose: 'tracker', device: 'Stopwatch', current: false },
      { purpose: 'web', current: true },
    ]);
    expect((await staff.get('/api/sessions?purpose=tracker')).body.data).toHaveLength(1);
    expect((await staff.delete(`/api/sessions/${id}`)).status).toBe(200);
    await expect(authenticate(platform, byId(id))).rejects.toMatchObject({ status: 401 });
    expect((await platform.anonymous.post('/api/refresh', { refresh_token: body.data.refresh_token })).status).toBe(
      401,
    );
    const second = await authenticate(platform, byId((await signInToTrack(acme.email('staff'))).bearer!.session_id));
    expect((await second.post('/api/logout')).status).toBe(200);
    expect(await listed()).toHaveLength(1);
  });

  test('is for staff with time tracking, and reveals nothing before the password', async () => {
    const [acme, small] = [await openWorkspace(platform), await openWorkspace(platform, 'starter')];
    for (const role of ['client', 'vendor'] as const) {
      await expect(signInToTrack(acme.email(role))).rejects.toMatchObject(fault(403, 'forbidden'));
      await expect(signInToTrack(acme.email(role), { password: 'wrong' })).rejects.toMatchObject(
        fault(401, 'wrong_credentials'),
      );
    }
    await expect(signInToTrack(small.email('staff'))).rejects.toMatchObject(fault(403, 'module_disabled'));
    await expect(signInToTrack(small.email('staff'), { password: 'wrong' })).rejects.toMatchObject({ status: 401 });
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${acme.users.hr}`;
    await expect(signInToTrack(acme.email('hr'))).rejects.toMatchObject(fault(403, 'account_disabled'));
    await platform.sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${acme.id}`;
    await expect(signInToTrack(acme.email('staff'))).rejects.toMatchObject(fault(403, 'workspace_suspended'));
    for (const id of [acme.users.client, small.users.staff, acme.users.hr]) expect(await sessionsOf(id)).toEqual([]);
  });

  test('shares the limits of a sign-in, counted by the address of the original caller', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('staff');
    const wrong = { password: 'wrong' };
    const outcomes = await runConcurrently(12, () =>
      signInToTrack(email, wrong).catch(({ status }: { status: number }) => status),
    );
    expect(outcomes.filter((status) => status === 401)).toHaveLength(10);
    expect(outcomes.filter((status) => status === 429)).toHaveLength(2);
    const headers = { 'x-client-address': HOME };
    expect((await platform.anonymous.post('/api/login', { email, password: PASSWORD }, { headers })).status).toBe(429);
    expect((await signInToTrack(email, { address: '198.51.100.9' })).bearer).toBeDefined();
    await expect(signInToTrack(`nobody.${acme.id}@example.test`, wrong)).rejects.toMatchObject(
      fault(401, 'wrong_credentials'),
    );
  });

  test('requires the second factor, whose challenge opens no other session', async () => {
    const acme = await openWorkspace(platform);
    const secret = await enrol(acme);
    const before = await sessionsOf(acme.users.staff);
    const rejection = await signInToTrack(acme.email('staff')).catch(
      (error: unknown) => error as { details: { challenge: string } },
    );
    expect(rejection).toMatchObject(fault(401, 'second_factor_needed'));
    const { challenge } = (rejection as { details: { challenge: string } }).details;
    expect(await sessionsOf(acme.users.staff)).toEqual(before);
    const { body } = await platform.anonymous.post('/api/login/second-factor', { challenge, code: codeOf(secret) });
    expect(body.data.user).toMatchObject({ id: acme.users.staff });
    expect(await sessionsOf(acme.users.staff)).toMatchObject([{ purpose: 'web' }, { purpose: 'tracker' }]);
  });

  test('is opened in the specified workspace, even for services other than the gateway', async () => {
    const [one, other] = [await openWorkspace(platform), await openWorkspace(platform)];
    const email = one.email('staff');
    await platform.sql`UPDATE users SET email = ${email} WHERE id = ${other.users.staff}`;
    const slug = `acme-${other.id.slice(-12)}`;
    const address = `127.0.0.1:${platform.grpc_port}`;
    const services = { platform: { definition: PlatformServiceDefinition, address } };
    const projectsService = connectRpc(services, keysOf('projects'));
    const { platform: rpc } = projectsService.as(null, 'request');
    expect((await signInToTrack(email, { workspace: slug }, rpc)).bearer!.workspace_id).toBe(other.id);
    expect((await signInToTrack(email, {}, rpc)).bearer!.workspace_id).toBe(one.id);
    await expect(signInToTrack(email, { workspace: 'nowhere' }, rpc)).rejects.toMatchObject(
      fault(401, 'wrong_credentials'),
    );
    projectsService.close();
  });
});
