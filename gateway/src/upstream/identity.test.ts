/** Services learn about the caller and the client from the gateway alone, regardless of what the client sends. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, startAnother, crm, platform, introspection, signIn } = await gatewayFixture();
let kim: SignedInUser;
beforeEach(() => {
  kim = signIn();
  crm.received.length = 0;
  platform.received.length = 0;
});

const ID = '0198c5b8-1111-7000-8000-000000000000';

/** Requests a lead and returns the request as crm received it. */
async function sendThrough(headers: Record<string, string | string[]>, base = gateway.url) {
  const answer = await sendRequest(base, `/api/lead/show/${ID}`, {
    headers: { authorization: kim.authorization, ...headers },
  });
  return { answer, received: crm.received.at(-1)! };
}

describe('a service', () => {
  test('receives the caller in a token of the gateway', async () => {
    const { answer, received } = await sendThrough({});
    expect(answer.status).toBe(200);
    expect(received.caller).toEqual({
      user_id: kim.user_id,
      user_name: 'Kim Example',
      kind: 'staff',
      workspace_id: kim.workspace_id,
      role: 'sales',
      permissions: ['lead.view'],
      record_scopes: { lead: 'own' },
      modules: ['crm'],
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      session_id: kim.session_id,
    });
    expect(received.headers.authorization).not.toContain(kim.authorization);
  });

  test('receives the ID of an API key in place of a session', async () => {
    const { answer, received } = await sendThrough({ authorization: `Bearer ${kim.api_key}` });
    expect(answer.status).toBe(200);
    expect(received.caller).toMatchObject({ user_id: kim.user_id, api_key_id: kim.api_key_id });
    expect(received.caller).not.toHaveProperty('session_id');
    expect(introspection.requests.at(-1)).toMatchObject({ address: '127.0.0.1' });
  });

  test('receives no caller for a public operation, even with a token', async () => {
    const headers = { authorization: kim.authorization, 'content-type': 'application/json' };
    await sendRequest(gateway.url, '/api/login', { method: 'POST', headers, body: '{"email":"a@b.c"}' });
    expect(platform.received).toMatchObject([{ url: '/api/login', caller: null, body: '{"email":"a@b.c"}' }]);
    expect(introspection.requests.some(({ credential }) => credential?.value === kim.session_id)).toBe(false);
  });

  test('receives the unchanged query and body', async () => {
    await sendRequest(gateway.url, '/api/lead/create?a=%2F..&b[gte]=1&b=%00', {
      method: 'POST',
      headers: { authorization: kim.authorization, 'content-type': 'application/json' },
      body: '{"name":"Ada"}',
    });
    const [received] = crm.received;
    expect(received).toMatchObject({
      method: 'POST',
      url: '/api/lead/create?a=%2F..&b[gte]=1&b=%00',
      body: '{"name":"Ada"}',
    });
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '14' });
  });

  test('receives the headers that a client may set, and no others', async () => {
    const { received } = await sendThrough({
      accept: 'application/json',
      'accept-language': 'de',
      'idempotency-key': 'k1',
      'if-match': '"3"',
      'if-none-match': '"2"',
      'user-agent': 'tests',
      cookie: 'a=b',
      origin: 'https://elsewhere.test',
      'x-custom': '1',
    });
    expect(Object.keys(received.headers).toSorted()).toEqual([
      'accept',
      'accept-language',
      'authorization',
      'connection',
      'host',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'traceparent',
      'user-agent',
      'x-client-address',
      'x-deadline-ms',
      'x-request-id',
    ]);
  });
});

