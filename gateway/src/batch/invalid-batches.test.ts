/** Invalid batches are rejected as a whole, before their first call. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { sendRequest } from '../../test/http-client.ts';

const { gateway, crm, platform, signIn } = await gatewayFixture();
const ID = '0198c5b8-1111-7000-8000-000000000000';
const SHOW = { method: 'GET', path: `/api/lead/show/${ID}` };
let authorization: string;
beforeAll(() => {
  ({ authorization } = signIn());
});

/** Sends a text as a batch. No service may receive a call. */
async function sendText(body: string, sent: Record<string, string> = {}) {
  const headers = { authorization, 'content-type': 'application/json', ...sent };
  const answer = await sendRequest(gateway.url, '/api/batch', { method: 'POST', headers, body });
  expect([crm.received, platform.received]).toEqual([[], []]);
  return answer;
}
const sendBatch = (body: unknown, headers: Record<string, string> = {}) => sendText(JSON.stringify(body), headers);

describe('a batch', () => {
  test.each([
    ['an empty body', {}, 'calls'],
    ['no calls', { calls: [] }, 'calls'],
    ['101 calls', { calls: Array.from({ length: 101 }, () => SHOW) }, 'calls'],
    ['an unknown field', { calls: [SHOW], dry_run: true }, 'dry_run'],
    ['an unknown field of a call', { calls: [{ ...SHOW, url: 'x' }] }, 'calls.0.url'],
    ['an ID with other characters', { calls: [{ ...SHOW, id: 'a.b' }] }, 'calls.0.id'],
    ['an empty ID', { calls: [{ ...SHOW, id: '' }] }, 'calls.0.id'],
    ['an unknown method', { calls: [{ ...SHOW, method: 'TRACE' }] }, 'calls.0.method'],
    ['an absolute URL', { calls: [{ ...SHOW, path: 'https://example.com/api/leads' }] }, 'calls.0.path'],
    ['another host', { calls: [{ ...SHOW, path: '//example.com/api/leads' }] }, 'calls.0.path'],
    ['a path outside the API', { calls: [{ ...SHOW, path: '/openapi.json' }] }, 'calls.0.path'],
    ['a space', { calls: [{ ...SHOW, path: '/api/leads?q=a b' }] }, 'calls.0.path'],
    ['a line break in the path', { calls: [{ ...SHOW, path: '/api/leads\r\nX: y' }] }, 'calls.0.path'],
    ['a fragment', { calls: [{ ...SHOW, path: '/api/leads#x' }] }, 'calls.0.path'],
    ['a dot segment', { calls: [{ ...SHOW, path: '/api/lead/../batch' }] }, 'calls.0.path'],
    ['a double slash', { calls: [{ ...SHOW, path: '/api//batch' }] }, 'calls.0.path'],
    ['a backslash', { calls: [{ ...SHOW, path: '/api\\leads' }] }, 'calls.0.path'],
    ['a long path', { calls: [{ ...SHOW, path: `/api/leads?q=${'x'.repeat(5_000)}` }] }, 'calls.0.path'],
    ['a body of a GET call', { calls: [{ ...SHOW, body: {} }] }, 'calls.0.body'],
    [
      'the header Authorization',
      { calls: [{ ...SHOW, headers: { Authorization: 'Bearer x' } }] },
      'calls.0.headers.Authorization',
    ],
    ['the header host', { calls: [{ ...SHOW, headers: { host: 'x' } }] }, 'calls.0.headers.host'],
    ['the header cookie', { calls: [{ ...SHOW, headers: { cookie: 'x' } }] }, 'calls.0.headers.cookie'],
    [
      'the header content-type',
      { calls: [{ ...SHOW, headers: { 'content-type': 'multipart/form-data' } }] },
      'calls.0.headers.content-type',
    ],
    [
      'the header x-forwarded-for',
      { calls: [{ ...SHOW, headers: { 'x-forwarded-for': '1' } }] },
      'calls.0.headers.x-forwarded-for',
    ],
    [
      'a header twice',
      { calls: [{ ...SHOW, headers: { 'if-match': '1', 'If-Match': '2' } }] },
      'calls.0.headers.If-Match',
    ],
    [
      'a line break in a header',
      { calls: [{ ...SHOW, headers: { 'if-match': '1\r\nx: y' } }] },
      'calls.0.headers.if-match',
    ],
  ])('is rejected for %s', async (_, body, field) => {
    const answer = await sendBatch(body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(answer.body.errors[field]).toEqual([expect.stringMatching(/^[A-Z].*\.$/)]);
  });

  test('is rejected for a header with the name __proto__', async () => {
    const answer = await sendText(`{"calls":[{"method":"GET","path":"/api/leads","headers":{"__proto__":"x"}}]}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { 'calls.0.headers.__proto__': [expect.any(String)] } },
    });
  });

  test.each([
    [
      'duplicate_call_id',
      [
        { id: 'a', ...SHOW },
        { id: 'a', ...SHOW },
      ],
      'calls.1.id',
    ],
    ['duplicate_call_id', [{ id: '2', ...SHOW }, SHOW], 'calls.1.id'],
    ['unknown_operation', [SHOW, { method: 'GET', path: '/api/leed/show/1' }], 'calls.1.path'],
    ['unknown_operation', [{ method: 'DELETE', path: '/api/leads' }], 'calls.0.path'],
    ['unknown_operation', [{ method: 'POST', path: '/api/%62atch', body: {} }], 'calls.0.path'],
    ['unknown_operation', [{ method: 'GET', path: '/api/lead%2fshow/1' }], 'calls.0.path'],
    ['unknown_operation', [{ method: 'GET', path: '/api/lead/%2e%2e/batch' }], 'calls.0.path'],
    ['nested_batch', [{ method: 'POST', path: '/api/batch', body: { calls: [] } }], 'calls.0.path'],
    ['nested_batch', [{ method: 'POST', path: '/api/batch?x=1', body: { calls: [] } }], 'calls.0.path'],
    ['not_in_batch', [{ method: 'POST', path: '/api/login', body: {} }], 'calls.0.path'],
    ['not_in_batch', [{ method: 'POST', path: '/api/refresh', body: {} }], 'calls.0.path'],
    ['not_in_batch', [{ method: 'POST', path: '/api/widget/lead', body: {} }], 'calls.0.path'],
    ['not_in_batch', [{ method: 'GET', path: '/api/wl/events' }], 'calls.0.path'],
    ['not_in_batch', [{ method: 'GET', path: '/api/version' }], 'calls.0.path'],
    ['invalid_reference', [{ method: 'GET', path: '/api/lead/show/{{a.data.id}}' }], 'calls.0.path'],
    ['invalid_reference', [{ id: 'a', method: 'GET', path: '/api/lead/show/{{a.data.id}}' }], 'calls.0.path'],
    [
      'invalid_reference',
      [
        { id: 'a', method: 'GET', path: '/api/lead/show/{{b.data.id}}' },
        { id: 'b', method: 'GET', path: '/api/lead/show/{{a.data.id}}' },
      ],
      'calls.0.path',
    ],
    [
      'invalid_reference',
      [{ method: 'POST', path: '/api/lead/create', body: { a: [{ b: '{{__proto__.x}}' }] } }],
      'calls.0.body.a.0.b',
    ],
    ['invalid_reference', [{ method: 'POST', path: '/api/lead/create', body: { a: '{{x}}' } }], 'calls.0.body.a'],
  ])('is rejected as %s', async (code, calls, field) => {
    const answer = await sendBatch({ calls });
    expect(answer).toMatchObject({ status: 422, body: { code, errors: { [field]: [expect.any(String)] } } });
  });

  test('is rejected with a suggestion for a misspelled path', async () => {
    const { body } = await sendBatch({ calls: [{ method: 'POST', path: '/api/lead/creat', body: {} }] });
    expect(body.details).toEqual({ did_you_mean: 'POST /api/lead/create' });
  });

  test.each([
    ['JSON that is cut off', '{"calls":[', {}, 422, 'malformed_json'],
    ['deep JSON', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, {}, 422, 'malformed_json'],
    ['more than 1 MiB', `{"calls":"${'x'.repeat(1_100_000)}"}`, {}, 413, 'payload_too_large'],
    ['a form', 'calls=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['a multipart form', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 415, 'unsupported_media_type'],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }, 415, 'unsupported_media_type'],
    ['compressed JSON', '{}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['half a character', '{"calls":[{"path":"\\ud800"}]}', {}, 422, 'validation_failed'],
    ['a long key', JSON.stringify({ calls: [SHOW] }), { 'idempotency-key': 'x'.repeat(256) }, 422, 'validation_failed'],
  ])('is rejected for %s', async (_, body, headers, status, code) => {
    expect(await sendText(body, headers)).toMatchObject({ status, body: { code } });
  });

  test('is rejected for parameters', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ calls: [SHOW] });
    const answer = await sendRequest(gateway.url, '/api/batch?stop_on_error=true', { method: 'POST', headers, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { stop_on_error: [expect.any(String)] } } });
  });
});
