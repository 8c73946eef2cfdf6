import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { docx, documents, fileServer, images, formWithFile, PDF, PNG, zip } from '../../test/file-fixture.ts';
import { waitUntil } from '../../test/fixture.ts';

let served: Awaited<ReturnType<typeof fileServer>>;

beforeAll(async () => {
  served = await fileServer();
});

afterAll(() => served.close());

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]);
const withMacros = Buffer.concat([COMPOUND, Buffer.from('_VBA_PROJECT_CUR', 'utf16le'), Buffer.alloc(100)]);
const hostile: [string, Uint8Array | string, string][] = [
  ['a drawing with a script', SVG, 'a.png'],
  ['a drawing behind a declaration', `<?xml version="1.0"?>${SVG}`, 'a.txt'],
  ['a drawing behind a byte order mark', `\ufeff  ${SVG}`, 'a.txt'],
  ['a drawing behind comments and a document type', `<!-- <p> --><!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`, 'a.html'],
  ['a drawing with a prefix', '<x:svg xmlns:x="http://www.w3.org/2000/svg"/>', 'a.xml'],
  ['an old document with macros', withMacros, 'a.doc'],
  ['an installer under the name of a document', COMPOUND, 'a.pdf'],
  ['PostScript', '%!PS-Adobe-3.0\nshowpage', 'a.txt'],
  ['a Windows program', Buffer.concat([Buffer.from('MZ'), randomBytes(200)]), 'a.pdf'],
  ['a Linux program', Buffer.concat([Buffer.from('\x7fELF'), randomBytes(200)]), 'a.pdf'],
  ['a document with macros', docx('application/vnd.ms-word.document.macroEnabled.main+xml'), 'a.docx'],
  ['a Java archive', zip(['META-INF/MANIFEST.MF', 'Main-Class: A']), 'a.docx'],
  ['a script by its name', 'WScript.Echo(1)', 'a.vbs'],
  ['a script by its name, with dots after it', 'echo off', 'a.bat. .'],
  ['a script by its first line', '#!/bin/sh\nrm -rf /', 'a.txt'],
  ['a program by its name', 'text', 'invoice.pdf.exe'],
  ['a drawing in UTF-16', Buffer.from(`\ufeff${SVG}`, 'utf16le'), 'a.txt'],
  ['noise', Buffer.concat([Buffer.from([1, 2, 3]), randomBytes(500)]), 'a.txt'],
  ['text with a zero byte', 'a\0b', 'a.txt'],
  ['a broken image without its signature', PNG.subarray(1), 'a.png'],
];

const named = (name: string) => {
  const form = new FormData();
  form.set(name, 'x');
  return form;
};

