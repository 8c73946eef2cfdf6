import { describe, expect, test } from '@jest/globals';
import { keysOf, type Member, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { Secret, TOTP } from 'otpauth';
import { platform as contents } from '../../platform.ts';
import { authenticate, mailsFor, openWorkspace, PASSWORD, type TestWorkspace } from '../../../test/workspace.ts';
import { decryptSecret } from './totp.ts';

const platform = await start({ ...contents, schedules: [] });
const post = (path: string, body: object) => platform.anonymous.post(path, body);
const login = (email: string, more: object = {}) => post('/api/login', { email, password: PASSWORD, ...more });
const codeOf = (secret: string, ahead_s = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead_s * 1_000 });

/** Clears the last accepted code, as if time had passed. */
const laterOn = () => platform.sql`UPDATE second_factors SET last_step = 0`;

async function enrol(member: Member): Promise<{ secret: string; recovery_codes: string[] }> {
  const { secret } = (await member.post('/api/second-factor/enable', { password: PASSWORD })).body.data;
  const { body } = await member.post('/api/second-factor/confirm', { code: codeOf(secret) });
  await laterOn();
  return { secret, recovery_codes: body.data.recovery_codes };
}

async function challengeOf(acme: TestWorkspace, email = acme.email('staff')): Promise<string> {
  const { status, body } = await login(email);
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'second_factor_needed' });
  return body.details.challenge;
}

const session = (member: Member) => ({ $case: 'session_id' as const, value: member.caller.session_id! });

