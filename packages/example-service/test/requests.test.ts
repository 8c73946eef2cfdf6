import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keysOf, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { notebook } from '../src/notebook.ts';
import * as outcomes from './fixtures/outcomes.ts';
import { testServiceOf } from './fixtures/trial.ts';

const trial = testServiceOf(outcomes, notebook.operations);
const service = await start(trial);
const all = ['note.view', 'note.create', 'note.update', 'note.delete'];
const kim = service.member({ can: all });
const json = { 'content-type': 'application/json' };
const unknown_id = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';

describe('access', () => {
  test('rejects a caller without a token that the gateway signed for this service', async () => {
    const url = `${service.url}/api/notes`;
    const answers = await Promise.all(
      [
        {},
        { authorization: 'Bearer nonsense' },
        { authorization: `Bearer ${keysOf('gateway').sign('platform', kim.caller)}` },
        { authorization: `Bearer ${keysOf('crm').sign('notebook', kim.caller)}` },
      ].map((headers) =>
        fetch(url, { headers: { ...headers, 'x-user-id': kim.caller.user_id } as Record<string, string> }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(answers[0]!.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('rejects a caller who is not signed in, except for public operations', async () => {
    expect((await service.anonymous.get('/api/notes')).status).toBe(401);
    expect((await service.anonymous.get('/api/trial/greeting')).body).toEqual({ data: { greeting: 'Hello' } });
  });

  test('checks the module before the permission, and both before any look-up', async () => {
    const nowhere = service.member({ can: [], modules: [] });
    expect((await nowhere.get(`/api/note/show/${unknown_id}`)).body.code).toBe('module_disabled');
    const powerless = service.member({ can: ['note.view'] });
    expect((await powerless.post(`/api/note/update/${unknown_id}`, { title: 3 })).body).toMatchObject({
      code: 'forbidden',
      details: { permission: 'note.update' },
    });
  });
});

describe('bad input', () => {
  test.each([['q=a&q=b'], ['title=a&title=b'], ['page=1&page=1']])(
    'returns 422 for a parameter of one value that is repeated: %s',
    async (query) => {
      const { status, body } = await kim.get(`/api/notes?${query}`);
      expect([status, body.errors]).toEqual([
        422,
        { [query.split('=')[0]!]: [expect.stringMatching(/^Send this parameter once\./)] },
      ]);
    },
  );

  test('reports an unknown record before a wrong body', async () => {
    expect((await kim.post(`/api/note/update/${unknown_id}`, { title: 3 })).status).toBe(404);
    expect((await kim.post('/api/note/update/not-an-id', {})).body.errors).toHaveProperty('id');
  });

  test.each([
    ['a wrong type', { title: 3 }, 'title'],
    ['a missing field', {}, 'title'],
    ['an unknown field', { title: 'x', status: 'done' }, 'status'],
    ['an internal field', { title: 'x', workspace_id: unknown_id }, 'workspace_id'],
    ['a negative amount', { title: 'x', amount: '-1' }, 'amount'],
    ['an amount that is a number', { title: 'x', amount: 12.5 }, 'amount'],
    ['an impossible day', { title: 'x', due: '2026-02-30' }, 'due'],
    ['an unknown nested field', { title: 'x', pages: [{ text: 'y', id: unknown_id }] }, 'pages.0.id'],
    ['a NUL character', { title: 'nul \u0000 byte' }, 'title'],
    ['half a surrogate pair', { title: 'x', pages: [{ text: '\ud800' }] }, 'pages.0.text'],
    ['the year 0', { title: 'x', due: '0000-12-31' }, 'due'],
    ['an object where a scalar belongs', { title: { contains: '' } }, 'title'],
  ])('%s names the field', async (_, body, field) => {
    const reply = await kim.post('/api/note/create', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      code: 'validation_failed',
      request_id: expect.any(String),
      errors: { [field]: [expect.any(String)] },
    });
  });

  test('rejects a path or key that is not text, after an unknown record', async () => {
    expect((await kim.get('/api/note/show/%ff')).status).toBe(404);
    expect((await kim.get('/api/notes?title=%ED%A0%80')).body.errors).toHaveProperty('title');
    const key = { ...json, 'idempotency-key': 'x'.repeat(256) };
    expect((await kim.send('POST', `/api/note/update/${unknown_id}`, '{}', key)).status).toBe(404);
    const { body } = await kim.send('POST', '/api/note/create', '{"title":"x"}', key);
    expect(body.errors).toEqual({ 'idempotency-key': ['Enter at most 255 characters.'] });
  });

  test('malformed JSON, other types and large bodies have their own faults', async () => {
    expect((await kim.send('POST', '/api/note/create', '{"title":', json)).body.code).toBe('malformed_json');
    expect(
      (await kim.send('POST', '/api/note/create', 'title=x', { 'content-type': 'application/x-www-form-urlencoded' }))
        .status,
    ).toBe(415);
    expect(
      (await kim.send('POST', '/api/note/create', JSON.stringify({ title: 'x'.repeat(300_000) }), json)).status,
    ).toBe(413);
    expect((await kim.send('POST', '/api/note/create', undefined, {})).body.errors).toHaveProperty('title');
  });

  test('rejects unknown parameters', async () => {
    expect((await kim.get('/api/trial/who-am-i?verbose=1')).status).toBe(422);
  });

  test('reports a taken name and an unknown reference by field', async () => {
    const title = `taken ${randomUUID()}`;
    const first = await kim.post('/api/note/create', { title });
    expect(first.status).toBe(201);
    expect((await kim.post('/api/note/create', { title })).body).toMatchObject({
      code: 'already_exists',
      errors: { title: [expect.any(String)] },
    });
    const other = service.member({ can: all });
    const [foreign, absent] = [
      await other.post('/api/page/create', { note_id: first.body.data.id, text: 'x' }),
      await other.post('/api/page/create', { note_id: unknown_id, text: 'x' }),
    ];
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    expect(foreign).toMatchObject({ status: 422, body: { errors: { note_id: [expect.any(String)] } } });
  });

  test('does not delete a record in use, and names what uses it', async () => {
    const note = await kim.post('/api/note/create', { title: `held ${randomUUID()}`, pages: [{ text: 'a page' }] });
    expect(await kim.delete(`/api/note/delete/${note.body.data.id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { held_by: 'pages' } },
    });
  });

  test('returns 500 without details for an internal error', async () => {
    const reply = await kim.post('/api/trial/fail');
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({
      message: 'Something went wrong on our side. Try again later.',
      code: 'internal',
      docs_url: 'http://suite.test/docs/errors#internal',
      request_id: expect.any(String),
    });
  });
});

describe('changing a note', () => {
  test('rejects an update with an old version', async () => {
    const { body, headers } = await kim.post('/api/note/create', {
      title: `v ${randomUUID()}`,
      amount: '10.5',
      due: '2026-12-01',
    });
    expect(body.data).toMatchObject({ amount: '10.50', due: '2026-12-01', version: 1, created_by: kim.caller.user_id });
    expect(headers.get('etag')).toMatch(/^"1-[\w-]{12}"$/);
    const path = `/api/note/update/${body.data.id}`;
    expect(
      (await kim.post(path, { amount: '11' }, { headers: { 'if-match': String(headers.get('etag')) } })).body.data,
    ).toMatchObject({
      amount: '11.00',
      version: 2,
    });
    expect((await kim.post(path, { amount: '12' }, { headers: { 'if-match': '"1"' } })).body).toMatchObject({
      code: 'stale',
      details: { version: 2 },
    });
    expect((await kim.post(path, { amount: '12', version: 1 })).status).toBe(412);
    const unusable = ['latest', '"99999999999999999999"', '"9007199254740991-a"', `"${'9'.repeat(400)}"`];
    const replies = unusable.map((tag) => kim.post(path, { amount: '12' }, { headers: { 'if-match': tag } }));
    expect(sortedStatuses(await Promise.all(replies))).toEqual([422, 422, 422, 422]);
  });

  test('performs a transition once, and accepts repeated requests', async () => {
    const { body } = await kim.post('/api/note/create', { title: `f ${randomUUID()}` });
    const replies = await runConcurrently(10, () => kim.post(`/api/note/finish/${body.data.id}`));
    expect(sortedStatuses(replies)).toEqual(Array(10).fill(200));
    expect((await kim.get(`/api/note/show/${body.data.id}`)).body.data).toMatchObject({ status: 'done', version: 2 });
  });
});

describe('Idempotency-Key', () => {
  const headers = () => ({ headers: { 'idempotency-key': randomUUID() } });
  const count = async (title: string) => (await service.sql`SELECT FROM notes WHERE title = ${title}`).length;

  test('returns the first response for a repeated key', async () => {
    const key = headers();
    const body = { title: `once ${randomUUID()}` };
    const [first, second] = [
      await kim.post('/api/note/create', body, key),
      await kim.post('/api/note/create', body, key),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  test('rejects another body with the same key', async () => {
    const key = headers();
    await kim.post('/api/note/create', { title: `a ${randomUUID()}` }, key);
    expect((await kim.post('/api/note/create', { title: `b ${randomUUID()}` }, key)).body.code).toBe(
      'idempotency_key_reused',
    );
  });

  test('have one effect for fifty concurrent requests over two replicas', async () => {
    const replica = await start(trial, { replicaOf: service });
    const twin = replica.member({ can: all, user_id: kim.caller.user_id, workspace: kim.caller.workspace_id });
    const title = `fifty ${randomUUID()}`;
    const key = headers();
    const replies = await runConcurrently(50, (at) => (at % 2 ? kim : twin).post('/api/note/create', { title }, key));
    expect(await count(title)).toBe(1);
    expect(new Set(sortedStatuses(replies))).toEqual(
      new Set(replies.some(({ status }) => status === 409) ? [201, 409] : [201]),
    );
    const bodies = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => JSON.stringify(body)));
    expect(bodies.size).toBe(1);
  });

  test('stores a fault for its key, without an effect', async () => {
    const key = headers();
    const [first, second] = [
      await kim.post('/api/trial/refuse', {}, key),
      await kim.post('/api/trial/refuse', {}, key),
    ];
    expect([first.body.code, second.body.code]).toEqual(['too_late', 'too_late']);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('separates the keys of different callers', async () => {
    const key = headers();
    const other = service.member({ can: all });
    const title = `shared ${randomUUID()}`;
    expect(
      sortedStatuses([
        await kim.post('/api/note/create', { title }, key),
        await other.post('/api/note/create', { title }, key),
      ]),
    ).toEqual([201, 201]);
  });
});
