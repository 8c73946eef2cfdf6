/** Tests of operations for pages of any site: badges and lead forms. */
import { describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../test/http-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, startAnother, crm, platform } = await gatewayFixture();
const origin = 'https://www.example.com';
const preflightHeaders = (method: string) => ({ origin, 'access-control-request-method': method });

describe('a page of another site', () => {
  test.each([
    ['/api/badge/bdg_x', 'GET'],
    ['/api/widget/wgt_x', 'GET'],
    ['/api/widget/wgt_x/embed.js', 'GET'],
    ['/api/widget/lead', 'POST'],
  ])('can call %s without credentials', async (path, method) => {
    const { status, headers } = await sendRequest(gateway.url, path, {
      method: 'OPTIONS',
      headers: preflightHeaders(method),
    });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': expect.stringContaining('content-type'),
      'access-control-allow-methods': expect.stringContaining(method),
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers['access-control-allow-headers']).not.toContain('authorization');
  });

  test.each([
    ['/api/leads', 'GET'],
    ['/api/widget/create', 'POST'],
    ['/api/widget/lead', 'DELETE'],
    ['/api/badge', 'GET'],
    ['/nowhere', 'GET'],
  ])('cannot call %s with %s', async (path, method) => {
    const { status, headers } = await sendRequest(gateway.url, path, {
      method: 'OPTIONS',
      headers: preflightHeaders(method),
    });
    expect([status >= 400, 'access-control-allow-origin' in headers]).toEqual([true, false]);
  });

  test('reads responses and errors, and the service receives its origin', async () => {
    crm.received.length = 0;
    const headers = { origin, 'content-type': 'application/json', authorization: 'Bearer nonsense' };
    const answer = await sendRequest(gateway.url, '/api/widget/lead', { method: 'POST', headers, body: '{}' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(crm.received.at(-1)?.headers).toMatchObject({ origin });
    await sendRequest(gateway.url, '/api/faq/public', { headers: { origin } });
    expect(crm.received.filter(({ headers: told }) => 'origin' in told)).toHaveLength(1);
  });
});

test('badges, forms and submissions are counted separately by address', async () => {
  const { url } = await startAnother({ RATE_LIMITS: JSON.stringify({ badge: 2, widget: 1, public: 1 }) });
  const get = async (path: string) => (await sendRequest(url, path)).status;
  platform.received.length = 0;
  const badges = [await get('/api/badge/bdg_x'), await get('/api/badge/bdg_y'), await get('/api/badge/bdg_x')];
  expect([badges[2], badges.slice(0, 2).includes(429)]).toEqual([429, false]);
  expect(await get('/api/widget/wgt_x')).not.toBe(429);
  expect(await get('/api/widget/wgt_x/embed.js')).toBe(429);
  const post = async () =>
    (
      await sendRequest(url, '/api/widget/lead', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).status;
  expect([(await post()) === 429, await post()]).toEqual([false, 429]);
  const report = await sendRequest(url, '/api/smsgateway/report/x', { method: 'POST' });
  expect(report.headers['ratelimit-policy']).toBe('"reports"; q=600; w=60');
});