describe('a second factor', () => {
  test('takes effect after a confirmed code, and is then required at each sign-in', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const enabling = await staff.post('/api/second-factor/enable', { password: PASSWORD });
    expect(enabling.body.data.otpauth_url).toMatch(/^otpauth:\/\/totp\/Acme:staff/);
    expect((await login(acme.email('staff'))).status).toBe(200);
    expect(await staff.post('/api/second-factor/confirm', { code: '000000' })).toMatchObject({
      status: 422,
      body: { code: 'wrong_code' },
    });
    const confirmed = await staff.post('/api/second-factor/confirm', { code: codeOf(enabling.body.data.secret) });
    expect(new Set(confirmed.body.data.recovery_codes).size).toBe(10);
    expect((await staff.get('/api/second-factor')).body.data).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    expect(await mailsFor(platform, acme.users.staff)).toContain('second_factor_on');
    const challenge = await challengeOf(acme);
    const before = await platform.sql`SELECT FROM sessions WHERE user_id = ${acme.users.staff}`;
    await laterOn();
    const reply = await post('/api/login/second-factor', { challenge, code: codeOf(enabling.body.data.secret) });
    expect(reply).toMatchObject({ status: 200, body: { data: { user: { id: acme.users.staff } } } });
    const after = await platform.sql`SELECT FROM sessions WHERE user_id = ${acme.users.staff}`;
    expect(after.length - before.length).toBe(1);
    expect(
      (await post('/api/login/second-factor', { challenge, code: codeOf(enabling.body.data.secret) })).body.code,
    ).toBe('challenge_over');
  });

  test('accepts no code twice, even in concurrent requests', async () => {
    const acme = await openWorkspace(platform);
    const { secret } = await enrol(await acme.as('staff'));
    const challenges = [await challengeOf(acme), await challengeOf(acme), await challengeOf(acme)];
    const code = codeOf(secret);
    const replies = await runConcurrently(3, (at) =>
      post('/api/login/second-factor', { challenge: challenges[at], code }),
    );
    expect(sortedStatuses(replies)).toEqual([200, 422, 422]);
    const challenge = await challengeOf(acme);
    expect((await post('/api/login/second-factor', { challenge, code })).body.code).toBe('wrong_code');
    expect((await post('/api/login/second-factor', { challenge, code: codeOf(secret, 30) })).status).toBe(200);
  });

  test('allows five guesses over all challenges, and none with an ended challenge', async () => {
    const acme = await openWorkspace(platform);
    const { secret } = await enrol(await acme.as('staff'));
    const challenge = await challengeOf(acme);
    for (let at = 0; at < 5; at += 1)
      expect((await post('/api/login/second-factor', { challenge, code: '000000' })).body.code).toBe('wrong_code');
    const code = codeOf(secret);
    expect((await post('/api/login/second-factor', { challenge, code })).body.code).toBe('challenge_over');
    const another = { challenge: await challengeOf(acme), code };
    expect((await post('/api/login/second-factor', another)).status).toBe(429);
    await platform.sql`DELETE FROM login_allowances`;
    await platform.sql`UPDATE login_challenges SET expires_at = now()`;
    expect((await post('/api/login/second-factor', another)).body.code).toBe('challenge_over');
  });

  test.each([
    [
      'the user changes their password',
      async (_: TestWorkspace, staff: Member) =>
        await staff.post('/api/change-password', { current_password: PASSWORD, password: 'another horse battery' }),
    ],
    [
      'an owner resets the password and removes the factor',
      async (acme: TestWorkspace) =>
        await (await acme.as('owner')).post(`/api/user/reset-password/${acme.users.staff}`, {
          remove_second_factor: true,
        }),
    ],
    [
      'an owner disables the user for a moment',
      async (acme: TestWorkspace) => {
        const owner = await acme.as('owner');
        await owner.post(`/api/user/update/${acme.users.staff}`, { status: 'disabled' });
        return await owner.post(`/api/user/update/${acme.users.staff}`, { status: 'active' });
      },
    ],
  ])('does not complete a sign-in that began before %s', async (_, change) => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const { secret } = await enrol(staff);
    const challenge = await challengeOf(acme);
    expect((await change(acme, staff)).status).toBe(200);
    expect((await post('/api/login/second-factor', { challenge, code: codeOf(secret) })).body.code).toBe(
      'challenge_over',
    );
    expect((await post('/api/login/second-factor/enable', { challenge })).body.code).toBe('challenge_over');
  });

  test('is accepted from a known device or as a recovery code during an attack', async () => {
    const acme = await openWorkspace(platform);
    const login = { email: acme.email('staff'), password: PASSWORD };
    const { device_token } = (await post('/api/login', login)).body.data;
    const { secret, recovery_codes } = await enrol(await acme.as('staff'));
    const guess = async (more: object = {}) =>
      await post('/api/login/second-factor', { challenge: await challengeOf(acme), code: '000000', ...more });
    for (let at = 0; at < 5; at += 1) expect((await guess()).body.code).toBe('wrong_code');
    expect((await guess()).status).toBe(429);
    expect((await guess({ device_token: 'not a device of theirs', code: codeOf(secret) })).status).toBe(429);
    expect((await guess({ device_token, code: codeOf(secret) })).status).toBe(200);
    // Other networks guess, too: requests from unknown origins are then rejected, even with a correct code.
    await platform.sql`UPDATE login_allowances SET full_at = now() + interval '1 hour'`;
    expect((await guess({ code: codeOf(secret, 30) })).status).toBe(429);
    expect((await guess({ device_token, code: codeOf(secret, 30) })).status).toBe(200);
    await platform.sql`DELETE FROM login_allowances`;
    expect((await guess({ code: recovery_codes[0] })).status).toBe(200);
  });

  test('can be replaced by each recovery code once', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const { recovery_codes } = await enrol(staff);
    const code = recovery_codes[0]!.toLowerCase().replace('-', ' ');
    const first = { challenge: await challengeOf(acme), code };
    expect((await post('/api/login/second-factor', first)).status).toBe(200);
    const second = { challenge: await challengeOf(acme), code };
    expect((await post('/api/login/second-factor', second)).body.code).toBe('wrong_code');
    expect((await staff.get('/api/second-factor')).body.data.recovery_codes_left).toBe(9);
    const renewal = { password: PASSWORD, code: recovery_codes[1] };
    const renewed = (await staff.post('/api/second-factor/recovery-codes', renewal)).body.data.recovery_codes;
    expect(renewed).toHaveLength(10);
    const former = { challenge: await challengeOf(acme), code: recovery_codes[2] };
    expect((await post('/api/login/second-factor', former)).body.code).toBe('wrong_code');
  });

  test('requires password and code to be turned off, and is then deleted completely', async () => {
    const acme = await openWorkspace(platform);
    const staff = await acme.as('staff');
    const { secret } = await enrol(staff);
    const disable = (password: string, code: string) => staff.post('/api/second-factor/disable', { password, code });
    expect((await disable('a guess', codeOf(secret))).body.errors).toHaveProperty('password');
    expect((await disable(PASSWORD, '000000')).body.code).toBe('wrong_code');
    expect(await disable(PASSWORD, codeOf(secret))).toMatchObject({ status: 200, body: { data: { enabled: false } } });
    expect((await login(acme.email('staff'))).status).toBe(200);
    expect(await platform.sql`SELECT FROM recovery_codes WHERE user_id = ${acme.users.staff}`).toEqual([]);
    expect(await mailsFor(platform, acme.users.staff)).toContain('second_factor_off');
  });

  test('is stored in no usable form', async () => {
    const acme = await openWorkspace(platform);
    const { secret, recovery_codes } = await enrol(await acme.as('staff'));
    const [row] = await platform.sql`SELECT secret FROM second_factors WHERE id = ${acme.users.staff}`;
    expect(decryptSecret(keysOf('platform'), acme.users.staff, row!.secret)).toBe(secret);
    expect(() => decryptSecret(keysOf('platform'), acme.users.hr, row!.secret)).toThrow();
    const rows = await platform.sql`SELECT * FROM recovery_codes WHERE user_id = ${acme.users.staff}`;
    for (const code of recovery_codes) expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''));
    const audit = await platform.sql`SELECT FROM journal_changes WHERE table_name = 'second_factors'`;
    expect(audit).toEqual([]);
  });

  test('is removed by a user who may reset passwords if it was lost', async () => {
    const acme = await openWorkspace(platform);
    await enrol(await acme.as('staff'));
    const path = `/api/user/reset-password/${acme.users.staff}`;
    const owner = await acme.as('owner');
    await owner.post(path);
    expect(await platform.sql`SELECT FROM second_factors WHERE id = ${acme.users.staff}`).toHaveLength(1);
    expect((await owner.post(path, { remove_second_factor: true })).status).toBe(200);
    expect(await platform.sql`SELECT FROM second_factors WHERE id = ${acme.users.staff}`).toEqual([]);
  });

  test('cannot be set up with an API key', async () => {
    const acme = await openWorkspace(platform);
    const rights = { workspace: acme.id, user_id: acme.users.staff, can: ['account.update'] };
    const key = platform.member({ ...rights, api_key_id: acme.users.staff });
    for (const [verb, body] of [
      ['enable', { password: PASSWORD }],
      ['confirm', { code: '123456' }],
    ] as const)
      expect((await key.post(`/api/second-factor/${verb}`, body)).body.code).toBe('session_required');
  });
});