describe('a request ID', () => {
  test('is generated, and identical for client and service', async () => {
    const { answer, received } = await sendThrough({});
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(received.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  test('is accepted from the client in a valid form', async () => {
    const { answer, received } = await sendThrough({ 'x-request-id': 'order-4711.a' });
    expect([answer.headers['x-request-id'], received.headers['x-request-id']]).toEqual([
      'order-4711.a',
      'order-4711.a',
    ]);
  });

  test.each([['a b c d e f'], ['short'], ['x'.repeat(129)], ['a{"b":"c"}d'], ['line\u00a0break']])(
    'is replaced by a new ID if the client sends %j',
    async (id) => {
      const { answer } = await sendThrough({ 'x-request-id': id });
      expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    },
  );
});

describe('a trace', () => {
  const known = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  test('continues when the client sends one', async () => {
    expect((await sendThrough({ traceparent: known })).received.headers['traceparent']).toBe(known);
  });

  test.each([[''], ['00-0-0-00'], [known.toUpperCase()], [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`], [`${known}-x`]])(
    'begins again if the client sends %j',
    async (traceparent) => {
      const begun = (await sendThrough({ traceparent })).received.headers['traceparent'];
      expect(begun).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
      expect(begun).not.toBe(known);
    },
  );
});

const FORGED = 'mallory';
const spoofs: [name: string, headers: Record<string, string | string[]>][] = [
  ...[
    'x-user-id',
    'X-User-Id',
    'x_user_id',
    'X_USER_ID',
    'x-user',
    'x-workspace-id',
    'x_workspace_id',
    'x-tenant',
    'x-role',
    'x-permissions',
    'x-caller',
    'caller',
    'x-internal',
    'x-identity',
    'x-authenticated-user',
    'remote-user',
    'x-remote-user',
    'x-api-key',
    'x-session-id',
    'x-client-address',
    'X-Client-Address',
    'x-deadline-ms',
    'x_client_address',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-forwarded-user',
    'x-forwarded-prefix',
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'x-cluster-client-ip',
    'via',
    'x-original-url',
    'x-rewrite-url',
    'x-original-host',
    'x-host',
    'x-http-method-override',
    'x-http-method',
    'x-method-override',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'keep-alive',
    'tracestate',
    'baggage',
    'grpc-timeout',
    '__proto__',
    'constructor',
  ].map((name): [string, Record<string, string>] => [name, { [name]: FORGED }]),
  ['an address twice', { 'x-client-address': [FORGED, FORGED] }],
  ['an address in a list', { 'x-forwarded-for': `${FORGED}, 10.0.0.1, ${FORGED}` }],
  ['Connection that names our headers', { connection: 'x-request-id, x-client-address, authorization, close' }],
  ['Upgrade', { connection: 'upgrade', upgrade: FORGED }],
  ['two hundred headers', Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-user-id-${at}`, FORGED]))],
];

describe('a client that sends identity headers', () => {
  test.each(spoofs)('cannot forge its identity or address with %s', async (_name, headers) => {
    const { answer, received } = await sendThrough(headers);
    expect(answer.status).toBe(200);
    expect(received).toMatchObject({ method: 'GET', url: `/api/lead/show/${ID}`, caller: { user_id: kim.user_id } });
    expect(received.headers).toMatchObject({
      'x-client-address': '127.0.0.1',
      'x-request-id': answer.headers['x-request-id'],
    });
    expect(received.raw_headers.join('\n')).not.toContain(FORGED);
    const names = received.raw_headers.filter((_header, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });

  test('cannot avoid its limit with another address', async () => {
    const limited = await startAnother({ RATE_LIMITS: '{"anonymous": 3}' });
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${at}`, forwarded: `for=10.0.0.${at}`, 'x-real-ip': `10.0.0.${at}` };
      statuses.push((await sendRequest(limited.url, '/api/nowhere', { headers })).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  });
});

describe('behind trusted proxies', () => {
  test('uses the address seen by the outermost proxy', async () => {
    const { url } = await startAnother({ TRUST_PROXY: '2' });
    const { received } = await sendThrough({ 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.2' }, url);
    expect(received.headers['x-client-address']).toBe('203.0.113.7');
  });
});
