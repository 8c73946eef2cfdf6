/** How much one caller may ask: counted by token, workspace and address, said on every answer, refused with 429. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { openLog } from '@suite/chassis/gateway';
import { type Answer, type Asked, ask } from '../../test/http-client.ts';
import type { Person } from '../../test/signed-in-user.ts';
import { stage } from '../../test/gateway-fixture.ts';
import { effectivePolicies, policies } from './rate-limits.ts';

const { another, crm, platform, signIn } = await stage();
const withLimits = (limits: object) => another({ RATE_LIMITS: JSON.stringify(limits) });
const read = (base: string, person: Person, path = '/api/leads') =>
  ask(base, path, { headers: { authorization: person.authorization } });

async function times(count: number, asking: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < count; at += 1) answers.push(await asking());
  return answers;
}
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

describe('the limit of a token', () => {
  test('is said on every answer, and what is beyond is 429 with the seconds to wait', async () => {
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

  test('is another one for each session and each API key', async () => {
    const { url } = await withLimits({ token: 1 });
    const kim = signIn();
    expect(statusesOf(await times(2, () => read(url, kim)))).toEqual([200, 429]);
    const key = { ...kim, authorization: `Bearer ${kim.api_key}` };
    expect(statusesOf(await times(2, () => read(url, key)))).toEqual([200, 429]);
    expect((await read(url, signIn(kim.workspace_id))).status).toBe(200);
  });

  test('keeps a request from the service, and comes after the question who is asking', async () => {
    const { url } = await withLimits({ token: 1 });
    const kim = signIn();
    await read(url, kim);
    const seen = crm.seen.length;
    expect((await read(url, kim)).status).toBe(429);
    expect(crm.seen.length).toBe(seen);
    expect((await ask(url, '/api/leads')).status).toBe(401);
    expect((await read(url, kim, '/api/nowhere')).status).toBe(404);
  });
});

test('the limit of a workspace is shared by everybody in it, and by nobody else', async () => {
  const { url } = await withLimits({ workspace: 3 });
  const kim = signIn();
  const ada = signIn(kim.workspace_id);
  const answers = [await read(url, kim), await read(url, ada), await read(url, kim), await read(url, ada)];
  expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  expect(answers[3]?.headers['ratelimit']).toMatch(/^"token"; r=598; t=\d+, "workspace"; r=0; t=\d+$/);
  expect((await read(url, signIn())).status).toBe(200);
});

describe('what is not signed in', () => {
  const post = (base: string, path: string, more: Asked = {}) => ask(base, path, { method: 'POST', ...more });

  test('may fail at 30 logins a minute from one address', async () => {
    const { url } = await withLimits({});
    let asked = 0;
    platform.answer = (request, response) => {
      asked += 1;
      request.resume();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"wrong_credentials"}');
    };
    const answers = await times(31, () => post(url, '/api/login', { body: '{}' }));
    delete platform.answer;
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
    expect(answers[0]?.headers['ratelimit']).toMatch(/^"login"; r=29; t=\d+$/);
    expect(asked).toBe(30);
  });

  test('uses up nothing by logins that succeed', async () => {
    const { url } = await withLimits({});
    const answers = await times(40, () => post(url, '/api/login', { body: '{}' }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(answers.at(-1)?.headers['ratelimit']).toMatch(/^"login"; r=2\d; t=\d+$/);
  });

  test('may refresh a session more often: a whole office shares an address', async () => {
    const { url } = await withLimits({});
    const answers = await times(35, () => post(url, '/api/refresh', { body: '{}' }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"anonymous"; q=600; w=60');
  });

  test('may write 20 times a minute elsewhere', async () => {
    const { url } = await withLimits({});
    const answers = await times(21, () => post(url, '/api/forgot-password', { body: '{}' }));
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"public"; q=20; w=60');
  });

  test('is counted by its address when it is refused, and refused for that when it is too much', async () => {
    const { url } = await withLimits({ anonymous: 5 });
    const answers = [
      await ask(url, '/api/leads'),
      await ask(url, '/api/nowhere'),
      await post(url, '/api/leads'),
      await ask(url, '/api//leads'),
      await ask(url, '/docs'),
    ];
    expect(statusesOf(answers)).toEqual([401, 404, 405, 400, 200]);
    for (const [at, { headers }] of answers.entries()) {
      expect(headers['ratelimit']).toMatch(new RegExp(`^"anonymous"; r=${4 - at}; t=\\d+$`));
      expect(headers['ratelimit-policy']).toBe('"anonymous"; q=5; w=60');
    }
    const refused = await ask(url, '/api/leads');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers['www-authenticate']).toBeUndefined();
    expect(String(refused.body.details.retry_after_s)).toBe(refused.headers['retry-after']);
    expect((await read(url, signIn())).status).toBe(200);
  });
});

test('a window ends, and one request at Retry-After succeeds', async () => {
  const { express, limits: limitsOf, exchange } = await windowOfTwoSeconds();
  const first = await express(limitsOf, exchange());
  // What is left is no whole number of seconds: rounded down, the wait would be too short.
  await pause(300);
  const second = await express(limitsOf, exchange());
  expect([first, second.refused]).toMatchObject([{ refused: undefined }, { status: 429 }]);
  await pause(Number(second.headers['retry-after']) * 1_000);
  expect((await express(limitsOf, exchange())).refused).toBeUndefined();
});

/** The limiter alone, with a window that a test can wait for. */
async function windowOfTwoSeconds() {
  const { limits } = await import('./rate-limits.ts');
  const short = { ...effectivePolicies({}), token: { limit: 1, window_s: 2, counts: '' } };
  const made = limits({ policies: short, log: openLog('gateway', 'silent') });
  const exchange = () => ({
    session: { name: 's', caller: { workspace_id: 'w' } },
    headers: {} as Record<string, string>,
  });
  const express = (limiters: typeof made, one: ReturnType<typeof exchange>) =>
    new Promise<{ refused: unknown; headers: Record<string, string> }>((resolve) => {
      const reply = { locals: { exchange: one } } as never;
      limiters.limit({ app: { get: () => false }, headers: {} } as never, reply, (refused?: unknown) =>
        resolve({ refused, headers: one.headers }),
      );
    });
  return { express, limits: made, exchange };
}

describe('the published numbers', () => {
  test('are data that the documents can show', () => {
    expect(policies).toMatchObject({
      token: { limit: 600, window_s: 60 },
      workspace: { limit: 3_000, window_s: 60 },
      login: { limit: 30, window_s: 60 },
      public: { limit: 20, window_s: 60 },
    });
    for (const { counts } of Object.values(policies)) expect(counts).toMatch(/\.$/);
  });

  test('hold unless a deployment says otherwise', () => {
    const effective = effectivePolicies({ token: 6_000 });
    expect(effective.token).toEqual({ ...policies.token, limit: 6_000 });
    expect(effective.workspace).toEqual(policies.workspace);
  });
});
