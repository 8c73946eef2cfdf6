/** API docs: served by the gateway itself, without requests to other sites. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../test/http-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const document = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'openapi.json');
const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Suite', version: '1' }, paths: {} });
writeFileSync(document, text);
const { gateway } = await gatewayFixture({ document });

describe('/openapi.json', () => {
  test('returns the generated document', async () => {
    const answer = await sendRequest(gateway.url, '/openapi.json');
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('returns 304 when the client has the current version', async () => {
    const { etag } = (await sendRequest(gateway.url, '/openapi.json')).headers;
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await sendRequest(gateway.url, '/openapi.json', { headers: { 'if-none-match': `"other", ${etag}` } });
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag } });
    const other = await sendRequest(gateway.url, '/openapi.json', { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  test('is read-only', async () => {
    const answer = await sendRequest(gateway.url, '/openapi.json', { method: 'POST' });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await sendRequest(gateway.url, '/openapi.json', { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
    });
  });
});

describe('/api/version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

  test('returns the version of the suite to all callers, without any service', async () => {
    const answer = await sendRequest(gateway.url, '/api/version', { headers: { authorization: 'Bearer stale' } });
    expect(answer).toMatchObject({ status: 200, body: { data: { version } } });
    expect(answer.headers['ratelimit-policy']).toContain('"anonymous"');
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  test('is read-only and accepts no parameters', async () => {
    const [posted, head, asked] = [
      await sendRequest(gateway.url, '/api/version', { method: 'POST' }),
      await sendRequest(gateway.url, '/api/version', { method: 'HEAD' }),
      await sendRequest(gateway.url, '/api/version?of=crm'),
    ];
    expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(asked).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: { of: expect.any(Array) } },
    });
  });
});

describe('/docs/guides', () => {
  const folder = new URL('../../../docs/guides/', import.meta.url);
  const names = readdirSync(folder).map((file) => file.replace(/\.html$/, ''));

  test.each(names)('serves the guide %s', async (name) => {
    const guide = await sendRequest(gateway.url, `/docs/guides/${name}`);
    expect(guide).toMatchObject({ status: 200, text: readFileSync(new URL(`${name}.html`, folder), 'utf8') });
    expect(guide.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(guide.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('has no other page', async () => {
    expect(await sendRequest(gateway.url, '/docs/guides/other')).toMatchObject({ status: 404 });
    expect(await sendRequest(gateway.url, '/docs/guides/..%2ferrors')).toMatchObject({ status: 404 });
  });
});

test('the root redirects to the API reference', async () => {
  expect(await sendRequest(gateway.url, '/')).toMatchObject({ status: 302, headers: { location: '/docs' } });
  expect(await sendRequest(gateway.url, '/', { method: 'POST' })).toMatchObject({ status: 405 });
});

describe('/docs', () => {
  test('is a page that loads scripts and documents only from its own origin', async () => {
    const page = await sendRequest(gateway.url, '/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
    expect(sources).toEqual(['data:,', '/docs/scalar.js', '/docs/start.js']);
    expect(page.text).not.toMatch(/<script>|style=|onload=/);
    const start = await sendRequest(gateway.url, '/docs/start.js');
    expect(start.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(start.text).toContain("url: '/openapi.json'");
    for (const option of [
      'withDefaultFonts: false',
      'telemetry: false',
      'agent: { disabled: true }',
      'mcp: { disabled: true }',
      "showDeveloperTools: 'never'",
    ]) {
      expect(start.text).toContain(option);
    }
  });

  test('serves Scalar, compressed if the client accepts gzip', async () => {
    const plain = await sendRequest(gateway.url, '/docs/scalar.js');
    expect(plain).toMatchObject({ status: 200 });
    expect(plain.text.length).toBeGreaterThan(1_000_000);
    const packed = await fetch(`${gateway.url}/docs/scalar.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    expect(await packed.text()).toBe(plain.text);
  });

  test.each([['/docs/'], ['/docs/other.js'], ['/docs/start.js/'], ['/Docs'], ['/favicon.ico'], ['/docs/errors/']])(
    'has nothing at %s',
    async (path) => {
      expect(await sendRequest(gateway.url, path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );
});
