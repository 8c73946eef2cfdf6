import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { networkOf } from '../login-throttling/network.ts';
import { tokenHash } from '../../tokens/token.ts';
import { platform as contents } from '../../platform.ts';
import { openWorkspace, PASSWORD } from '../../../test/workspace.ts';

const platform = await start(contents);

const HOME = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

function login(email: string, password: string, more: { from?: string; device_token?: string } = {}) {
  const { from = HOME, ...device } = more;
  const headers = { 'x-client-address': from };
  return platform.anonymous.post('/api/login', { email, password, ...device }, { headers });
}

/** Uses up an allowance. Removes the time that this takes, so that a slow machine does not get attempts back. */
async function useUp(email: string, from: string) {
  const began = performance.now();
  for (let at = 0; at < 10; at += 1) expect((await login(email, 'wrong', { from })).status).toBe(401);
  await platform.sql`
    UPDATE login_allowances
    SET full_at = least(full_at + make_interval(secs => ${(performance.now() - began) / 1000}), clock_timestamp() + interval '60 s')
    WHERE full_at > clock_timestamp()`;
}

describe('password guessing for an account', () => {
  test('allows ten attempts, then one every six seconds, even for unknown addresses', async () => {
    const acme = await openWorkspace(platform);
    for (const email of [acme.email('staff'), `nobody.${acme.id}@example.test`]) {
      await useUp(email, HOME);
      const response = await login(email, PASSWORD);
      expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(6);
    }
  });

  test('allows only ten attempts in parallel on two replicas', async () => {
    const acme = await openWorkspace(platform);
    const second = await start(contents, { replicaOf: platform });
    const replies = await runConcurrently(16, (at) =>
      (at % 2 ? platform : second).anonymous.post('/api/login', { email: acme.email('staff'), password: 'wrong' }),
    );
    expect(sortedStatuses(replies).filter((status) => status === 401)).toHaveLength(10);
    expect(sortedStatuses(replies).filter((status) => status === 429)).toHaveLength(6);
  });

  test('is allowed again after the time in Retry-After', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('hr');
    await useUp(email, HOME);
    const seconds = Number((await login(email, PASSWORD)).headers.get('retry-after'));
    const here = tokenHash(`${email} from ${networkOf(HOME)}`);
    await platform.sql`UPDATE login_allowances SET full_at = full_at - make_interval(secs => ${seconds}) WHERE account_hash = ${here}`;
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  test('blocks only the network of its address', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('staff');
    await useUp(email, '2001:db8:1:2::1');
    expect((await login(email, PASSWORD, { from: '2001:db8:1:2:ffff::2' })).status).toBe(429);
    expect((await login(email, PASSWORD, { from: '2001:db8:1:3::1' })).status).toBe(200);
    expect((await login(email, PASSWORD, { from: ELSEWHERE })).status).toBe(200);
  });

  test('does not lock out a known device at the same address', async () => {
    const acme = await openWorkspace(platform);
    const [email, other] = [acme.email('staff'), acme.email('hr')];
    const { device_token } = (await login(email, PASSWORD)).body.data;
    expect(device_token).toMatch(/^bmd_/);
    const otherDevice = (await login(other, PASSWORD)).body.data.device_token;
    await useUp(email, HOME);
    expect((await login(email, PASSWORD, { device_token: otherDevice })).status).toBe(429);
    const known = await login(email, PASSWORD, { device_token });
    expect(known).toMatchObject({ status: 200, body: { data: { device_token } } });
    for (let at = 0; at < 10; at += 1) expect((await login(email, 'wrong', { device_token })).status).toBe(401);
    expect((await login(email, PASSWORD, { device_token })).status).toBe(429);
  });

  test('uses no allowance for correct passwords', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('staff');
    for (let at = 0; at < 25; at += 1) expect((await login(email, PASSWORD)).status).toBe(200);
    await useUp(email, HOME);
    expect((await login(email, PASSWORD)).status).toBe(429);
  });
});

describe('password guessing for an account from many networks', () => {
  test('is limited per unknown origin to one attempt a minute, not for the owner', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('staff');
    const { device_token } = (await login(email, PASSWORD)).body.data;
    await platform.sql`INSERT INTO login_allowances VALUES (${tokenHash(email)}, now() + interval '600 s')`;
    expect((await login(email, 'wrong', { from: ELSEWHERE })).status).toBe(401);
    const response = await login(email, PASSWORD, { from: ELSEWHERE });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
    expect((await login(email, PASSWORD, { from: '192.0.2.1' })).status).toBe(200);
    await login(email, 'wrong', { from: ELSEWHERE, device_token });
    expect((await login(email, PASSWORD, { from: ELSEWHERE, device_token })).status).toBe(200);
  });

  test('is counted across all addresses', async () => {
    const acme = await openWorkspace(platform);
    const email = acme.email('staff');
    await runConcurrently(12, (at) => login(email, 'wrong', { from: `192.0.2.${at}` }));
    const [row] = await platform.sql`
      SELECT extract(epoch FROM full_at - now())::int AS ahead_s FROM login_allowances WHERE account_hash = ${tokenHash(email)}`;
    expect(row!.ahead_s).toBeGreaterThan(15);
    expect(row!.ahead_s).toBeLessThanOrEqual(24);
  });
});
