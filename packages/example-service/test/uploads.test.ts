import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { can, created, openByFileLink, anyFile } from '@suite/chassis/operations';
import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { z } from 'zod';
import { NoteInput } from '../src/notes/note.schema.ts';
import { command, query } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

/** The notes with stored files. */
const named: string[] = [];
const Done = z.object({ id: z.string() });
const attach = command('POST /api/trial/attach', {
  summary: 'Keep a file',
  access: can('trial'),
  body: NoteInput.pick({ title: true }),
  upload: { field: 'file', kinds: 'documents', max_bytes: 10_000, many: true },
  reply: created(Done.extend({ link: z.string() })),
  async prepare({ storage, caller, files, body }) {
    const key = await storage.put(caller.workspace_id, Buffer.from(`thumbnail of ${body.title}`));
    files.push({ key, name: 'thumbnail.txt', size: 1, mime: 'text/plain' });
  },
  async handle({ db, body, files, links }) {
    const note = await db.note.create({ data: { title: body.title } });
    if (body.title.startsWith('broken')) throw new Error('an unexpected error');
    named.push(note.id);
    return { id: note.id, link: links.sign(files[0]!) };
  },
});
/** The users who can sign in, with their current rights. */
const accounts = new Map<string, Caller>();
const holder = async (_: unknown, { user_id }: { user_id: string }) => await Promise.resolve(accounts.get(user_id));
const download = query('GET /api/trial/file/{token}', {
  summary: 'Fetch a file',
  access: openByFileLink(holder, { permission: 'trial' }),
  params: { token: z.string() },
  reply: anyFile,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, () => db.note.findFirst({ where: { id: named.at(-1)! } })),
});

const trial = await start(testServiceOf({ attach, download }));
const kim = trial.member({ can: ['trial'] });
accounts.set(kim.caller.user_id, kim.caller);
const key = () => ({ headers: { 'idempotency-key': randomUUID() } });
const stored = () =>
  readdirSync(trial.files_directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const statusFor = async (reply: Promise<{ status: number }>) => (await reply).status;
const incoming = () => readdirSync(`${trial.files_directory}/.incoming`);

describe('an upload', () => {
  const form = (title: string, ...names: string[]) => {
    const fields = new FormData();
    fields.set('title', title);
    for (const name of names) fields.append('file', new Blob([`this is ${name}`]), name);
    return fields;
  };

  test('is stored with the record that its command creates, and can be downloaded', async () => {
    const before = stored().length;
    const reply = await kim.upload('/api/trial/attach', form(randomUUID(), 'a.txt', 'b.txt'));
    expect(reply.status).toBe(201);
    expect(stored().length - before).toBe(3);
    const file = await fetch(`${trial.url}/api/trial/file/${reply.body.data.link}`, {
      headers: { authorization: `Bearer ${trial.gateway.sign('notebook', null)}` },
    });
    expect([file.status, await file.text(), file.headers.get('content-disposition')]).toEqual([
      200,
      'this is a.txt',
      expect.stringContaining('a.txt'),
    ]);
    expect((await trial.anonymous.get('/api/trial/file/nonsense')).status).toBe(403);
    const path = `/api/trial/file/${reply.body.data.link}`;
    expect(await statusFor(kim.get(path))).toBe(200);
    expect(await statusFor(trial.member({ can: ['trial'], workspace: randomUUID() }).get(path))).toBe(404);
    const { user_id } = kim.caller;
    accounts.delete(user_id);
    expect([await statusFor(trial.anonymous.get(path)), await statusFor(kim.get(path))]).toEqual([404, 404]);
    accounts.set(user_id, { ...kim.caller, permissions: [] });
    expect(await statusFor(trial.anonymous.get(path))).toBe(404);
    accounts.set(user_id, { ...kim.caller, modules: [] });
    expect(await statusFor(trial.anonymous.get(path))).toBe(404);
    accounts.set(user_id, kim.caller);
    expect(await statusFor(trial.anonymous.get(path))).toBe(200);
    await trial.sql`DELETE FROM notes WHERE id = ${reply.body.data.id}`;
    expect([await statusFor(trial.anonymous.get(path)), await statusFor(kim.get(path))]).toEqual([404, 404]);
  });

  test.each([
    ['a command that fails', (title: string) => kim.upload('/api/trial/attach', form(`broken ${title}`, 'a.txt')), 500],
    ['a form that is not valid', () => kim.upload('/api/trial/attach', form('', 'a.txt')), 422],
    ['a program', (title: string) => kim.upload('/api/trial/attach', form(title, 'a.txt', 'b.exe')), 415],
    [
      'a caller without the permission',
      (title: string) => trial.member().upload('/api/trial/attach', form(title, 'a.txt')),
      403,
    ],
  ])('leaves no unreferenced files behind for %s', async (_, send, status) => {
    const before = stored().length;
    expect((await send(randomUUID())).status).toBe(status);
    expect(stored().length).toBe(before);
    expect(incoming()).toEqual([]);
  });

  test('leaves nothing behind if the database rejects it', async () => {
    const title = randomUUID();
    await kim.upload('/api/trial/attach', form(title, 'a.txt'));
    const before = stored().length;
    expect((await kim.upload('/api/trial/attach', form(title, 'a.txt'))).body.code).toBe('already_exists');
    expect(stored()).toHaveLength(before);
  });

  test('is stored once if it is repeated with its key', async () => {
    const [title, once, before] = [randomUUID(), key(), stored().length];
    const replies = [
      await kim.upload('/api/trial/attach', form(title, 'a.txt'), once),
      await kim.upload('/api/trial/attach', form(title, 'a.txt'), once),
    ];
    expect(replies[1]!.body).toEqual(replies[0]!.body);
    expect(stored().length - before).toBe(2);
    const other = await kim.upload('/api/trial/attach', form(title, 'another.txt'), once);
    expect(other.body.code).toBe('idempotency_key_reused');
    expect(stored().length - before).toBe(2);
  });

  test('is stored once if it is sent many times concurrently', async () => {
    const [title, once, before] = [randomUUID(), key(), stored().length];
    const replies = await runConcurrently(12, () => kim.upload('/api/trial/attach', form(title, 'a.txt'), once));
    expect(new Set(sortedStatuses(replies))).toEqual(
      new Set(sortedStatuses(replies).includes(409) ? [201, 409] : [201]),
    );
    expect(stored().length - before).toBe(2);
  });
});
