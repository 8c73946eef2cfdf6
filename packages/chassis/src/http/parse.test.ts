import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import type { Fault } from '../runtime/fault.ts';
import { assertText } from '../schema/text.ts';
import { assertEncoding, parse, readJson } from './parse.ts';

function refusal(schema: z.ZodType, value: unknown): Fault {
  try {
    parse(schema, value);
  } catch (error) {
    return error as Fault;
  }
  throw new Error('It was accepted.');
}

describe('input', () => {
  const Lead = z.strictObject({
    name: z.string('A name is needed.'),
    pages: z.array(z.strictObject({ text: z.string('Some text is needed.') })).default([]),
    labels: z.record(z.string(), z.string()).default({}),
  });

  test('is returned as its schema parses it', () => {
    expect(parse(Lead, { name: 'Ada' })).toEqual({ name: 'Ada', pages: [], labels: {} });
  });

  test('reports every error, field by field', () => {
    const { status, code, message, errors } = refusal(Lead, {
      pages: [{}, { text: 'x', id: 1 }],
      status: 'x',
      stage: 1,
    });
    expect({ status, code }).toEqual({ status: 422, code: 'validation_failed' });
    expect({ ...errors }).toEqual({
      name: ['A name is needed.'],
      'pages.0.text': ['Some text is needed.'],
      'pages.1.id': ['Unknown field. Remove it.'],
      status: ['Unknown field. Remove it.'],
      stage: ['Unknown field. Remove it.'],
    });
    expect(message).toBe('name: A name is needed.');
  });

  test('reports an error of the whole body under "body"', () => {
    expect(refusal(Lead, 'text').errors).toHaveProperty('body');
    expect(refusal(Lead, null).errors).toHaveProperty('body');
  });

  test.each([
    ['unknown field', (name: string) => ({ name: 'Ada', [name]: 1 })],
    ['unknown field of a list', (name: string) => ({ name: 'Ada', pages: [{ text: 'x', [name]: 1 }] })],
    ['entry of a map', (name: string) => ({ name: 'Ada', labels: { [name]: 1 } })],
  ])('shortens the name of an %s', (_, body) => {
    const { message, errors = {} } = refusal(Lead, body('k'.repeat(200_000)));
    expect(message.length).toBeLessThan(300);
    expect(Object.keys(errors)).toEqual([expect.stringMatching(/^[\w.]{200}…$/)]);
  });

  test('can use any field name safely', () => {
    const { errors = {} } = refusal(Lead, JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}'));
    expect(Object.keys(errors)).toEqual(expect.arrayContaining(['constructor', 'toString', 'name']));
    expect(refusal(Lead, { name: 1, pages: 2 }).errors).toMatchObject({
      name: [expect.any(String)],
      pages: [expect.any(String)],
    });
  });
});

