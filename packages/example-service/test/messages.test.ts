import { readdirSync } from 'node:fs';
import { fault, Unauthenticated } from '@suite/chassis/faults';
import { created, openToBearer } from '@suite/chassis/operations';
import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { z } from 'zod';
import { command } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const TooLong = fault(413, 'message_too_long', 'A message may have at most 1,000 bytes.');
const take = command('POST /api/trial/take', {
  summary: 'Take a message in',
  access: openToBearer('a test mailbox', {
    tokens: { read: () => undefined },
    lookUp: () => Promise.reject(new Error()),
    find: (_db, token) => (token === 'secret' ? Promise.resolve() : Promise.reject(Unauthenticated())),
  }),
  message: { mime: 'message/rfc822', max_bytes: 1_000, too_large: TooLong },
  reply: created(z.object({ size: z.number(), text: z.string(), bearer: z.string() })),
  faults: [TooLong, Unauthenticated],
  async prepare({ files, storage }) {
    const content = await storage.read(files[0]!.key);
    return Buffer.from(content).toString();
  },
  handle({ files, prepared: text, request: { bearer = '' } }) {
    return { size: files[0]!.size, text, bearer };
  },
});

const trial = await start(testServiceOf({ take }));
const kim = trial.member({ can: [] });
const kept = () =>
  readdirSync(trial.files_directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const send = (body: string, headers: Record<string, string> = {}) =>
  kim.send('POST', '/api/trial/take', body, { 'content-type': 'message/rfc822', 'x-bearer': 'secret', ...headers });

describe('a message as the whole body', () => {
  test('arrives unchanged, with a token that the gateway does not know', async () => {
    const reply = await send('Subject: Hello\r\n\r\nGrüße');
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { size: 25, text: 'Subject: Hello\r\n\r\nGrüße', bearer: 'secret' } },
    });
    expect(kept()).toHaveLength(1);
  });

  test('is rejected before it is received if its token is unknown', async () => {
    const unfinished = await send('x', { 'x-bearer': 'guess', 'content-length': '900', connection: 'close' });
    expect(unfinished).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('leaves nothing behind if it is rejected', async () => {
    const before = kept().length;
    const refused = [
      await send('x'.repeat(1_001)),
      await send('x', { 'content-type': 'text/plain' }),
      await send(''),
      await send('x', { 'x-bearer': 'guess' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [413, 'message_too_long'],
      [415, 'unsupported_media_type'],
      [422, 'validation_failed'],
      [401, 'unauthenticated'],
    ]);
    expect(kept()).toHaveLength(before);
  });
});
