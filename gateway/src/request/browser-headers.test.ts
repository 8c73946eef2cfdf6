/** Tests of security headers, and of CORS for configured sites. */
import { describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../test/http-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, startAnother, signIn, crm } = await gatewayFixture();
const withOrigins = await startAnother({ CORS_ORIGINS: 'https://app.example.com, http://localhost:3000' });
const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
const cross = (headers: Record<string, string | undefined>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

test('every response has the security headers', async () => {
  const { authorization } = signIn();
  const answers = [
    await sendRequest(gateway.url, '/api/leads', { headers: { authorization } }),
    await sendRequest(gateway.url, '/api/leads'),
    await sendRequest(gateway.url, '/nowhere'),
    await sendRequest(gateway.url, '/api//leads'),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age='),
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  }
});

describe('another site', () => {
  test('cannot call the suite unless it is configured', async () => {
    const { authorization } = signIn();
    const headers = { authorization, origin: 'https://app.example.com' };
    expect(cross((await sendRequest(gateway.url, '/api/leads', { headers })).headers)).toEqual([]);
    const asked = { method: 'OPTIONS', headers: { ...preflight, origin: 'https://app.example.com' } };
    expect(await sendRequest(gateway.url, '/api/lead/create', asked)).toMatchObject({ status: 405 });
    expect((await sendRequest(gateway.url, '/api/leads', { headers })).headers).not.toHaveProperty('vary');
  });

  test('can send a preflight request if it is configured', async () => {
    crm.received.length = 0;
    const headers = { ...preflight, origin: 'https://app.example.com' };
    const answer = await sendRequest(withOrigins.url, '/api/lead/create', { method: 'OPTIONS', headers });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringContaining('authorization'),
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(crm.received).toEqual([]);
  });

  test('can read responses and errors if it is configured', async () => {
    const { authorization } = signIn();
    const origin = 'http://localhost:3000';
    for (const [headers, status] of [
      [{ authorization, origin }, 200],
      [{ origin }, 401],
    ] as const) {
      const answer = await sendRequest(withOrigins.url, '/api/leads', { headers });
      expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': origin, vary: 'Origin' } });
      expect(answer.headers['access-control-expose-headers']).toContain('retry-after');
    }
  });

  test('gets no cached response of another site, even if the service sets Vary', async () => {
    const { authorization } = signIn();
    crm.respond = (_request, response) => void response.writeHead(200, { vary: 'Accept-Language' }).end();
    const [varied, alone] = [
      await sendRequest(withOrigins.url, '/api/leads', { headers: { authorization } }),
      await sendRequest(gateway.url, '/api/leads', { headers: { authorization } }),
    ];
    delete crm.respond;
    expect([varied.headers['vary'], alone.headers['vary']]).toEqual(['Origin, Accept-Language', 'Accept-Language']);
  });

  test.each([
    ['http://localhost:5173', true],
    ['http://localhost', true],
    ['http://127.0.0.1:65535', true],
    ['https://localhost:5173', false],
    ['http://localhost.mallory.test', false],
    ['http://localhost:5173.mallory.test', false],
    ['http://localhost:80:80', false],
    ['http://localhost:*', false],
  ])('is allowed on any port by a configured wildcard (%s: %s)', async (origin, may) => {
    const { url } = await startAnother({ CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*' });
    const { headers } = await sendRequest(url, '/openapi.json', { headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(may ? origin : undefined);
  });

  test.each([
    ['https://app.example.com.mallory.test'],
    ['http://app.example.com'],
    ['null'],
    ['https://APP.example.com'],
  ])('is not allowed if it only resembles a configured one: %s', async (origin) => {
    const { authorization } = signIn();
    const answer = await sendRequest(withOrigins.url, '/api/leads', { headers: { authorization, origin } });
    expect(cross(answer.headers)).toEqual([]);
    expect(answer.headers['vary']).toBe('Origin');
  });
});