describe('text that databases cannot store', () => {
  const refusedOf = (check: () => void) => {
    try {
      check();
    } catch (error) {
      return (error as Fault).errors;
    }
    throw new Error('It was accepted.');
  };

  test.each<[unknown, string]>([
    [{ name: '\ud800' }, 'name'],
    [{ lines: [{}, { memo: 'a\0b' }] }, 'lines.1.memo'],
    [{ 'a\udfff': 1 }, 'a\ufffd'],
    ['\ud800', 'body'],
    [['x', '\udc00\ud800'], '1'],
  ])('is rejected anywhere: %j', (input, field) => {
    expect(refusedOf(() => assertText(input))).toEqual({ [field]: [expect.stringMatching(/^[A-Z].*\.$/)] });
  });

  test('is distinguished from valid text, at any depth', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"😀"${']'.repeat(100_000)}`);
    expect(() => assertText({ name: 'Zoë 😀 \u{10FFFF}', deep, none: null, count: 1 })).not.toThrow();
  });

  test('is rejected in query strings', () => {
    expect(() => assertEncoding('/api/leads?name=Zo%C3%AB+%F0%9F%98%80&q=100%25')).not.toThrow();
    expect(refusedOf(() => assertEncoding('/api/leads?page=1&name=%ED%A0%80'))).toHaveProperty('name');
    expect(refusedOf(() => assertEncoding('/api/leads?name=%'))).toHaveProperty('name');
    expect(refusedOf(() => assertEncoding('/api/leads?%ff=1'))).toHaveProperty('query');
  });
});

const app = express();
const answering = (): RequestHandler => async (request, response) => {
  const found = await readJson(request, response).catch(({ code, message, details }: Fault) =>
    request.url === '/fault' ? { message, details } : { code },
  );
  response.json(found);
};
app.use(answering());
const server = app.listen(0, '127.0.0.1');
afterAll(() => void server.close());
await new Promise((resolve) => server.once('listening', resolve));

/** Sends a body in pieces, without its length, unless a header contains the length. */
const post = (headers: Record<string, string | string[]>, ...pieces: (string | Buffer)[]) =>
  postTo('/', headers, pieces);
const fault = (headers: Record<string, string>, text: string) => postTo('/fault', headers, [text]);

function postTo(
  path: string,
  headers: Record<string, string | string[]>,
  pieces: (string | Buffer)[],
): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = send({ port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject);
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}
const json = { 'content-type': 'application/json' };

describe('a body', () => {
  test('is parsed as JSON of any kind, whole or in chunks', async () => {
    expect(await post(json, '{"a":', '[1]}')).toEqual({ a: [1] });
    expect(await post({ 'content-type': 'Application/JSON; charset=UTF-8' }, '3')).toBe(3);
    expect(await post(json, 'null')).toBeNull();
  });

  test('is an empty object if it is missing', async () => {
    expect(await post({ 'content-length': '0' })).toEqual({});
    expect(await post({ ...json, 'content-length': '0' })).toEqual({});
  });

  test.each([
    ['cut off', 'malformed_json', json, '{"a":'],
    ['with a comment', 'malformed_json', json, '{} // x'],
    ['of two values', 'malformed_json', json, '{} {}'],
    ['of open lists', 'malformed_json', json, '['.repeat(120_000)],
    ['of open objects', 'malformed_json', json, '{"a":'.repeat(40_000)],
    ['of lists in lists', 'malformed_json', json, '['.repeat(120_000) + ']'.repeat(120_000)],
    ['of an open text', 'malformed_json', json, `["${'\\\\'.repeat(60_000)}`],
    ['of escaped quotes in an open text', 'malformed_json', json, `"${'\\"'.repeat(120_000)}`],
    ['of escaped quotes that ends within an escape', 'malformed_json', json, `"${'\\"'.repeat(120_000)}\\`],
    ['of open lists after a line break in a text', 'malformed_json', json, `"\n${'['.repeat(120_000)}"`],
    ['shorter than it says', 'malformed_json', { ...json, 'content-encoding': 'gzip' }, 'no gzip'],
    ['of bytes that are not text', 'malformed_json', json, Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1')],
    ['of another type', 'unsupported_media_type', { 'content-type': 'text/plain' }, '{}'],
    ['of a type that only begins like it', 'unsupported_media_type', { 'content-type': 'application/json5' }, '{}'],
    ['of no type', 'unsupported_media_type', {}, '{}'],
    [
      'of an unknown character set',
      'unsupported_media_type',
      { 'content-type': 'application/json; charset=latin-9' },
      '{}',
    ],
    ['of an unknown encoding', 'unsupported_media_type', { ...json, 'content-encoding': 'zip' }, '{}'],
    ['above 256 KiB', 'payload_too_large', json, `"${'x'.repeat(256 * 1024)}"`],
  ])('%s is rejected: %s', async (_, code, headers, text) => {
    expect(await post(headers, text)).toEqual({ code });
  });

  test.each([
    ['{"a":1,}', 1, 8],
    ['{"a":', 1, 6],
    ['{"a": secret-word}', 1, 7],
    ["{'a': 1}", 1, 2],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{}\r\n{}', 2, 1],
    [' ', 1, 2],
  ])('is rejected for %j with line %i and column %i, without quoting it', async (text, line, column) => {
    const headers = { ...json, 'transfer-encoding': 'chunked' };
    expect(await fault(headers, text)).toEqual({
      details: { line, column },
      message: expect.not.stringContaining('secret-word'),
    });
  });

  test('accepts 256 KiB in total', async () => {
    expect(await post(json, `"${'x'.repeat(256 * 1024 - 2)}"`)).toHaveLength(256 * 1024 - 2);
  });
});
