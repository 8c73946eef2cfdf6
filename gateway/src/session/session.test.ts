/** Tests of sessions: authentication, the caller cache, and the delay of a revocation. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { clock, Fault, newApiKey } from '@suite/chassis/gateway';
import { sendRequest } from '../../test/http-client.ts';
import { accessToken, type SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, startAnother, introspection, crm, platform, signIn, publish } = await gatewayFixture();
const second = await startAnother();
let kim: SignedInUser;
beforeEach(() => {
  kim = signIn();
  introspection.beforeResponse = undefined;
  introspection.requests.length = 0;
});

const enter = async (authorization: string | undefined, base = gateway.url) => {
  return sendRequest(base, '/api/leads', authorization === undefined ? {} : { headers: { authorization } });
};
const status = async (...asked: Parameters<typeof enter>) => (await enter(...asked)).status;

/** Waits until a caller is rejected and returns the time. Fails after `at_most_ms`. */
async function waitUntilRejected(authorization: string, base: string, at_most_ms: number): Promise<number> {
  const start = performance.now();
  while ((await status(authorization, base)) === 200) {
    if (performance.now() - start > at_most_ms) throw new Error(`Still let in after ${at_most_ms} ms.`);
    await pause(5);
  }
  return performance.now() - start;
}

describe('a caller', () => {
  test('is authenticated by access token or API key, with one introspection', async () => {
    expect(await status(kim.authorization)).toBe(200);
    expect(await status(`Bearer ${kim.api_key}`)).toBe(200);
    for (let times = 0; times < 5; times += 1) expect(await status(kim.authorization)).toBe(200);
    expect(introspection.requests.map(({ credential }) => credential)).toEqual([
      { $case: 'session_id', value: kim.session_id },
      { $case: 'api_key', value: kim.api_key },
    ]);
  });

  test('needs one introspection for many concurrent requests', async () => {
    introspection.beforeResponse = () => pause(50);
    const statuses = await Promise.all(Array.from({ length: 30 }, () => status(kim.authorization)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(introspection.requests).toHaveLength(1);
  });

  test.each([['bearer'], ['BEARER'], ['Bearer ']])('can write the scheme as %j', async (scheme) => {
    expect(await status(kim.authorization.replace('Bearer', scheme))).toBe(200);
  });

  test('is rejected with a challenge without a token', async () => {
    const answer = await enter(undefined);
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="suite"');
  });

  test.each([['Basic a2ltOmtpbQ=='], ['Bearer'], ['Bearer '], ['Bearer a b'], ['Token x'], ['']])(
    'is rejected with %j instead of a token',
    async (authorization) => {
      const answer = await enter(authorization);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    },
  );

  test('is rejected after one introspection if unknown to platform', async () => {
    const stranger = `Bearer ${newApiKey()}`;
    for (let times = 0; times < 3; times += 1) expect(await status(stranger)).toBe(401);
    expect(introspection.requests).toHaveLength(1);
  });

  test('gets the reason of platform if rejected for another reason', async () => {
    introspection.beforeResponse = () => {
      throw new Fault(403, 'forbidden', 'This key may not be used from here.');
    };
    expect(await enter(`Bearer ${kim.api_key}`)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', message: 'This key may not be used from here.' },
    });
  });

  test('is introspected for each address if their API key is bound to addresses', async () => {
    const { url } = await startAnother({ TRUST_PROXY: '1' });
    introspection.beforeResponse = ({ address }) => {
      if (address !== '203.0.113.7') throw new Fault(403, 'forbidden', 'This key may not be used from here.');
    };
    const from = async (address: string) => {
      const headers = { authorization: `Bearer ${kim.api_key}`, 'x-forwarded-for': address };
      return (await sendRequest(url, '/api/leads', { headers })).status;
    };
    expect([await from('203.0.113.7'), await from('203.0.113.8'), await from('203.0.113.7')]).toEqual([200, 403, 200]);
  });

  test('is rejected if platform and the token name different users', async () => {
    const other = signIn();
    const mixed = accessToken({ user_id: other.user_id, session_id: kim.session_id });
    expect(await status(`Bearer ${mixed}`)).toBe(401);
  });

  test('is accepted for 30 seconds after the token expired, to allow clock skew', async () => {
    const now = Math.floor(clock.now().getTime() / 1_000);
    const late = accessToken(kim, { claims: { exp: now - 28 } });
    expect(await status(`Bearer ${late}`)).toBe(200);
    await pause(2_100);
    expect(await status(`Bearer ${late}`)).toBe(401);
  });
});

describe('a caller who signs out', () => {
  test('is rejected immediately by this gateway, and by others within a second', async () => {
    expect([await status(kim.authorization), await status(kim.authorization, second.url)]).toEqual([200, 200]);
    const headers = { authorization: kim.authorization };
    platform.respond = (_request, response) => {
      introspection.users.delete(kim);
      response.end('{}');
    };
    const answer = await sendRequest(gateway.url, '/api/logout', { method: 'POST', headers });
    delete platform.respond;
    expect(answer.status).toBe(200);
    expect(await status(kim.authorization)).toBe(401);
    expect(await status(kim.authorization, second.url)).toBe(200);
    const about = { workspace_id: kim.workspace_id, data: { session_id: kim.session_id, user_id: kim.user_id } };
    await publish('platform.session.revoked', about);
    expect(await waitUntilRejected(kim.authorization, second.url, 1_000)).toBeLessThan(1_000);
  });

  test.each([
    ['an API key that is revoked', () => `/api/v1/settings/api-keys/${kim.api_key_id}`, 'DELETE'],
    ['an API key in capitals', () => `/api/v1/settings/api-keys/${kim.api_key_id.toUpperCase()}`, 'DELETE'],
    ['a user who is disabled', () => `/api/user/delete/${kim.user_id}`, 'DELETE'],
  ])('is rejected immediately by the gateway that forwarded the request: %s', async (_who, path, method) => {
    const owner = signIn(kim.workspace_id);
    expect(await status(`Bearer ${kim.api_key}`)).toBe(200);
    introspection.users.delete(kim);
    const headers = { authorization: owner.authorization, 'content-type': 'application/json' };
    expect((await sendRequest(gateway.url, path(), { method, headers })).status).toBe(200);
    expect(await status(`Bearer ${kim.api_key}`)).toBe(401);
  });

  test('is accepted only once when platform was asked before and answers later', async () => {
    let release = () => {};
    introspection.beforeResponse = () => new Promise<void>((resolve) => (release = resolve));
    const before = status(kim.authorization);
    while (introspection.requests.length === 0) await pause(5);
    introspection.beforeResponse = undefined;
    introspection.users.delete(kim);
    const about = { workspace_id: kim.workspace_id, data: { session_id: kim.session_id, user_id: kim.user_id } };
    await publish('platform.session.revoked', about);
    await pause(200);
    // A later request does not share the running introspection.
    expect(await status(kim.authorization)).toBe(401);
    release();
    expect(await before).toBe(200);
    expect(await status(kim.authorization)).toBe(401);
  });
});

describe('a platform event', () => {
  const events: [
    type: string,
    about: (person: SignedInUser) => object,
    credential: (person: SignedInUser) => string,
  ][] = [
    ['platform.session.revoked', ({ session_id }) => ({ session_id }), ({ authorization }) => authorization],
    ['platform.api_key.revoked', ({ api_key_id }) => ({ api_key_id }), ({ api_key }) => `Bearer ${api_key}`],
    ['platform.user.disabled', ({ user_id }) => ({ user_id }), ({ authorization }) => authorization],
    ['platform.user.disabled', ({ user_id }) => ({ user_id }), ({ api_key }) => `Bearer ${api_key}`],
    ['platform.user.deleted', ({ user_id }) => ({ user_id }), ({ authorization }) => authorization],
    ['platform.user.access_changed', ({ user_id }) => ({ user_id }), ({ authorization }) => authorization],
    ['platform.user.updated', ({ user_id }) => ({ user_id }), ({ authorization }) => authorization],
    ['platform.workspace.entitlements_changed', () => ({ modules: [] }), ({ authorization }) => authorization],
    ['platform.workspace.suspended', () => ({}), ({ api_key }) => `Bearer ${api_key}`],
  ];

  test.each(events)('takes effect within a second: %s', async (type, about, credential) => {
    const others = signIn();
    for (const { url } of [gateway, second]) {
      expect(await status(credential(kim), url)).toBe(200);
      expect(await status(others.authorization, url)).toBe(200);
    }
    introspection.users.delete(kim);
    expect(await status(credential(kim))).toBe(200);
    await publish(type, { workspace_id: kim.workspace_id, data: about(kim) });
    for (const { url } of [gateway, second]) await waitUntilRejected(credential(kim), url, 1_000);
    const asked = introspection.requests.length;
    expect(await status(others.authorization)).toBe(200);
    expect(introspection.requests.length).toBe(asked);
  });

  test.each([
    ['names no user', '{"workspace_id":"w","data":{}}'],
    ['is not JSON', 'no JSON'],
  ])('clears the cache within a second if its message %s', async (_kind, payload) => {
    expect(await status(kim.authorization)).toBe(200);
    introspection.users.delete(kim);
    await publish('platform.user.updated', payload);
    await waitUntilRejected(kim.authorization, gateway.url, 1_000);
  });
});

describe('an introspection without platform events', () => {
  test('is valid for five seconds', async () => {
    expect(await status(kim.authorization)).toBe(200);
    introspection.users.delete(kim);
    await pause(4_000);
    expect(await status(kim.authorization)).toBe(200);
    expect(await waitUntilRejected(kim.authorization, gateway.url, 1_300)).toBeGreaterThan(0);
  }, 240_000);

  test('is valid for five seconds from its request, even with a slow response', async () => {
    introspection.beforeResponse = () => pause(1_500);
    const before = status(kim.authorization);
    while (introspection.requests.length === 0) await pause(5);
    introspection.users.delete(kim);
    expect(await before).toBe(200);
    introspection.beforeResponse = undefined;
    await pause(3_800);
    expect(await status(kim.authorization)).toBe(401);
  }, 240_000);

  test('updates the caller that a service receives', async () => {
    await status(kim.authorization);
    expect(crm.received.at(-1)?.caller).toMatchObject({ workspace_id: kim.workspace_id });
    introspection.users.delete(kim);
    const moved = { ...kim, workspace_id: signIn().workspace_id };
    introspection.users.add(moved);
    await pause(5_200);
    expect(await status(kim.authorization)).toBe(200);
    expect(crm.received.at(-1)?.caller).toMatchObject({ workspace_id: moved.workspace_id });
  }, 240_000);

  test('reuses the identity token of an unchanged caller', async () => {
    const lastToken = () => crm.received.at(-1)?.headers.authorization;
    await status(kim.authorization);
    const tokens = [lastToken()];
    // The sweep of stale entries, every ten seconds, may delete the entry in between. It cannot do so twice in a row.
    while (tokens.length < 3 && tokens.at(-1) !== tokens.at(-2)) {
      await pause(5_200);
      await status(kim.authorization);
      expect(introspection.requests).toHaveLength(tokens.push(lastToken()));
    }
    expect(tokens.at(-1)).toBe(tokens.at(-2));
  }, 240_000);
});
