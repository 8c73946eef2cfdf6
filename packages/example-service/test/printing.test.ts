import { NotFound } from '@suite/chassis/faults';
import { Id, idOf } from '@suite/chassis/fields';
import { can, ok, type ResponseWriter } from '@suite/chassis/operations';
import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { z } from 'zod';
import { query } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const Note = z.object({ id: Id, title: z.string(), version: z.int() });
const printed: unknown[] = [];

const asPaper =
  (text: string): ResponseWriter =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(text);
    return Promise.resolve();
  };

const shown = {
  summary: 'Get a note',
  access: can('trial'),
  params: { id: idOf('notes') },
  reply: ok(Note),
};
const show = query('GET /api/trial/{id}', {
  ...shown,
  async handle({ db, params }) {
    const note = await db.note.findFirst({ where: { id: params.id } });
    if (!note) throw NotFound();
    return note;
  },
  formats: {
    async pdf({ record, caller, read }) {
      const notes = await read((db) => db.note.count());
      printed.push({ record, user_id: caller.user_id });
      return asPaper(`%PDF of ${record.title}, one of ${notes}`);
    },
  },
});
const plain = query('GET /api/trial/{id}/plain', {
  ...shown,
  handle: ({ params }) => ({ id: params.id, title: '', version: 1 }),
});

const trial = await start(testServiceOf({ show, plain }));
const kim = trial.member({ can: ['trial'] });
const { workspace_id, user_id } = kim.caller;
const [note] = await trial.sql<{ id: string }>`
  INSERT INTO notes (id, workspace_id, title) VALUES (gen_random_uuid(), ${workspace_id}, 'Milk') RETURNING id`;
const path = `/api/trial/${note!.id}`;
const ask = (accept: string | undefined, by = kim, at = path) =>
  by.get(at, accept === undefined ? {} : { headers: { accept } });

describe('a printable record', () => {
  test.each([
    'application/pdf',
    'application/pdf, application/json;q=0.9',
    'application/json;q=0.5, application/pdf;q=0.8',
    'text/html, application/pdf',
    'application/pdf, */*;q=0.1',
  ])('is a PDF for clients that accept %s', async (accept) => {
    printed.length = 0;
    const { status, headers, content, body } = await ask(accept);
    expect({ status, type: headers.get('content-type'), vary: headers.get('vary'), body }).toEqual({
      status: 200,
      type: 'application/pdf',
      vary: 'Accept',
      body: undefined,
    });
    expect(Buffer.from(content).toString()).toBe('%PDF of Milk, one of 1');
    expect(printed).toEqual([{ record: { id: note!.id, title: 'Milk', version: 1 }, user_id }]);
  });

  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/pdf;q=0.8, application/json',
    'application/pdf;q=0, */*',
    'application/problem+json',
  ])('is JSON for clients that accept %s', async (accept) => {
    printed.length = 0;
    const reply = await ask(accept);
    expect(reply).toMatchObject({ status: 200, body: { data: { title: 'Milk' } } });
    expect([reply.headers.get('vary'), reply.headers.get('etag')]).toEqual([
      'Accept, Accept-Encoding',
      expect.stringMatching(/^"1-/),
    ]);
    expect(printed).toEqual([]);
  });

  test.each(['text/csv', 'text/html', 'application/pdf;q=0', 'application/json;q=0', 'nonsense'])(
    'returns 406 for %s and names the available formats',
    async (accept) => {
      expect(await ask(accept)).toMatchObject({
        status: 406,
        body: { code: 'not_acceptable', details: { available: ['application/json', 'application/pdf'] } },
      });
    },
  );

  test('is rejected in JSON as usual, without printing', async () => {
    printed.length = 0;
    const pdf = 'application/pdf';
    const replies = await Promise.all([
      ask(pdf, trial.anonymous),
      ask(pdf, trial.member({ can: [] })),
      ask(pdf, trial.member({ can: ['trial'] })),
      ask(pdf, kim, '/api/trial/01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'),
      ask(pdf, kim, '/api/trial/nonsense'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([401, 403, 404, 404, 422]);
    for (const { body } of replies) expect(body).toMatchObject({ code: expect.any(String) });
    expect(printed).toEqual([]);
  });
});

test('a record without a PDF returns 406 to a caller that accepts nothing else', async () => {
  const reply = await ask('application/pdf', kim, `${path}/plain`);
  expect(reply).toMatchObject({ status: 406, body: { details: { available: ['application/json'] } } });
});
