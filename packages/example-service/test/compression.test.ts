import { idOf, secret } from '@suite/chassis/fields';
import { can, ok, open, type ResponseWriter, anyUser, anyFile } from '@suite/chassis/operations';
import { describe, expect, test } from '@jest/globals';
import { keysOf, start } from '@suite/testing';
import { z } from 'zod';
import { query } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const Text = z.object({ text: z.string(), version: z.int() });
const Key = z.object({ text: z.string(), key: secret(z.string()) });
const text = 'Fleet of bicycles. '.repeat(200);
const file: ResponseWriter = (response) => {
  response.writeHead(200, { 'content-type': 'application/pdf' }).end(text);
  return Promise.resolve();
};

const long = query('GET /api/trial/long', {
  summary: 'Long',
  access: can('trial'),
  reply: ok(Text),
  handle: () => ({ text, version: 3 }),
});
const short = query('GET /api/trial/short', {
  summary: 'Short',
  access: can('trial'),
  reply: ok(Text),
  handle: () => ({ text: 'x', version: 3 }),
});
const key = query('GET /api/trial/key', {
  summary: 'Key',
  access: anyUser,
  reply: ok(Key),
  handle: () => ({ text, key: 'k' }),
});
const anybody = query('GET /api/trial/anybody', {
  summary: 'Anybody',
  access: open,
  reply: ok(Text),
  handle: () => ({ text, version: 3 }),
});
const paper = query('GET /api/trial/paper', {
  summary: 'Show long text',
  access: can('trial'),
  reply: anyFile,
  handle: () => file,
});
const missing = query('GET /api/trial/{id}', {
  summary: 'Missing',
  access: can('trial'),
  params: { id: idOf('notes') },
  reply: ok(Text),
  handle: () => ({ text, version: 3 }),
});

const trial = await start(testServiceOf({ long, short, key, anybody, paper, missing }));
const kim = trial.member({ can: ['trial'] });

/** Sends a request as the gateway does. `fetch` decompresses automatically, so the coding is read from the header. */
async function ask(path: string, coding: string | undefined) {
  const authorization = `Bearer ${keysOf('gateway').sign('notebook', kim.caller)}`;
  const headers = { authorization, 'accept-encoding': coding ?? 'identity' };
  const answer = await fetch(`${trial.url}/api/trial/${path}`, { headers });
  const [packed, length, vary, etag] = ['content-encoding', 'content-length', 'vary', 'etag'].map((name) =>
    answer.headers.get(name),
  );
  return {
    packed,
    length: Number(length),
    vary,
    etag,
    body: await answer.text(),
    type: answer.headers.get('content-type'),
  };
}

describe('a response above 1 KiB', () => {
  test.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br, gzip', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
  ])('is compressed for clients that accept %s: %s', async (asked, coding) => {
    const { packed, length, vary, etag, body, type } = await ask('long', asked);
    expect({ packed, vary, etag, type }).toEqual({
      packed: coding,
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^W\/"3-[\w-]{12}"$/),
      type: 'application/json; charset=utf-8',
    });
    expect(JSON.parse(body)).toEqual({ data: { text, version: 3 } });
    expect(length).toBeLessThan(text.length / 4);
  });

  test.each([['identity'], ['deflate'], ['gzip;q=0'], [undefined]])('is plain for who takes %s', async (asked) => {
    const { packed, vary, etag, body } = await ask('long', asked);
    expect({ packed, vary, etag }).toEqual({
      packed: null,
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"3-[\w-]{12}"$/),
    });
    expect(JSON.parse(body)).toEqual({ data: { text, version: 3 } });
  });
});

test.each([
  ['short', 'Accept-Encoding'],
  ['key', null],
  ['anybody', null],
  ['paper', null],
])('does not compress a response that is %s', async (path, vary) => {
  expect(await ask(path, 'gzip, br')).toMatchObject({ packed: null, vary });
});

test('returns errors as problems to clients that accept them, as the gateway does', async () => {
  const authorization = `Bearer ${keysOf('gateway').sign('notebook', kim.caller)}`;
  const headers = { authorization, accept: 'application/problem+json', 'x-request-id': 'a-request' };
  const answer = await fetch(`${trial.url}/api/trial/no-id`, { headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'application/problem+json; charset=utf-8']);
  const problem = (await answer.json()) as { message: string };
  expect(problem).toMatchObject({
    type: 'http://suite.test/docs/errors#validation_failed',
    title: 'Unprocessable Entity',
    status: 422,
    detail: problem.message,
    code: 'validation_failed',
    docs_url: 'http://suite.test/docs/errors#validation_failed',
    request_id: 'a-request',
  });
});
