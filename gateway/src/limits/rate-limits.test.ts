/** Rate limits by token, workspace and address: every response states them, and requests beyond them get 429. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { openLog } from '@suite/chassis/gateway';
import type { SentRequest } from '@suite/testing/http';
import { type HttpResponse, sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { effectivePolicies, policies } from './policies.ts';
import { type RateLimits, rateLimits } from './rate-limits.ts';

const { startAnother, crm, platform, signIn } = await gatewayFixture();
const withLimits = (limits: object) => startAnother({ RATE_LIMITS: JSON.stringify(limits) });
const read = (base: string, person: SignedInUser, path = '/api/leads') =>
  sendRequest(base, path, { headers: { authorization: person.authorization } });

async function times(count: number, asking: (at: number) => Promise<HttpResponse>): Promise<HttpResponse[]> {
  const answers: HttpResponse[] = [];
  for (let at = 0; at < count; at += 1) answers.push(await asking(at));
  return answers;
}
/** Responds like the services that share crm's fake. */
async function answering<T>(asking: () => Promise<T>): Promise<T> {
  crm.respond = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  try {
    return await asking();
  } finally {
    delete crm.respond;
  }
}
const statusesOf = (answers: HttpResponse[]) => answers.map(({ status }) => status);

describe('the token limit', () => {
  test('is in every response, and returns 429 with the seconds to wait beyond it', async () => {
    const { url } = await withLimits({ token: 3 });
    const kim = signIn();
    const answers = await times(5, () => read(url, kim));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit']?.replaceAll(/t=\d+/g, 't'))).toEqual([
      '"token"; r=2; t, "workspace"; r=2999; t',
      '"token"; r=1; t, "workspace"; r=2998; t',
      '"token"; r=0; t, "workspace"; r=2997; t',
      '"token"; r=0; t',
      '"token"; r=0; t',
    ]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"token"; q=3; w=60, "workspace"; q=3000; w=60');
    expect(answers[3]).toMatchObject({
      body: { code: 'rate_limited', request_id: answers[3]?.headers['x-request-id'] },
    });
    expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(50);
    expect(answers[3]?.headers['retry-after']).toMatch(/^\d{1,2}$/);
    for (const { headers, body } of answers.slice(3)) {
      expect(String(body.details.retry_after_s)).toBe(headers['retry-after']);
      expect(headers['ratelimit']).toBe(`"token"; r=0; t=${headers['retry-after']}`);
    }
    expect(answers[2]?.headers['retry-after']).toBeUndefined();
  });

  test('counts each session and each API key separately', async () => {
    const { url } = await withLimits({ token: 1 });
    const kim = signIn();
    expect(statusesOf(await times(2, () => read(url, kim)))).toEqual([200, 429]);
    const key = { ...kim, authorization: `Bearer ${kim.api_key}` };
    expect(statusesOf(await times(2, () => read(url, key)))).toEqual([200, 429]);
    expect((await read(url, signIn(kim.workspace_id))).status).toBe(200);
  });

  test('rejects a request after authentication and before its service', async () => {
    const { url } = await withLimits({ token: 1 });
    const kim = signIn();
    await read(url, kim);
    const before = crm.received.length;
    expect((await read(url, kim)).status).toBe(429);
    expect(crm.received.length).toBe(before);
    expect((await sendRequest(url, '/api/leads')).status).toBe(401);
    expect((await read(url, kim, '/api/nowhere')).status).toBe(404);
  });
});

test('the workspace limit is shared by its users only', async () => {
  const { url } = await withLimits({ workspace: 3 });
  const kim = signIn();
  const ada = signIn(kim.workspace_id);
  const answers = [await read(url, kim), await read(url, ada), await read(url, kim), await read(url, ada)];
  expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  expect(answers[3]?.headers['ratelimit']).toMatch(/^"token"; r=598; t=\d+, "workspace"; r=0; t=\d+$/);
  expect((await read(url, signIn())).status).toBe(200);
});

