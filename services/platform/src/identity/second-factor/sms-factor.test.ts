import { describe, expect, test } from '@jest/globals';
import { type Member, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { Secret, TOTP } from 'otpauth';
import { contentsOf } from '../../../test/contents.ts';
import { smsGateway, TO } from '../../../test/sms-gateway.ts';
import { openWorkspace, PASSWORD } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import { eraseSmsTexts } from '../../connections/sms-messages/sms-delivery.ts';

const platform = await start({ ...contents, schedules: [] });
const { state, connect, messages, deliver, sent } = await smsGateway(platform);
const post = (path: string, body: object) => platform.anonymous.post(path, body);
const login = (workspace = state.acme) => post('/api/login', { email: workspace.email('staff'), password: PASSWORD });
/** Delivers the queued messages and returns the code in the last one. */
const arrived = async (): Promise<string> => {
  await deliver();
  return /^(\d{6}) is your code/.exec(sent().at(-1).text)![1]!;
};
/** Clears earlier messages and attempts, as if time had passed. */
const laterOn = () => platform.sql`DELETE FROM login_allowances`;
const begin = (member: Member, more: object = {}) =>
  member.post('/api/second-factor/sms/enable', { password: PASSWORD, phone: TO, ...more });
const confirm = (member: Member, code: string) => member.post('/api/second-factor/confirm', { code });
const wrong = { status: 422, body: { code: 'wrong_code' } };
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function enrolled(): Promise<{ staff: Member; recovery_codes: string[] }> {
  await connect();
  const staff = await state.acme.as('staff');
  expect((await begin(staff)).status).toBe(200);
  const { recovery_codes } = (await confirm(staff, await arrived())).body.data;
  await laterOn();
  return { staff, recovery_codes };
}
async function challenged(): Promise<string> {
  const { body } = await login();
  expect(body).toMatchObject({ code: 'second_factor_needed', details: { factors: ['sms'], phone_end: '67' } });
  return body.details.challenge;
}
const answer = (challenge: string, code: string) => post('/api/login/second-factor', { challenge, code });
const requestCode = (challenge: string) => post('/api/login/second-factor/sms', { challenge });

describe('a number as second factor', () => {
  test('takes effect after the sent code, and is then required at each sign-in', async () => {
    await connect();
    const staff = await state.acme.as('staff');
    const enabling = await begin(staff);
    expect(enabling.body.data).toEqual({ phone_end: '67', expires_in_seconds: 600 });
    const code = await arrived();
    expect(sent().at(-1)).toMatchObject({
      to: TO,
      text: expect.stringContaining('for Acme. It expires in 10 minutes'),
    });
    expect((await login()).status).toBe(200);
    expect(await confirm(staff, other(code))).toMatchObject(wrong);
    expect((await confirm(staff, code)).body.data.recovery_codes).toHaveLength(10);
    expect((await staff.get('/api/second-factor')).body.data).toMatchObject({
      enabled: true,
      factors: ['sms'],
      recovery_codes_left: 10,
      sms: { available: true, phone_end: '67' },
    });
    const challenge = await challenged();
    expect(await answer(challenge, code)).toMatchObject(wrong);
    expect((await requestCode(challenge)).body.data).toEqual({ phone_end: '67', expires_in_seconds: 600 });
    expect(await answer(challenge, await arrived())).toMatchObject({
      status: 200,
      body: { data: { user: { id: state.acme.users.staff } } },
    });
  });

  test('is never shown in full, nor its code, also not in the message list', async () => {
    const { staff } = await enrolled();
    const challenge = await challenged();
    const shown = [await requestCode(challenge), await staff.get('/api/second-factor'), await staff.get('/api/user')];
    const code = await arrived();
    const list = await messages();
    expect(list[0]).toMatchObject({ to: '••••67', text: null, purpose: 'second_factor' });
    for (const payload of [...shown, list]) expect(JSON.stringify(payload)).not.toContain(TO);
    const found = await state.owner.get(`/api/smsgateway/messages?to=${encodeURIComponent(TO)}`);
    expect(found.body.data).toEqual([]);
    expect(JSON.stringify(await contentsOf(platform))).not.toContain(`${code} is your code`);
    const [{ code_hash } = { code_hash: '' }] =
      await platform.sql`SELECT code_hash FROM sms_factors WHERE id = ${state.acme.users.staff}`;
    expect(code_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('accepts a code once, even in concurrent requests', async () => {
    await enrolled();
    const challenges: string[] = [];
    for (let at = 0; at < 4; at += 1) challenges.push(await challenged());
    await requestCode(challenges[0]!);
    const code = await arrived();
    const replies = await runConcurrently(4, (at) => answer(challenges[at]!, code));
    expect(sortedStatuses(replies)).toEqual([200, 422, 422, 422]);
  });

  test('accepts only the last code, even after wrong codes from other networks', async () => {
    await enrolled();
    let challenge = await challenged();
    await requestCode(challenge);
    const first = await arrived();
    await requestCode(challenge);
    const second = await arrived();
    // One in a million pairs of codes is identical.
    expect((await answer(challenge, first)).status).toBe(first === second ? 200 : 422);
    for (let at = 0; at < 5; at += 1) {
      await laterOn();
      challenge = await challenged();
      expect(await answer(challenge, other(second))).toMatchObject(wrong);
    }
    await laterOn();
    expect((await answer(await challenged(), second)).status).toBe(first === second ? 422 : 200);
  });

  test('is valid for ten minutes', async () => {
    await enrolled();
    const challenge = await challenged();
    await requestCode(challenge);
    const code = await arrived();
    await platform.sql`UPDATE sms_factors SET code_expires_at = code_expires_at - interval '10 minutes'`;
    expect(await answer(challenge, code)).toMatchObject(wrong);
    await eraseSmsTexts.work(platform.tools as never);
  });

  test('receives three codes in a burst, and then one every five minutes', async () => {
    await enrolled();
    const challenge = await challenged();
    const replies = await runConcurrently(10, () => requestCode(challenge));
    expect(sortedStatuses(replies)).toEqual([...Array(3).fill(200), ...Array(7).fill(429)]);
    expect((await requestCode(challenge)).body.details.retry_after_s).toBeGreaterThan(200);
    await deliver();
    expect(sent()).toHaveLength(4);
    // Requesting codes uses no attempts, and the last one is accepted.
    expect((await answer(challenge, await arrived())).status).toBe(200);
  });

  test('does not permit a sign-in with the password alone', async () => {
    await enrolled();
    const challenge = await challenged();
    expect(await post('/api/login/second-factor/enable', { challenge })).toMatchObject({
      body: { code: 'second_factor_on' },
    });
    const phone = '+491709999999';
    expect(await post('/api/login/second-factor/sms/enable', { challenge, phone })).toMatchObject({
      body: { code: 'second_factor_on' },
    });
    expect(sent()).toHaveLength(1);
    for (const token of ['', 'bmc_x']) expect((await requestCode(token)).status).toBe(422);
  });

  test('allows sign-in by recovery code when no message can be sent', async () => {
    const { recovery_codes } = await enrolled();
    state.answers = [{ status: 500 }];
    const challenge = await challenged();
    expect((await requestCode(challenge)).status).toBe(200);
    await deliver();
    expect((await answer(challenge, recovery_codes[0]!)).status).toBe(200);
    await state.owner.post('/api/smsgateway/disconnect');
    const { body } = await login();
    expect(body).toMatchObject({ code: 'second_factor_needed', details: { factors: [] } });
    expect(await requestCode(body.details.challenge)).toMatchObject({ status: 409, body: { code: 'not_connected' } });
    expect((await answer(body.details.challenge, recovery_codes[1]!)).status).toBe(200);
  });
});

describe('setting up a number', () => {
  test('requires the password, a gateway and a number in an allowed country', async () => {
    const staff = await state.acme.as('staff');
    expect(await begin(staff)).toMatchObject({ status: 409, body: { code: 'not_connected' } });
    await connect({ allowed_countries: ['AT'] });
    expect((await begin(staff, { password: 'wrong' })).body.errors).toHaveProperty('password');
    expect((await begin(staff)).body.errors).toEqual({ phone: ['Messages can be sent to these countries only: AT.'] });
    expect((await begin(staff, { phone: '0170 1234567' })).body.errors).toHaveProperty('phone');
    await connect({ allowed_countries: [], daily_limit: 1 });
    expect((await begin(staff)).status).toBe(200);
    expect(await staff.post('/api/second-factor/sms/send', {})).toMatchObject({
      status: 429,
      body: { code: 'daily_limit' },
    });
  });

  test('verifies the last number entered', async () => {
    await connect();
    const staff = await state.acme.as('staff');
    await begin(staff, { phone: '+491700000001' });
    const first = await arrived();
    await begin(staff, { phone: '+491700000002' });
    const second = await arrived();
    expect((await confirm(staff, other(second))).status).toBe(422);
    expect(first === second ? 422 : (await confirm(staff, first)).status).toBe(422);
    expect((await confirm(staff, second)).status).toBe(200);
    expect((await staff.get('/api/second-factor')).body.data.sms.phone_end).toBe('02');
    expect(await begin(staff)).toMatchObject({ status: 409, body: { code: 'sms_factor_on' } });
  });

  test('rejects the code of a colleague or of another workspace', async () => {
    await connect();
    const [staff, sales] = [await state.acme.as('staff'), await state.acme.as('sales')];
    await begin(staff);
    const code = await arrived();
    expect(await confirm(sales, code)).toMatchObject(wrong);
    const globex = await openWorkspace(platform);
    expect(await confirm(await globex.as('staff'), code)).toMatchObject(wrong);
    expect(await begin(await globex.as('staff'))).toMatchObject({ status: 409, body: { code: 'not_connected' } });
    expect(await sales.post('/api/second-factor/sms/send', {})).toMatchObject({
      status: 409,
      body: { code: 'no_sms_factor' },
    });
    expect((await confirm(staff, code)).status).toBe(200);
  });

  test('completes a sign-in that requires a second factor', async () => {
    await connect();
    await platform.sql`UPDATE workspaces SET second_factor_required = true WHERE id = ${state.acme.id}`;
    const { body } = await login();
    expect(body).toMatchObject({ code: 'second_factor_enrolment_needed', details: { factors: ['app', 'sms'] } });
    const { challenge } = body.details;
    expect((await post('/api/login/second-factor/sms/enable', { challenge, phone: TO })).status).toBe(200);
    const done = await post('/api/login/second-factor/confirm', { challenge, code: await arrived() });
    expect(done).toMatchObject({ status: 200, body: { data: { recovery_codes: { length: 10 } } } });
  });
});

describe('the combination of a number and an authenticator app', () => {
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  async function withBoth() {
    const { staff, recovery_codes } = await enrolled();
    await staff.post('/api/second-factor/sms/send', {});
    const enabled = { password: PASSWORD, code: await arrived() };
    const { secret } = (await staff.post('/api/second-factor/enable', enabled)).body.data;
    const confirmed = await confirm(staff, codeOf(secret));
    await platform.sql`UPDATE second_factors SET last_step = 0`;
    await laterOn();
    return { staff, secret, recovery_codes, confirmed };
  }

  test('offers both factors at sign-in, accepts either code and keeps recovery codes', async () => {
    const { staff, secret, confirmed } = await withBoth();
    expect(confirmed.body.data).toEqual({ recovery_codes: [] });
    expect((await staff.get('/api/second-factor')).body.data.recovery_codes_left).toBe(10);
    const first = (await login()).body.details;
    expect(first).toMatchObject({ factors: ['app', 'sms'], phone_end: '67' });
    expect((await answer(first.challenge, codeOf(secret))).status).toBe(200);
    const { challenge } = (await login()).body.details;
    await requestCode(challenge);
    expect((await answer(challenge, await arrived())).status).toBe(200);
  });

  test('drops a pending number when an app is added later', async () => {
    await connect();
    const staff = await state.acme.as('staff');
    const code = await begin(staff).then(arrived);
    const { secret } = (await staff.post('/api/second-factor/enable', { password: PASSWORD })).body.data;
    expect(sortedStatuses([await confirm(staff, codeOf(secret)), await confirm(staff, code)])).toEqual([200, 422]);
    expect((await staff.post('/api/second-factor/sms/send', {})).body.code).toBe('no_sms_factor');
  });

  test('requires a code of the existing factor to add another', async () => {
    const { staff } = await enrolled();
    const enable = (more: object) => staff.post('/api/second-factor/enable', { password: PASSWORD, ...more });
    expect((await enable({})).body.errors).toHaveProperty('code');
    expect(await enable({ code: '000000' })).toMatchObject(wrong);
  });

  test('lets each be disabled with password and code, except a required last one', async () => {
    const { staff, secret, recovery_codes } = await withBoth();
    const off = (kind: '' | '/sms', code: string, password = PASSWORD) =>
      staff.post(`/api/second-factor${kind}/disable`, { password, code });
    expect((await off('/sms', recovery_codes[0]!, 'wrong')).body.errors).toHaveProperty('password');
    expect(await off('/sms', 'AAAAA-AAAAA')).toMatchObject(wrong);
    await platform.sql`UPDATE workspaces SET second_factor_required = true WHERE id = ${state.acme.id}`;
    expect((await off('', codeOf(secret))).body.data).toMatchObject({ factors: ['sms'], recovery_codes_left: 10 });
    expect((await staff.get('/api/user')).status).toBe(200);
    expect(await off('/sms', recovery_codes[1]!)).toMatchObject({ status: 409, body: { code: 'second_factor_kept' } });
    await platform.sql`UPDATE workspaces SET second_factor_required = false WHERE id = ${state.acme.id}`;
    expect((await off('/sms', recovery_codes[2]!)).body.data).toMatchObject({ enabled: false, factors: [] });
    expect((await login()).status).toBe(200);
  });
});
