import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keysOf, scratch, until } from '../test/ground.ts';
import { clock } from './clock.ts';
import { Fault } from './fault.ts';
import { fileLinks, openStorage, receive, type StoredFile, sendFile, type Upload } from './files.ts';

const directory = scratch();
const storage = openStorage(directory);
const workspace_id = randomUUID();
const links = fileLinks(keysOf('crm')['crm']!.private_key);
let upload: Upload;
let server: Server;
let url: string;
let lastError: unknown;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      if (request.method === 'GET') return await sendFile(response, storage, links.open(request.url!.slice(1)));
      const taken = await receive(request, response, upload, { storage, workspace_id });
      response.writeHead(201).end(JSON.stringify(taken));
    } catch (error) {
      lastError = error;
      const { status, code, errors } =
        error instanceof Fault ? error : { status: 500, code: String(error), errors: {} };
      response.writeHead(status).end(JSON.stringify({ code, errors }));
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Everything that lies in the storage. */
const kept = () => readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

interface Answer {
  status: number;
  code: string;
  errors: Record<string, string[]>;
  files: StoredFile[];
  fields: Record<string, string>;
}

async function post(body: FormData | string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}

const part = (content: Uint8Array | string, name: string, type = '') => {
  const form = new FormData();
  form.append('file', new File([content as string], name, { type }), name);
  return form;
};

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const PDF = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF';
const documents: Upload = { field: 'file', kinds: 'documents', max_bytes: 100_000 };
const images: Upload = { field: 'file', kinds: 'images', max_bytes: 100_000 };

/** A zip archive of uncompressed entries, as Office formats are. */
function zip(...entries: [name: string, content: string][]): Buffer {
  const parts: Buffer[] = [];
  const listing: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(Number(crc32(content)), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name + content)]);
    const central = Buffer.alloc(16);
    central.writeUInt32LE(offset, 12);
    listing.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, central.subarray(2), Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  return Buffer.concat([...parts, ...listing]);
}

