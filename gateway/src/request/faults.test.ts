/** The gateway's error responses: each states what to do instead and links to its explanation. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type HttpResponse, sendRequest, sendBytes } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { gatewayFaults } from './faults.ts';

const { gateway, startAnother, crm, signIn } = await gatewayFixture();
let kim: SignedInUser;
let catalogue: string;
beforeAll(async () => {
  kim = signIn();
  catalogue = (await sendRequest(gateway.url, '/docs/errors')).text;
});

const anchors = () => new Set([...catalogue.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id));
/** Follows the link of an error and returns its explanation. */
async function follow({ body }: HttpResponse): Promise<string | undefined> {
  const { pathname, hash } = new URL(body.docs_url, gateway.url);
  const page = await sendRequest(gateway.url, pathname);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  return new RegExp(` id="${hash.slice(1)}">.*?</section>`, 's').exec(page.text)?.[0];
}

describe('a gateway error', () => {
  test.each([
    ['/api/leads', 401, 'unauthenticated'],
    ['/api/nowhere', 404, 'not_found'],
    ['/api//leads', 400, 'malformed_request'],
    ['/api/lead/create', 405, 'method_not_allowed'],
  ])('links to its explanation for %s', async (path, status, code) => {
    const answer = await sendRequest(gateway.url, path);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await follow(answer)).toContain(`<span>${status}</span>`);
  });

  test('links to its explanation for unreadable and for too many requests', async () => {
    const { text } = await sendBytes(gateway.url, 'nonsense\r\n\r\n');
    expect(text).toMatch(/"docs_url":"[^"]*\/docs\/errors#malformed_request"/);
    const { url } = await startAnother({ RATE_LIMITS: '{"anonymous":1}' });
    await sendRequest(url, '/api/leads');
    expect(await follow(await sendRequest(url, '/api/leads'))).toContain('rate_limited');
  });

  test('is in the catalogue', () => {
    expect(gatewayFaults.filter(({ code }) => !anchors().has(code))).toEqual([]);
  });
});

describe('a request without an operation', () => {
  test.each([
    ['GET', '/api/leads/', 'GET /api/leads'],
    ['GET', '/api/Leads', 'GET /api/leads'],
    ['GET', '/leads', 'GET /api/leads'],
    ['POST', '/api/lead', 'POST /api/lead/create'],
    ['GET', '/api/lead/0198c5b8-1111-7000-8000-000000000000', 'GET /api/lead-calls/{lead_id}'],
    ['GET', '/api/produts', 'GET /api/products'],
    ['GET', '/api/lead/create', 'POST /api/lead/create'],
    ['GET', '/api/completely/elsewhere', undefined],
    ['GET', `/api/${'l'.repeat(1_000)}`, undefined],
  ])('gets the nearest operation, if any, as a suggestion: %s %s: %s', async (method, path, nearest) => {
    const { status, body, headers } = await sendRequest(gateway.url, path, { method });
    expect([404, 405]).toContain(status);
    expect(body.details).toEqual(nearest && { did_you_mean: nearest });
    expect(headers['allow'] !== undefined).toBe(status === 405);
  });
});

test.each([['bms_the_key_itself'], ['Token abc'], ['Basic a2ltOnNlY3JldA==']])(
  'returns a message that names the missing part for a token sent as %j',
  async (authorization) => {
    const { status, body, headers } = await sendRequest(gateway.url, '/api/leads', { headers: { authorization } });
    expect([status, body.code, body.message]).toEqual([
      401,
      'unauthenticated',
      'Send the token as "Authorization: Bearer <token>".',
    ]);
    expect(headers['www-authenticate']).toContain('error="invalid_request"');
  },
);

describe('a problem', () => {
  const askFor = (accept: string, path = '/api/nowhere') => sendRequest(gateway.url, path, { headers: { accept } });

  test.each([['application/problem+json'], ['application/json, application/problem+json;q=0.5']])(
    'is the answer to %s',
    async (accept) => {
      const { status, headers, text } = await askFor(accept);
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
      expect(JSON.parse(text)).toEqual({
        type: expect.stringContaining('/docs/errors#not_found'),
        title: 'Not Found',
        status: 404,
        detail: 'There is nothing at this address. Check the URL.',
        message: 'There is nothing at this address. Check the URL.',
        code: 'not_found',
        docs_url: expect.stringContaining('/docs/errors#not_found'),
        request_id: headers['x-request-id'],
      });
    },
  );

  test.each([['application/json'], ['*/*'], ['application/problem+json;q=0, */*']])(
    'is not sent to %s',
    async (accept) => {
      expect((await askFor(accept)).headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );
});

test('a service’s 429 determines Retry-After and the RateLimit header', async () => {
  crm.respond = (_request, response) => void response.writeHead(429, { 'retry-after': '37' }).end('{}');
  const { headers } = await sendRequest(gateway.url, '/api/leads', { headers: { authorization: kim.authorization } });
  delete crm.respond;
  expect(headers['retry-after']).toBe('37');
  expect(headers['ratelimit']).toBe('"account"; r=0; t=37');
});
