/** Tests of white-label tokens, which are valid for white-label paths only and have separate limits. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { fault } from '@suite/chassis/gateway';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { sendRequest } from '../../test/http-client.ts';

const { gateway, startAnother, introspection, platform, signIn } = await gatewayFixture();
const InstanceSuspended = fault(403, 'instance_suspended', 'It is suspended.');

/** Creates a white-label instance with two tokens. */
function openInstance() {
  const instance = { id: randomUUID(), mode: 'test' };
  const tokens = [0, 1].map(() => `wl_test_${randomBytes(32).toString('base64url')}`);
  for (const token of tokens) introspection.instances.set(token, instance);
  return { ...instance, tokens: tokens as [string, string] };
}

const ask = (token: string | undefined, path = '/api/wl/plans', base = gateway.url) =>
  sendRequest(base, path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
const code = (answer: Awaited<ReturnType<typeof ask>>) => [answer.status, answer.body?.code];

describe('a white-label token', () => {
  test('opens a white-label path and identifies its instance to platform', async () => {
    const { id, tokens } = openInstance();
    expect((await ask(tokens[0])).status).toBe(200);
    expect(platform.received.at(-1)?.caller).toMatchObject({
      user_id: id,
      workspace_id: id,
      instance: { id, mode: 'test' },
    });
    expect(platform.received.at(-1)?.headers['x-bearer']).toBeUndefined();
  });

  test('is rejected on user paths and vice versa, without a call to platform', async () => {
    const { tokens } = openInstance();
    const kim = signIn();
    introspection.requests.length = 0;
    expect(code(await ask(tokens[0], '/api/leads'))).toEqual([401, 'wrong_token_class']);
    for (const token of [kim.authorization.slice('Bearer '.length), kim.api_key]) {
      const answer = await ask(token);
      expect(code(answer)).toEqual([401, 'wrong_token_class']);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*invalid_token/);
    }
    expect(introspection.requests).toEqual([]);
  });

  test.each([
    ['wl_live_short', 'too short'],
    [`wl_none_${'A'.repeat(43)}`, 'of no mode'],
    [`wl_live_${'A'.repeat(42)}B`, 'another spelling'],
    [`wl_test_${'A'.repeat(43)}`, 'unknown'],
  ])('is rejected: %s (%s)', async (token) => {
    expect(code(await ask(token))).toEqual([401, 'unauthenticated']);
    expect(code(await ask(undefined))).toEqual([401, 'unauthenticated']);
  });

  test('is rejected with a specific error if its instance is suspended', async () => {
    const { tokens } = openInstance();
    introspection.beforeResponse = () => {
      throw InstanceSuspended();
    };
    expect(code(await ask(tokens[0]))).toEqual([403, 'instance_suspended']);
    introspection.beforeResponse = undefined;
    expect((await ask(tokens[0])).status).toBe(200);
  });

  test('shares the limit of its instance with its other token only', async () => {
    const { url } = await startAnother({ RATE_LIMITS: JSON.stringify({ instance: 3 }) });
    const { tokens } = openInstance();
    const answers = [];
    for (const token of [tokens[0], tokens[1], tokens[0], tokens[1]])
      answers.push(await ask(token, '/api/wl/plans', url));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]!.headers['ratelimit-policy']).toBe('"instance"; q=3; w=60');
    expect((await ask(openInstance().tokens[0], '/api/wl/plans', url)).status).toBe(200);
  });
});

describe('an event of the payment provider', () => {
  const CALLBACK = '/api/wl/webhook-callback';
  const body = ' {"id" : "evt_1"}\n';
  const send = (base: string, headers: Record<string, string> = {}) =>
    sendRequest(base, CALLBACK, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  test('reaches platform unchanged, with its signature and the token of the sender', async () => {
    const signed = {
      'stripe-signature': 't=1,v1=a',
      'webhook-signature': 't=1,v1=b',
      authorization: 'Bearer wl_test_x',
    };
    expect((await send(gateway.url, signed)).status).toBe(200);
    const { authorization: _, ...signatures } = signed;
    expect(platform.received.at(-1)).toMatchObject({
      body,
      headers: { ...signatures, 'x-bearer': 'wl_test_x' },
      caller: null,
    });
  });

  test('limits rejected events more strictly than accepted events', async () => {
    const { url } = await startAnother({ RATE_LIMITS: JSON.stringify({ unsigned: 3 }) });
    for (let at = 0; at < 6; at += 1) expect((await send(url)).status).toBe(200);
    platform.respond = (request, response) => {
      request.resume();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"invalid_signature"}');
    };
    const refused = [];
    for (let at = 0; at < 4; at += 1) refused.push((await send(url)).status);
    delete platform.respond;
    expect(refused).toEqual([401, 401, 401, 429]);
  });

  test('is not rejected among many concurrent events while the others are processed', async () => {
    const { url } = await startAnother({ RATE_LIMITS: JSON.stringify({ unsigned: 3 }) });
    const waiting: (() => void)[] = [];
    platform.respond = (request, response) => {
      request.resume();
      waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
      // All requests have arrived.
      if (waiting.length === 8) for (const answer of waiting) answer();
    };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(url)));
    delete platform.respond;
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});
