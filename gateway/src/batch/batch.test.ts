/** Runs batches through a gateway with fake services, which see each call as a separate request. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { callKey } from './batch.ts';
import { type BatchClient, batchClient, codes, json, respondInOrder, statuses } from '../../test/batch-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';

const { gateway, startAnother, crm, platform, signIn } = await gatewayFixture();
const ID = '0198c5b8-1111-7000-8000-000000000000';
const LEAD = { method: 'POST', path: '/api/lead/create', body: { name: 'Ada' } };
const SHOW = { method: 'GET', path: `/api/lead/show/${ID}` };

let kim: SignedInUser;
let client: BatchClient;
beforeEach(() => {
  kim = signIn();
  client = batchClient(gateway.url, kim);
  crm.received.length = 0;
  delete crm.respond;
});

describe('a call of a batch', () => {
  test('reaches its service like a separate request of the same caller', async () => {
    const headers = {
      'x-request-id': 'import-2026',
      'accept-language': 'de',
      'user-agent': 'shop/1',
      'x-forwarded-for': '9.9.9.9',
    };
    const outcomes = await client.outcomesOf(
      { calls: [LEAD, { ...SHOW, headers: { 'If-None-Match': '"1"' } }] },
      headers,
    );
    expect(outcomes).toEqual([
      {
        id: '1',
        status: 200,
        headers: { 'x-request-id': 'import-2026-1' },
        body: { data: expect.objectContaining({ method: 'POST', url: LEAD.path }) },
      },
      {
        id: '2',
        status: 200,
        headers: { 'x-request-id': 'import-2026-2' },
        body: { data: expect.objectContaining({ method: 'GET' }) },
      },
    ]);
    const [created, shown] = crm.received;
    expect(created).toMatchObject({
      body: '{"name":"Ada"}',
      caller: { user_id: kim.user_id, workspace_id: kim.workspace_id },
      headers: {
        'x-request-id': 'import-2026-1',
        'x-client-address': '127.0.0.1',
        'accept-language': 'de',
        'user-agent': 'shop/1',
        accept: 'application/json',
        'content-type': 'application/json',
      },
    });
    expect(shown).toMatchObject({ body: '', headers: { 'if-none-match': '"1"' } });
    expect(created!.headers['traceparent']).toBe(shown!.headers['traceparent']);
    expect(created!.headers).not.toHaveProperty('idempotency-key');
  });

  test('is made for the client behind a trusted proxy', async () => {
    const { url } = await startAnother({ TRUST_PROXY: '1' });
    await batchClient(url, kim).outcomesOf({ calls: [SHOW] }, { 'x-forwarded-for': '203.0.113.9' });
    expect(crm.received).toMatchObject([{ headers: { 'x-client-address': '203.0.113.9' } }]);
  });

  test('returns the useful headers of its response only', async () => {
    respondInOrder(
      crm,
      json(201, { data: {} }, { etag: '"1"', 'idempotent-replayed': 'true', location: '/api/x', 'set-cookie': 'a=b' }),
    );
    const [outcome] = await client.outcomesOf({ calls: [LEAD] });
    expect(outcome!.headers).toEqual({
      etag: '"1"',
      location: '/api/x',
      'idempotent-replayed': 'true',
      'x-request-id': expect.stringMatching(/-1$/),
    });
  });

  test('uses the values of earlier responses', async () => {
    respondInOrder(crm, json(201, { data: { id: ID, score: 3 } }), json(200, { data: [] }), json(201, { data: {} }));
    const calls = [
      { id: 'lead', ...LEAD },
      { method: 'GET', path: '/api/lead/show/{{lead.data.id}}?fields={{lead.data.id}}' },
      { method: 'POST', path: '/api/lead-discussion/store/{{lead.data.id}}', body: { comment: '{{lead.data.score}}' } },
    ];
    const bodies: string[] = [];
    const before = crm.respond!;
    crm.respond = (request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(`${request.url} ${String(chunk)}`));
      before(request, response);
    };
    expect(statuses(await client.outcomesOf({ calls }))).toEqual([201, 200, 201]);
    expect(bodies).toEqual(['/api/lead/create {"name":"Ada"}', `/api/lead-discussion/store/${ID} {"comment":3}`]);
  });

  test('is skipped if it refers to a call that failed or was skipped', async () => {
    const urls = respondInOrder(
      crm,
      json(404, { code: 'not_found', message: 'Record not found.' }),
      json(200, { data: {} }),
    );
    const calls = [
      { id: 'a', ...SHOW },
      { id: 'b', method: 'GET', path: '/api/lead/show/{{a.data.id}}' },
      { id: 'c', method: 'GET', path: '/api/lead/show/{{b.data.id}}' },
      { id: 'd', ...SHOW },
    ];
    const outcomes = await client.outcomesOf({ calls });
    expect(statuses(outcomes)).toEqual([404, 424, 424, 200]);
    expect(outcomes[2]).toMatchObject({
      body: { code: 'dependency_failed', details: { call: 'b' }, request_id: expect.stringMatching(/-3$/) },
    });
    expect(urls).toHaveLength(2);
  });

  test('is rejected if a value makes its path another operation', async () => {
    const values = ['../lead/create', '..', '/api/batch', ''];
    respondInOrder(crm, ...values.map((name) => json(200, { data: { name } })));
    for (const _ of values) {
      const calls = [
        { id: 'a', ...SHOW },
        { method: 'GET', path: '/api/lead/show/{{a.data.name}}' },
      ];
      const [, outcome] = await client.outcomesOf({ calls });
      expect(outcome!.status).toBe(422);
    }
  });

  test('has a named fault if its response is a file, a stream or too large', async () => {
    respondInOrder(
      crm,
      (_, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
      json(200, { data: 'x'.repeat(1_100_000) }),
      (_, response) => void response.writeHead(304).end(),
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '50' }).write('{"data":');
        setTimeout(() => response.destroy(), 50);
      },
      json(200, { data: 1 }),
    );
    const outcomes = await client.outcomesOf({ calls: Array.from({ length: 6 }, () => SHOW) });
    expect(statuses(outcomes)).toEqual([406, 406, 413, 304, 502, 200]);
    expect(codes(outcomes.slice(0, 3))).toEqual(['response_not_json', 'response_not_json', 'response_too_large']);
    expect(outcomes[3]!.body).toBeNull();
  });
});

describe('a batch', () => {
  test('continues after a failed call, unless it stops on errors', async () => {
    const unavailable = json(503, { code: 'unavailable', message: 'Busy.' }, { 'retry-after': '1' });
    respondInOrder(crm, unavailable, json(200, { data: 1 }), unavailable);
    const calls = [{ id: 'first', ...SHOW }, SHOW];
    const through = await client.outcomesOf({ calls });
    expect(statuses(through)).toEqual([503, 200]);
    expect(through[0]!.headers['retry-after']).toBe('1');
    const stopped = await client.outcomesOf({ calls, stop_on_error: true });
    expect(statuses(stopped)).toEqual([503, 424]);
    expect(stopped[1]).toMatchObject({ id: '2', body: { code: 'batch_stopped', details: { call: 'first' } } });
  });

  test('gives each write a key of its own, and leaves keys of calls unchanged', async () => {
    const calls = [
      { id: 'a', ...LEAD },
      { ...LEAD, headers: { 'Idempotency-Key': 'mine' } },
      SHOW,
      { method: 'DELETE', path: `/api/lead/delete/${ID}` },
    ];
    await client.outcomesOf({ calls }, { 'idempotency-key': 'order-1' });
    const keys = crm.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([callKey('order-1', 'a'), 'mine', undefined, callKey('order-1', '4')]);
    await client.outcomesOf({ calls: calls.toReversed() }, { 'idempotency-key': 'order-1' });
    expect(crm.received.at(-1)!.headers['idempotency-key']).toBe(callKey('order-1', 'a'));
    expect(callKey('order-1', 'a')).toBe('batch-erTp0dlC3XGEudbjPkMT3h7ZBcBKuDXnpovdxZMruNQ');
  });

  test('counts each call towards the rate limits, and shows the state after the last one', async () => {
    const { url } = await startAnother({ RATE_LIMITS: '{"token":4}' });
    const answer = await batchClient(url, kim).send({ calls: Array.from({ length: 5 }, () => SHOW) });
    expect(statuses(answer.body.data)).toEqual([200, 200, 200, 429, 429]);
    expect(answer.body.data[3]).toMatchObject({
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: { code: 'rate_limited' },
    });
    expect(answer.headers['ratelimit']).toContain('"token"; r=0');
    expect(crm.received).toHaveLength(3);
    expect((await batchClient(url, kim).send({ calls: [SHOW] })).status).toBe(429);
  });

  test('has a limited response', async () => {
    crm.respond = json(200, { data: 'x'.repeat(900_000) });
    const outcomes = await client.outcomesOf({ calls: Array.from({ length: 6 }, () => SHOW) });
    expect(statuses(outcomes)).toEqual([200, 200, 200, 413, 413, 413]);
    expect(codes(outcomes).at(-1)).toBe('batch_full');
  });

  test('requires a credential of a user', async () => {
    const answer = await client.send({ calls: [SHOW] }, { authorization: 'Bearer stale' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(crm.received).toHaveLength(0);
    expect(platform.received).toHaveLength(0);
  });
});