describe('a workspace that requires a second factor', () => {
  async function strict() {
    const acme = await openWorkspace(platform);
    const [owner, staff] = [await acme.as('owner'), await acme.as('staff')];
    const required = { second_factor_required: true };
    expect((await owner.put('/api/workspace/update', required)).body.code).toBe('no_second_factor');
    const { secret } = await enrol(owner);
    expect(await owner.put('/api/workspace/update', required)).toMatchObject({ status: 200, body: { data: required } });
    return { acme, owner, staff, secret };
  }

  test('lets members without one only set one up', async () => {
    const { acme, owner, staff } = await strict();
    await expect(authenticate(platform, session(staff))).rejects.toMatchObject({ code: 'second_factor_missing' });
    await expect(authenticate(platform, session(owner))).resolves.toBeDefined();
    expect((await platform.anonymous.post('/api/refresh', { refresh_token: staff.refresh_token })).status).toBe(401);
    const { body } = await login(acme.email('staff'));
    expect(body).toMatchObject({ code: 'second_factor_enrolment_needed' });
    const { challenge } = body.details;
    expect((await post('/api/login/second-factor', { challenge, code: '000000' })).status).toBe(422);
    const { secret } = (await post('/api/login/second-factor/enable', { challenge })).body.data;
    const done = await post('/api/login/second-factor/confirm', { challenge, code: codeOf(secret) });
    expect(done.body.data.recovery_codes).toHaveLength(10);
    expect(done.body.data.user.id).toBe(acme.users.staff);
    await expect(authenticate(platform, session(staff))).resolves.toBeDefined();
  });

  test('stops the API keys of members without one', async () => {
    const acme = await openWorkspace(platform);
    const { token } = (await (await acme.as('staff')).post('/api/v1/settings/api-keys', { name: 'Script' })).body.data;
    await platform.sql`UPDATE workspaces SET second_factor_required = true WHERE id = ${acme.id}`;
    const using = authenticate(platform, { $case: 'api_key', value: token });
    await expect(using).rejects.toMatchObject({ status: 403, code: 'second_factor_missing' });
  });

  test('does not let users disable it', async () => {
    const { owner, secret } = await strict();
    const reply = await owner.post('/api/second-factor/disable', { password: PASSWORD, code: codeOf(secret) });
    expect(reply).toMatchObject({ status: 409, body: { code: 'second_factor_kept' } });
  });
});