describe('an unauthenticated caller', () => {
  const post = (base: string, path: string, more: SentRequest = {}) =>
    sendRequest(base, path, { method: 'POST', ...more });

  test('can fail 30 logins a minute from one address', async () => {
    const { url } = await withLimits({});
    let asked = 0;
    platform.respond = (request, response) => {
      asked += 1;
      request.resume();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"wrong_credentials"}');
    };
    const answers = await times(31, () => post(url, '/api/login', { body: '{}' }));
    delete platform.respond;
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
    expect(answers[0]?.headers['ratelimit']).toMatch(/^"login"; r=29; t=\d+$/);
    expect(asked).toBe(30);
  });

  test('has no limit for successful logins', async () => {
    const { url } = await withLimits({});
    const answers = await times(40, () => post(url, '/api/login', { body: '{}' }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(answers.at(-1)?.headers['ratelimit']).toMatch(/^"login"; r=2\d; t=\d+$/);
  });

  test('can refresh sessions more often, because an office shares an address', async () => {
    const { url } = await withLimits({});
    const answers = await times(35, () => post(url, '/api/refresh', { body: '{}' }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"anonymous"; q=600; w=60');
  });

  test('can write 20 times a minute elsewhere', async () => {
    const { url } = await withLimits({});
    const answers = await times(21, () => post(url, '/api/forgot-password', { body: '{}' }));
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"public"; q=20; w=60');
  });

  test('can use personal links 30 times a minute in total, reading or writing', async () => {
    const { url } = await withLimits({});
    const use = (at: number) => {
      const path = `/api/support-ticket/public/${at}`;
      return at % 2 ? sendRequest(url, path) : post(url, `${path}/reply`, { body: '{"body":"Hello"}' });
    };
    const answers = await answering(() => times(31, use));
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"link"; q=30; w=60');
    expect(answers[30]).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  test('can read the price list 60 times a minute, from any site', async () => {
    const { url } = await withLimits({});
    const answers = await times(61, () =>
      sendRequest(url, '/api/public/plans', { headers: { origin: 'https://a.test' } }),
    );
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"plans"; q=60; w=60');
    for (const { headers } of [answers[0]!, answers[60]!]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('may submit e-mails with a mailbox token up to the anonymous limit', async () => {
    const { url } = await withLimits({});
    const headers = { 'content-type': 'message/rfc822', authorization: 'Bearer mbx_x' };
    const hand = () => post(url, '/api/support-ticket/inbound', { body: 'Subject: x', headers });
    const answers = await answering(() => times(25, hand));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"anonymous"; q=600; w=60');
  });

  test('is counted by address for rejected requests too, up to 429', async () => {
    const { url } = await withLimits({ anonymous: 5 });
    const answers = [
      await sendRequest(url, '/api/leads'),
      await sendRequest(url, '/api/nowhere'),
      await post(url, '/api/leads'),
      await sendRequest(url, '/api//leads'),
      await sendRequest(url, '/docs'),
    ];
    expect(statusesOf(answers)).toEqual([401, 404, 405, 400, 200]);
    for (const [at, { headers }] of answers.entries()) {
      expect(headers['ratelimit']).toMatch(new RegExp(`^"anonymous"; r=${4 - at}; t=\\d+$`));
      expect(headers['ratelimit-policy']).toBe('"anonymous"; q=5; w=60');
    }
    const refused = await sendRequest(url, '/api/leads');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers['www-authenticate']).toBeUndefined();
    expect(String(refused.body.details.retry_after_s)).toBe(refused.headers['retry-after']);
    expect((await read(url, signIn())).status).toBe(200);
  });
});

test('a request at Retry-After succeeds, after the end of the window', async () => {
  const policies = { ...effectivePolicies({}), token: { limit: 1, window_s: 2, counts: '' } };
  const limits = rateLimits({ policies, log: openLog('gateway', 'silent') });
  const first = await passLimits(limits);
  // The rest of the window is not a whole number of seconds. Rounded down, the wait would be too short.
  await pause(300);
  const second = await passLimits(limits);
  expect([first, second.refused]).toMatchObject([{ refused: undefined }, { status: 429 }]);
  await pause(Number(second.headers['retry-after']) * 1_000);
  expect((await passLimits(limits)).refused).toBeUndefined();
});

/** Runs only the limiters, so that the window can be short. */
function passLimits(limits: RateLimits): Promise<{ refused: unknown; headers: Record<string, string> }> {
  const headers: Record<string, string> = {};
  const session = { rate_limit_key: 's', caller: { workspace_id: 'w' }, subscription: { status: '' } };
  return new Promise((resolve) => {
    const reply = { locals: { context: { session, headers } } } as never;
    const request = { app: { get: () => false }, headers: {} } as never;
    limits.limit(request, reply, (refused?: unknown) => resolve({ refused, headers }));
  });
}

describe('the published limits', () => {
  test('are available as data for the API docs', () => {
    expect(policies).toMatchObject({
      token: { limit: 600, window_s: 60 },
      workspace: { limit: 3_000, window_s: 60 },
      login: { limit: 30, window_s: 60 },
      public: { limit: 20, window_s: 60 },
    });
    for (const { counts } of Object.values(policies)) expect(counts).toMatch(/\.$/);
  });

  test('apply unless a deployment overrides them', () => {
    const effective = effectivePolicies({ token: 6_000 });
    expect(effective.token).toEqual({ ...policies.token, limit: 6_000 });
    expect(effective.workspace).toEqual(policies.workspace);
  });
});