const crc32 = (content: string) => {
  let crc = ~0;
  for (const byte of Buffer.from(content)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
};

const docx = (main: string) =>
  zip(
    ['[Content_Types].xml', `<Types><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`],
    ['word/document.xml', '<w:document/>'],
  );
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('an upload', () => {
  test.each([
    ['a picture', PNG, 'photo.png', 'image/png', 'photo.png'],
    ['a picture with the ending of another', GIF, 'photo.png', 'image/gif', 'photo.png.gif'],
    ['a PDF', PDF, 'offer.PDF', 'application/pdf', 'offer.PDF'],
    ['a PDF that calls itself a program', PDF, 'offer.pdf.exe', 'application/pdf', 'offer.pdf.exe.pdf'],
    ['a text', 'Grüße, 5 < 6\tand\r\nmore', 'note.txt', 'text/plain', 'note.txt'],
    ['a text that looks like a picture at first', 'BM, where to go', 'note.txt', 'text/plain', 'note.txt'],
    ['a table', 'a;b\n1;2\n', 'list.csv', 'text/csv', 'list.csv'],
    ['a Word document', docx(`${WORD}.main+xml`), 'letter.docx', WORD, 'letter.docx'],
  ])('takes in %s by what is in it', async (_, content, sent, mime, name) => {
    upload = documents;
    const answer = await post(part(content, sent, 'image/svg+xml'));
    expect(answer).toMatchObject({ status: 201, files: [{ name, mime, size: Buffer.from(content).length }] });
    const [{ key }] = answer.files as [StoredFile];
    expect(key).toMatch(new RegExp(`^${workspace_id}/[0-9a-f-]{36}$`));
    expect(Buffer.from(await storage.read(key))).toEqual(Buffer.from(content));
    await storage.remove(key);
    expect(kept()).toEqual([]);
  });

  test('carries its text fields along', async () => {
    upload = documents;
    const form = part(PNG, 'a.png');
    form.append('note', 'größer');
    const answer = await post(form);
    expect(answer.fields).toEqual({ note: 'größer' });
    await storage.remove(answer.files[0]!.key);
  });

  test('of several files keeps all of them, or none when one is refused', async () => {
    upload = { ...documents, many: true };
    const form = part(PNG, 'a.png');
    form.append('file', new File(['text'], 'b.txt'));
    const both = await post(form);
    expect(both.files.map(({ name }) => name)).toEqual(['a.png', 'b.txt']);
    for (const { key } of both.files) await storage.remove(key);
    form.append('file', new File(['<svg/>'], 'c.svg'));
    expect(await post(form)).toMatchObject({
      status: 415,
      code: 'unsupported_file_type',
      errors: { file: [expect.any(String)] },
    });
    expect(kept()).toEqual([]);
  });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const hostile: [string, Uint8Array | string, string][] = [
  ['a drawing with a script', SVG, 'a.png'],
  ['a drawing behind a declaration', `<?xml version="1.0"?>${SVG}`, 'a.txt'],
  ['a drawing behind a byte order mark', `\ufeff  ${SVG}`, 'a.txt'],
  ['a page', '<!DOCTYPE html><html></html>', 'a.txt'],
  ['a page behind blanks', `${' '.repeat(600)}\n<HTML>`, 'a.txt'],
  ['a script in a text', 'hello <script>alert(1)</script>', 'a.txt'],
  ['a frame in a table', 'a;b\n<iframe src=x>;1', 'a.csv'],
  ['markup of an unknown kind', '<x:a xmlns:x="y"/>', 'a.txt'],
  ['a page behind more blanks than anybody looks at', `${' '.repeat(5_000)}<html>`, 'a.txt'],
  ['XML', '<?xml version="1.0"?><a/>', 'a.xml'],
  ['an entity bomb', '<!DOCTYPE x [<!ENTITY a "a"><!ENTITY b "&a;&a;">]><x>&b;</x>', 'a.txt'],
  ['a Windows program', Buffer.concat([Buffer.from('MZ'), randomBytes(200)]), 'a.pdf'],
  ['a Linux program', Buffer.concat([Buffer.from('\x7fELF'), randomBytes(200)]), 'a.pdf'],
  ['a plain archive', zip(['run.exe', 'MZ']), 'a.zip'],
  ['an archive that calls itself a document', zip(['run.exe', 'MZ']), 'a.docx'],
  ['a document with macros', docx('application/vnd.ms-word.document.macroEnabled.main+xml'), 'a.docx'],
  ['a Java archive', zip(['META-INF/MANIFEST.MF', 'Main-Class: A']), 'a.docx'],
  ['a gzip stream', Buffer.from('H4sIAAAAAAAAA0vOSE0uAQCwfN4HBAAAAA==', 'base64'), 'a.txt'],
  ['noise', Buffer.concat([Buffer.from([1, 2, 3]), randomBytes(500)]), 'a.txt'],
  ['text that is not UTF-8', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), 'a.txt'],
  ['text with a zero byte', 'a\0b', 'a.txt'],
  ['text with an escape sequence', '\x1b[2J', 'a.txt'],
  ['a broken picture without its signature', PNG.subarray(1), 'a.png'],
  ['the signature of an archive and nothing else', 'PK\x03\x04', 'a.docx'],
];

describe('a hostile upload', () => {
  test.each(hostile)('is refused and leaves nothing: %s', async (_, content, name) => {
    upload = documents;
    expect(await post(part(content, name, 'image/png'))).toMatchObject({
      status: 415,
      code: 'unsupported_file_type',
      errors: { file: [expect.stringContaining('pdf')] },
    });
    expect(kept()).toEqual([]);
  });

  test('of a document is refused where only pictures are expected', async () => {
    upload = images;
    for (const content of [PDF, 'text']) expect((await post(part(content, 'a.png'))).status).toBe(415);
    expect((await post(part(PNG, 'a.png'))).status).toBe(201);
    rmSync(join(directory, workspace_id), { recursive: true });
  });

  test.each([
    ['../../../etc/passwd', 'passwd.png'],
    ['..\\..\\windows\\system.ini', 'system.ini.png'],
    ['C:\\evil\\a.png', 'a.png'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie_ x=1.png'],
    ['a"; filename="b.png', 'a__ filename=_b.png'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe.png'],
    ['a\0.png', 'a.png'],
    ['....', 'file.png'],
    ['<img src=x>.png', '_img src=x_.png'],
    ['%2e%2e%2fa.png', '_2e_2e_2fa.png'],
    [`${'ä'.repeat(300)}.png`, `${'ä'.repeat(120)}.png`],
    ['😀.png', '😀.png'],
  ])('cannot do harm by its name: %j', async (name, harmless) => {
    upload = images;
    const raw = Buffer.concat([
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="file"; filename="${name.replaceAll(/["\r\n]/g, encodeURIComponent)}"\r\n\r\n`,
      ),
      PNG,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await post(raw as unknown as string, headers);
    if (answer.status === 201) expect(answer.files[0]!.name).toBe(harmless);
    else expect(answer).toMatchObject({ status: 422 });
    rmSync(join(directory, workspace_id), { recursive: true, force: true });
    expect(kept()).toEqual([]);
  });

  test.each([
    ['nothing', () => new FormData(), 422, 'file'],
    ['an empty file', () => part('', 'a.txt'), 422, 'file'],
    ['a file in another field', () => other(PNG), 422, 'other'],
    ['two files where one is expected', () => twice(2), 422, 'file'],
    ['a file that is too large', () => part(randomBytes(100_001), 'a.pdf'), 413, 'file'],
    ['far too much', () => part(randomBytes(900_000), 'a.pdf'), 413, 'file'],
    ['too many fields', () => withFields(30), 422, 'file'],
    ['nested fields', () => withFields(1, 'a[b][c]'), 422, 'a[b][c]0'],
    ['a long field', () => withFields(1, 'a', 'x'.repeat(20_000)), 422, 'a0'],
    ['a field with a long name', () => withFields(1, 'x'.repeat(200)), 422, 'file'],
  ] as [string, () => FormData, number, string][])(
    'is refused, naming the field: %s',
    async (_, form, status, field) => {
      upload = documents;
      const answer = await post(form());
      expect({ status: answer.status, fields: Object.keys(answer.errors ?? {}) }).toEqual({ status, fields: [field] });
      expect(kept()).toEqual([]);
    },
  );

  test('of a thousand parts, or with no or a wrong boundary, is refused', async () => {
    upload = { ...documents, many: true };
    expect((await post(twice(1_000))).status).toBe(422);
    upload = documents;
    expect((await post('--x\r\n', { 'content-type': 'multipart/form-data' })).status).toBe(422);
    expect((await post('hello', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(422);
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post('--x\r\n\r\n\r\n--x--', { 'content-type': 'multipart/mixed; boundary=x' })).status).toBe(415);
    expect(kept()).toEqual([]);
  });

  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n` +
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf a file';

  test('that ends too soon is refused and leaves nothing', async () => {
    upload = documents;
    const body = head(0).split('\r\n\r\n').slice(1).join('\r\n\r\n');
    const answer = await post(body, { 'content-type': 'multipart/form-data; boundary=b' });
    expect(answer).toMatchObject({ status: 422, errors: { file: [expect.stringContaining('incomplete')] } });
    expect(kept()).toEqual([]);
  });

  test('whose sender goes away leaves nothing', async () => {
    upload = documents;
    lastError = undefined;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(head(50_000));
    await until('it lies in incoming', () => kept().length === 1);
    socket.destroy();
    await until('nothing is left', () => kept().length === 0 && lastError !== undefined);
    expect(lastError).toMatchObject({ status: 422 });
  });
});

test('what an interrupted process left behind is swept at the next start, and nothing younger', async () => {
  const incoming = join(directory, '.incoming');
  writeFileSync(join(incoming, 'old'), 'x');
  writeFileSync(join(incoming, 'new'), 'x');
  utimesSync(join(incoming, 'old'), 1, 1);
  openStorage(directory);
  await until('the old one is gone', () => !existsSync(join(incoming, 'old')));
  expect(readdirSync(incoming)).toEqual(['new']);
  rmSync(join(incoming, 'new'));
});

describe('a link', () => {
  const name = 'Grüße "an" (alle)*.txt';

  test('hands out its file as an attachment that nothing runs', async () => {
    const key = await storage.put(workspace_id, Buffer.from('content'));
    const response = await fetch(url + links.sign({ key, name, mime: 'text/plain' }, 60));
    expect(await response.text()).toBe('content');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="Gr__e _an_ (alle)_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22an%22%20%28alle%29%2a.txt`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    await storage.remove(key);
    expect((await fetch(url + links.sign({ key, name, mime: 'text/plain' }, 60))).status).toBe(404);
  });

  test('expires', () => {
    const token = links.sign({ key: 'a/b', name, mime: 'text/plain' }, 60);
    expect(links.open(token)).toEqual({ key: 'a/b', name, mime: 'text/plain' });
    const { now } = clock;
    clock.now = () => new Date(now().getTime() + 61_000);
    try {
      expect(() => links.open(token)).toThrow('This link has expired.');
    } finally {
      clock.now = now;
    }
  });

  test('cannot be forged, changed or made by another process', () => {
    const token = links.sign({ key: 'a/b', name, mime: 'text/plain' }, 60);
    const [text = '', signature = ''] = token.split('.');
    const other = fileLinks(keysOf('crm')['crm']!.private_key).sign({ key: 'a/b', name, mime: 'text/plain' }, 60);
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
    for (const forgery of forgeries) expect(() => links.open(forgery)).toThrow('This link has expired.');
  });

  test('cannot lead out of the storage', async () => {
    for (const key of ['../secret', '/etc/passwd', 'a/../../b', 'a', 'a/b/c', '.incoming/x', 'a/..']) {
      await expect(storage.open(key)).rejects.toThrow();
      expect(() => storage.read(key)).toThrow();
    }
  });
});

function other(content: Uint8Array): FormData {
  const form = new FormData();
  form.append('other', new File([content as unknown as string], 'a.png'));
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
