import { chmodSync, existsSync, readdirSync, statSync, utimesSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { docx, documents, fileServer, GIF, formWithFile, PDF, PNG, WORD } from '../../test/file-fixture.ts';
import { keysOf, waitUntil } from '../../test/fixture.ts';
import { clock } from '../runtime/clock.ts';
import { fileLinks } from '../identity/file-links.ts';
import type { StoredFile } from './files.ts';
import { openStorage } from '../storage/storage.ts';

let served: Awaited<ReturnType<typeof fileServer>>;

beforeAll(async () => {
  served = await fileServer();
});

afterAll(() => served.close());

describe('an upload', () => {
  test.each([
    ['an image', PNG, 'photo.png', 'image/png', 'photo.png'],
    ['an image with the ending of another', GIF, 'photo.png', 'image/gif', 'photo.png.gif'],
    ['a PDF', PDF, 'offer.PDF', 'application/pdf', 'offer.PDF'],
    ['a PDF that calls itself a program', PDF, 'offer.pdf.exe', 'application/pdf', 'offer.pdf.exe.pdf'],
    ['a text', 'Grüße, 5 < 6\tand\r\nmore', 'note.txt', 'text/plain', 'note.txt'],
    ['a text that looks like an image at first', 'BM, where to go', 'note.txt', 'text/plain', 'note.txt'],
    ['a table', 'a;b\n1;2\n', 'list.csv', 'text/csv', 'list.csv'],
    ['a Word document', docx(`${WORD}.main+xml`), 'letter.docx', WORD, 'letter.docx'],
  ])('accepts %s by its content', async (_, content, sent, mime, name) => {
    served.state.upload = documents;
    const answer = await served.post(formWithFile(content, sent, 'image/svg+xml'));
    expect(answer).toMatchObject({ status: 201, files: [{ name, mime, size: Buffer.from(content).length }] });
    const [{ key }] = answer.files as [StoredFile];
    expect(key).toMatch(new RegExp(`^${served.workspace_id}/[0-9a-f-]{36}$`));
    expect(Buffer.from(await served.storage.read(key))).toEqual(Buffer.from(content));
    await served.storage.remove(key);
    expect(served.kept()).toEqual([]);
  });

  test('is stored with owner-only permissions, and so is its directory', async () => {
    served.state.upload = documents;
    const [file] = (await served.post(formWithFile(PNG, 'a.png'))).files;
    const made = await served.storage.put(served.workspace_id, Buffer.from('made here'));
    const modeOf = (path: string) => statSync(join(served.directory, path)).mode & 0o777;
    expect([file!.key, made].map(modeOf)).toEqual([0o600, 0o600]);
    for (const key of [file!.key, made]) await served.storage.remove(key);
    chmodSync(served.directory, 0o755);
    openStorage(served.directory);
    expect(['', '.incoming'].map(modeOf)).toEqual([0o700, 0o700]);
  });

  test('includes its text fields', async () => {
    served.state.upload = documents;
    const form = formWithFile(PNG, 'a.png');
    form.append('note', 'größer');
    const answer = await served.post(form);
    expect(answer.fields).toEqual({ note: 'größer' });
    await served.storage.remove(answer.files[0]!.key);
  });

  test('stores all of several files, or none if one is rejected', async () => {
    served.state.upload = { ...documents, many: true };
    const form = formWithFile(PNG, 'a.png');
    form.append('file', new File(['text'], 'b.txt'));
    const both = await served.post(form);
    expect(both.files.map(({ name }) => name)).toEqual(['a.png', 'b.txt']);
    for (const { key } of both.files) await served.storage.remove(key);
    form.append('file', new File(['<svg/>'], 'c.svg'));
    expect(await served.post(form)).toMatchObject({
      status: 415,
      code: 'unsupported_file_type',
      errors: { file: [expect.any(String)] },
    });
    expect(served.kept()).toEqual([]);
  });
});

test('deletes old leftovers of an interrupted process at the next start', async () => {
  const incoming = join(served.directory, '.incoming');
  writeFileSync(join(incoming, 'old'), 'x');
  writeFileSync(join(incoming, 'new'), 'x');
  utimesSync(join(incoming, 'old'), 1, 1);
  openStorage(served.directory);
  await waitUntil('the old file is deleted', () => !existsSync(join(incoming, 'old')));
  expect(readdirSync(incoming)).toEqual(['new']);
  rmSync(join(incoming, 'new'));
});

describe('a link', () => {
  const name = 'Grüße "an" (alle)*.txt';

  test('sends its file as an attachment that cannot run', async () => {
    const key = await served.storage.put(served.workspace_id, Buffer.from('content'));
    const response = await fetch(served.url + served.links.sign({ key, name, mime: 'text/plain' }));
    expect(await response.text()).toBe('content');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="Gr__e _an_ (alle)_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22an%22%20%28alle%29%2a.txt`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=3600',
    });
    await served.storage.remove(key);
    expect((await fetch(served.url + served.links.sign({ key, name, mime: 'text/plain' }))).status).toBe(404);
  });

  test.each([
    ['image/png', 'inline'],
    ['image/svg+xml', 'attachment'],
    ['text/html', 'attachment'],
    ['application/pdf', 'attachment'],
  ])('opens %s as %s', async (mime, disposition) => {
    const key = await served.storage.put(served.workspace_id, Buffer.from('content'));
    const { headers } = await fetch(served.url + served.links.sign({ key, name: 'file', mime }));
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename="file"; filename*=UTF-8''file`);
  });

  test('is stable for two hours and works for at least one more', () => {
    const file = { key: 'a/b', name, mime: 'text/plain' };
    const { now } = clock;
    const at = (time: string) => (clock.now = () => new Date(`2026-11-27T${time}Z`));
    try {
      at('10:00:00');
      const token = served.links.sign(file);
      at('11:59:59');
      expect(served.links.sign(file)).toBe(token);
      at('12:00:00');
      expect(served.links.sign(file)).not.toBe(token);
      at('12:59:59');
      expect(served.links.open(token)).toEqual(file);
      at('13:00:00');
      expect(() => served.links.open(token)).toThrow('This link has expired.');
    } finally {
      clock.now = now;
    }
  });

  test('is an absolute URL', () => {
    const file = { key: 'a/b', name, mime: 'text/plain' };
    expect(served.links.url('/api/user-photo', file)).toBe(
      `http://suite.test/api/user-photo/${served.links.sign(file)}`,
    );
  });

  test('cannot be forged, changed or created by another process', () => {
    const token = served.links.sign({ key: 'a/b', name, mime: 'text/plain' });
    const [text = '', signature = ''] = token.split('.');
    const other = fileLinks(keysOf('crm')['crm']!.private_key, 'http://suite.test').sign({
      key: 'a/b',
      name,
      mime: 'text/plain',
    });
    const changed = Buffer.from(JSON.stringify(['a/c', name, 'text/plain', 9e9])).toString('base64url');
    const forgeries = [
      '',
      '.',
      text,
      `${text}.`,
      `.${signature}`,
      `${changed}.${signature}`,
      other,
      `${token}x`,
      `${text}.${signature.slice(1)}`,
    ];
    for (const forgery of forgeries) expect(() => served.links.open(forgery)).toThrow('This link has expired.');
  });

  test('cannot refer to a file outside the storage', async () => {
    for (const key of ['../secret', '/etc/passwd', 'a/../../b', 'a', 'a/b/c', '.incoming/x', 'a/..']) {
      await expect(served.storage.open(key)).rejects.toThrow();
      await expect(served.storage.read(key)).rejects.toThrow();
    }
  });
});
