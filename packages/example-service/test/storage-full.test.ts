/** A full disk of the database or the files: the caller is informed, and the attempt leaves nothing behind. */
import { randomUUID } from 'node:crypto';
import fs, { readdirSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { can, created } from '@suite/chassis/operations';
import { start } from '@suite/testing';
import { z } from 'zod';
import { NoteInput } from '../src/notes/note.schema.ts';
import { command } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const attach = command('POST /api/trial/attach', {
  summary: 'Keep a file',
  access: can('trial'),
  body: NoteInput.pick({ title: true }),
  upload: { field: 'file', kinds: 'documents' },
  reply: created(z.object({ id: z.string() })),
  handle: ({ db, body }) => db.note.create({ data: { title: body.title } }),
});
const trial = await start(testServiceOf({ attach }));
const kim = trial.member({ can: ['trial'] });
let logged: jest.Spied<typeof trial.tools.log.error>;
beforeEach(() => {
  logged = jest.spyOn(trial.tools.log, 'error');
});
afterEach(() => {
  jest.restoreAllMocks();
});

// PostgreSQL raises this error when it cannot extend a file.
await trial.sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.title LIKE 'large%' THEN
    RAISE EXCEPTION 'could not extend file "base/5/16384": No space left on device' USING ERRCODE = 'disk_full';
  END IF;
  RETURN NEW;
END $$`;
await trial.sql`CREATE TRIGGER refuse BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION refuse()`;

const upload = (title: string) => {
  const form = new FormData();
  form.set('title', title);
  form.append('file', new Blob(['some text']), 'a.txt');
  return kim.upload('/api/trial/attach', form, { headers: { 'idempotency-key': title } });
};
const stored = () =>
  readdirSync(trial.files_directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const notes = async (title: string) => (await trial.sql`SELECT FROM notes WHERE title = ${title}`).length;
const lines = () =>
  logged.mock.calls.map(([marks, text]) => `${String(text)}: ${causesOf((marks as { err: Error }).err)}`);
const causesOf = (error: Error): string =>
  error.cause instanceof Error ? `${error.message} ${causesOf(error.cause)}` : error.message;

test('of the database returns 507, and the log names the file', async () => {
  const title = `large ${randomUUID()}`;
  const reply = await upload(title);
  expect(reply).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  expect(reply.headers.get('retry-after')).toBe('60');
  expect(lines()).toEqual([expect.stringMatching(/^Disk full: .*base\/5\/16384/)]);
  expect([stored(), await notes(title)]).toEqual([[], 0]);
  await trial.sql`DROP TRIGGER refuse ON notes`;
  expect(await upload(title)).toMatchObject({ status: 201 });
});

test('of the files returns 507, and the log names the directory', async () => {
  const before = stored().length;
  const title = randomUUID();
  // The file exists, with the part that fitted.
  jest.spyOn(fs, 'createWriteStream').mockImplementation((path) => {
    writeFileSync(path, 'some');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return new Writable({ write: (_chunk, _encoding, done) => done(full) }) as fs.WriteStream;
  });
  const reply = await upload(title);
  expect(reply).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  expect(reply.headers.get('retry-after')).toBe('60');
  expect(lines()).toEqual([expect.stringContaining(`No space is left in ${trial.files_directory}`)]);
  expect([stored().length, await notes(title)]).toEqual([before, 0]);
  jest.restoreAllMocks();
  expect(await upload(title)).toMatchObject({ status: 201 });
});
