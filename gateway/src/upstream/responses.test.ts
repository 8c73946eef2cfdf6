/** Tests that a service's response reaches the client unchanged, without hop-by-hop headers. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, crm, signIn } = await gatewayFixture();
let kim: SignedInUser;
beforeAll(() => {
  kim = signIn();
});
afterEach(() => {
  delete crm.respond;
});

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const read = (method = 'GET') =>
  sendRequest(gateway.url, '/api/leads', { method, headers: { authorization: kim.authorization } });

describe('a response', () => {
  test('reaches the client with unchanged status, body and headers', async () => {
    const bytes = randomBytes(300_000);
    crm.respond = (_request, response) => {
      response.writeHead(201, {
        'content-type': 'application/octet-stream',
        'content-length': bytes.length,
        etag: '"7"',
        link: ['</a>; rel="next"', '</b>; rel="prev"'],
        'idempotent-replayed': 'true',
        'retry-after': '7',
      });
      response.end(bytes);
    };
    const answer = await fetch(`${gateway.url}/api/leads`, { headers: { authorization: kim.authorization } });
    expect(answer.status).toBe(201);
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '300000',
      etag: '"7"',
      link: '</a>; rel="next", </b>; rel="prev"',
      'idempotent-replayed': 'true',
      'retry-after': '7',
    });
  });

  test('reaches the client with its status and body if it reports a full disk', async () => {
    crm.respond = (_request, response) => {
      response.writeHead(507, { 'content-type': 'application/json', 'retry-after': '60' });
      response.end('{"code":"storage_full"}');
    };
    const answer = await read();
    expect(answer).toMatchObject({ status: 507, headers: { 'retry-after': '60' }, body: { code: 'storage_full' } });
  });

  test('is streamed in pieces', async () => {
    let service: ServerResponse | undefined;
    crm.respond = (_request, response) => {
      service = response;
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment' }).write('one');
    };
    const answer = await fetch(`${gateway.url}/api/leads`, { headers: { authorization: kim.authorization } });
    const reader = answer.body!.getReader();
    expect(text((await reader.read()).value)).toBe('one');
    service!.end('two');
    expect(text((await reader.read()).value)).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  test('loses hop-by-hop headers and headers that name the software', async () => {
    crm.respond = (_request, response) => {
      response.setHeader('connection', 'keep-alive, x-hop');
      for (const name of [
        'x-hop',
        'x-powered-by',
        'server',
        'proxy-authenticate',
        'upgrade',
        'trailer',
        'x-request-id',
      ]) {
        response.setHeader(name, 'of the service');
      }
      response.end('{}');
    };
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.headers)).not.toContain('of the service');
    expect(answer.headers['connection']).toBe('close');
  });

  test('has the security headers, unless the service sets its own', async () => {
    expect((await read()).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    crm.respond = (_request, response) =>
      void response.writeHead(200, { 'cache-control': 'private, max-age=60' }).end();
    expect((await read()).headers['cache-control']).toBe('private, max-age=60');
  });

  test('has headers and no body for HEAD', async () => {
    crm.respond = (request, response) => {
      response.writeHead(200, { 'content-length': '5', 'x-method': request.method });
      response.end(request.method === 'HEAD' ? undefined : 'hello');
    };
    const answer = await read('HEAD');
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5', 'x-method': 'HEAD' } });
  });

  test('has no body with status 304', async () => {
    crm.respond = (_request, response) => void response.writeHead(304, { etag: '"7"' }).end();
    expect(await read()).toMatchObject({ status: 304, text: '', headers: { etag: '"7"' } });
  });
});
