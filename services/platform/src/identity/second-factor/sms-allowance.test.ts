import { expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { smsGateway, TO } from '../../../test/sms-gateway.ts';
import { PASSWORD } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { state, connect, deliver, sent } = await smsGateway(platform);
const post = (path: string, body: object) => platform.anonymous.post(path, body);
const login = () => post('/api/login', { email: state.acme.email('staff'), password: PASSWORD });
/** Delivers the queued messages and returns the code in the last one. */
const arrived = async (): Promise<string> => {
  await deliver();
  return /^(\d{6}) is your code/.exec(sent().at(-1).text)![1]!;
};

async function enrol(): Promise<void> {
  const staff = await state.acme.as('staff');
  await staff.post('/api/second-factor/sms/enable', { password: PASSWORD, phone: TO });
  expect((await staff.post('/api/second-factor/confirm', { code: await arrived() })).status).toBe(200);
  await platform.sql`DELETE FROM login_allowances`;
}

test('a code is sent to the owner after other callers have used up their allowance', async () => {
  await connect();
  const { device_token } = (await login()).body.data;
  await enrol();
  const { challenge } = (await login()).body.details;
  const askFrom = (address: string, more: object = {}) =>
    platform.anonymous.post(
      '/api/login/second-factor/sms',
      { challenge, ...more },
      { headers: { 'x-client-address': address } },
    );
  const times = async (count: number, address: string) =>
    sortedStatuses(await runConcurrently(count, () => askFrom(address)));
  expect(await times(4, '198.51.100.9')).toEqual([200, 200, 200, 429]);
  // Another network has a separate allowance, up to a total limit.
  expect((await askFrom('203.0.113.7')).status).toBe(200);
  await platform.sql`UPDATE login_allowances SET full_at = now() + interval '2 hours'`;
  expect((await askFrom('192.0.2.1')).status).toBe(429);
  expect((await askFrom('192.0.2.1', { device_token: 'unknown' })).status).toBe(429);
  expect((await askFrom('192.0.2.1', { device_token })).status).toBe(200);
  expect(await post('/api/login/second-factor', { challenge, code: await arrived() })).toMatchObject({ status: 200 });
});

test("wrong codes from other networks are limited and do not affect the owner's code", async () => {
  await connect();
  await enrol();
  await post('/api/login/second-factor/sms', { challenge: (await login()).body.details.challenge });
  const code = await arrived();
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const answerFrom = async (address: string, answer: string) => {
    const { challenge } = (await login()).body.details;
    const headers = { 'x-client-address': address };
    return (await platform.anonymous.post('/api/login/second-factor', { challenge, code: answer }, { headers })).status;
  };
  const tries: number[] = [];
  for (let at = 0; at < 6; at += 1) tries.push(await answerFrom('198.51.100.9', wrong));
  expect(tries).toEqual([422, 422, 422, 422, 422, 429]);
  expect(await answerFrom('203.0.113.7', code)).toBe(200);
});

test('the code that confirms a number allows five wrong attempts', async () => {
  await connect();
  const staff = await state.acme.as('staff');
  await staff.post('/api/second-factor/sms/enable', { password: PASSWORD, phone: TO });
  const code = await arrived();
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  for (const answer of [wrong, wrong, wrong, wrong, wrong, code])
    expect((await staff.post('/api/second-factor/confirm', { code: answer })).status).toBe(422);
});