describe('a hostile upload', () => {
  test.each(hostile)('is rejected and leaves no files: %s', async (_, content, name) => {
    served.state.upload = documents;
    expect(await served.post(formWithFile(content, name, 'image/png'))).toMatchObject({
      status: 415,
      code: 'unsupported_file_type',
      errors: { file: [expect.stringContaining('pdf')] },
    });
    expect(served.kept()).toEqual([]);
  });

  test('is rejected if it is a document and only images are accepted', async () => {
    served.state.upload = images;
    for (const content of [PDF, 'text']) expect((await served.post(formWithFile(content, 'a.png'))).status).toBe(415);
    expect((await served.post(formWithFile(PNG, 'a.png'))).status).toBe(201);
    rmSync(join(served.directory, served.workspace_id), { recursive: true });
  });

  test.each([
    ['../../../etc/passwd', 'passwd.png'],
    ['..\\..\\windows\\system.ini', 'system.ini.png'],
    ['C:\\evil\\a.png', 'a.png'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie_ x=1.png'],
    ['a"; filename="b.png', 'a__ filename=_b.png'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe.png'],
    ['a\0.png', 422],
    ['....', 'file.png'],
    ['<img src=x>.png', '_img src=x_.png'],
    ['%2e%2e%2fa.png', '_2e_2e_2fa.png'],
    [`${'ä'.repeat(300)}.png`, `${'ä'.repeat(120)}.png`],
    ['😀.png', '😀.png'],
  ])('has a harmless name: %j', async (name, harmless) => {
    served.state.upload = images;
    const raw = Buffer.concat([
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="file"; filename="${name.replaceAll(/["\r\n]/g, encodeURIComponent)}"\r\n\r\n`,
      ),
      PNG,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await served.post(raw, headers);
    const told = answer.status === 201 ? answer.files[0]!.name : answer.status;
    expect(told).toBe(harmless);
    rmSync(join(served.directory, served.workspace_id), { recursive: true, force: true });
    expect(served.kept()).toEqual([]);
  });

  test.each([
    ['nothing', () => new FormData(), 422, 'file'],
    ['an empty file', () => formWithFile('', 'a.txt'), 422, 'file'],
    ['a file in another field', () => other(PNG), 422, 'other'],
    ['two files where one is expected', () => twice(2), 422, 'file'],
    ['a file that is too large', () => formWithFile(randomBytes(100_001), 'a.pdf'), 413, 'file'],
    ['far too much', () => formWithFile(randomBytes(900_000), 'a.pdf'), 413, 'file'],
    ['too many fields', () => withFields(70), 422, 'file'],
    ['nested fields', () => withFields(1, 'a[b][c][d]'), 422, 'a[b][c][d]0'],
    ['a list with a far index', () => named('a[51]'), 422, 'a[51]'],
    ['a long field', () => withFields(1, 'a', 'x'.repeat(20_000)), 422, 'a0'],
    ['a field with a long name', () => withFields(1, 'x'.repeat(200)), 422, 'file'],
  ] as [string, () => FormData, number, string][])(
    'is refused, naming the field: %s',
    async (_, form, status, field) => {
      served.state.upload = documents;
      const answer = await served.post(form());
      expect({ status: answer.status, fields: Object.keys(answer.errors ?? {}) }).toEqual({ status, fields: [field] });
      expect(served.kept()).toEqual([]);
    },
  );

  test('is rejected with a thousand parts, or with a missing or wrong boundary', async () => {
    served.state.upload = { ...documents, many: true };
    expect((await served.post(twice(1_000))).status).toBe(422);
    served.state.upload = documents;
    expect((await served.post('--x\r\n', { 'content-type': 'multipart/form-data' })).status).toBe(422);
    expect((await served.post('hello', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(422);
    expect((await served.post('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await served.post('--x\r\n\r\n\r\n--x--', { 'content-type': 'multipart/mixed; boundary=x' })).status).toBe(
      415,
    );
    expect(served.kept()).toEqual([]);
  });

  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n` +
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf a file';

  test('is rejected and leaves no files if it ends too soon', async () => {
    served.state.upload = documents;
    const body = head(0).split('\r\n\r\n').slice(1).join('\r\n\r\n');
    const answer = await served.post(body, { 'content-type': 'multipart/form-data; boundary=b' });
    expect(answer).toMatchObject({ status: 422, errors: { file: [expect.stringContaining('incomplete')] } });
    expect(served.kept()).toEqual([]);
  });

  test('leaves no files if its sender disconnects', async () => {
    served.state.upload = documents;
    served.state.lastError = undefined;
    const socket = connect(served.port, '127.0.0.1');
    socket.write(head(50_000));
    await waitUntil('the file is in incoming', () => served.kept().length === 1);
    socket.destroy();
    await waitUntil('nothing is left', () => served.kept().length === 0 && served.state.lastError !== undefined);
    expect(served.state.lastError).toMatchObject({ status: 422 });
  });
});

function other(content: Uint8Array): FormData {
  const form = new FormData();
  form.append('other', new File([content], 'a.png'));
  return form;
}

function twice(times: number): FormData {
  const form = new FormData();
  for (let index = 0; index < times; index += 1) form.append('file', new File(['text'], 'a.txt'));
  return form;
}

function withFields(count: number, name = 'field', value = 'x'): FormData {
  const form = new FormData();
  for (let index = 0; index < count; index += 1) form.append(`${name}${index}`, value);
  form.append('file', new File(['text'], 'a.txt'));
  return form;
}
