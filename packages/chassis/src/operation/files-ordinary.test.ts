import { createServer, type Server } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { documents, fileServer, formWithFile, PNG, WORD, zip } from '../../test/file-fixture.ts';
import { openScan } from '../files/file-scan.ts';
import { decodeText } from '../files/text-content.ts';
import { FileRefusedByScan } from '../runtime/fault.ts';

let served: Awaited<ReturnType<typeof fileServer>>;
beforeAll(async () => {
  served = await fileServer();
  served.state.upload = documents;
});
afterAll(() => served.close());
afterEach(() => {
  served.storage.scan = () => Promise.resolve();
});

const COMPOUND = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(1_000)]);
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
/** Creates an archive whose first entry declares its unpacked size. */
const packed = (name: string, content: Buffer): Buffer => {
  const data = deflateRawSync(content);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), data]);
};

const ordinary: [string, Uint8Array | string, string, string][] = [
  ['a table in Windows-1252', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x3b, 0x31]), 'a.csv', 'text/csv'],
  ['a text in UTF-16', utf16('Grüße'), 'a.txt', 'text/plain'],
  ['a text in UTF-16, high byte first', utf16('Grüße').swap16(), 'a.txt', 'text/plain'],
  ['a page in UTF-16', utf16('<?xml version="1.0"?><html/>'), 'a.html', 'text/html'],
  ['a text in Shift JIS', Buffer.from('82b182f182c982bf82cd', 'hex'), 'a.txt', 'text/plain'],
  ['a text in KOI8-R', Buffer.from('f0d2c9d7c5d4', 'hex'), 'a.csv', 'text/csv'],
  ['a text in ISO-2022-JP', Buffer.from('1b2442243324731b2842', 'hex'), 'a.txt', 'text/plain'],
  ['a table that begins like an image', 'GIF;3\nBMW;4', 'a.csv', 'text/csv'],
  ['a text that begins like a program', 'MZ Straße 1', 'a.txt', 'text/plain'],
  ['a log with markup and escape codes', '\u001b[31m<html> not found\u001b[0m', 'a.log', 'text/plain'],
  ['a page', '<!DOCTYPE html><script>alert(1)</script>', 'a.html', 'text/html'],
  ['XML', '<?xml version="1.0"?><a/>', 'a.xml', 'application/xml'],
  ['a page with a drawing', '<!DOCTYPE html><p><svg><path/></svg>', 'a.htm', 'text/html'],
  ['JSON with tags', '{"a":"<b>"}', 'a.json', 'application/json'],
  ['an e-mail with HTML', 'From: a@x.test\r\nContent-Type: text/html\r\n\r\n<p>Hi', 'a.eml', 'message/rfc822'],
  [
    'an e-mail with an attached page',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<svg/>\r\n--b--',
    'a.eml',
    'message/rfc822',
  ],
  ['an invitation', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'invite.ics', 'text/calendar'],
  ['a calendar in UTF-16', utf16('BEGIN:VCALENDAR\r\nEND:VCALENDAR'), 'a.ics', 'text/calendar'],
  ['an archive', zip(['a.txt', 'x']), 'a.zip', 'application/zip'],
  [
    'an archive that would unpack to 20 MiB',
    packed('[Content_Types].xml', Buffer.alloc(20_971_520)),
    'a.zip',
    'application/zip',
  ],
  ['a Word document with a password', COMPOUND, 'a.docx', WORD],
  ['an old Word document', COMPOUND, 'a.doc', 'application/msword'],
  ['an old Excel table', COMPOUND, 'a.xls', 'application/vnd.ms-excel'],
  ['winmail.dat', Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0]), 'winmail.dat', 'application/ms-tnef'],
  ['a text without an ending', 'Read me', 'README', 'text/plain'],
];

describe('an ordinary file', () => {
  test.each(ordinary)('is stored and sent as a download only: %s', async (_, content, name, mime) => {
    const { files } = await served.post(formWithFile(content, name));
    expect(files).toMatchObject([{ name: name.includes('.') ? name : `${name}.txt`, mime }]);
    const response = await fetch(served.url + served.links.sign(files[0]!));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content as string));
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(response.headers.get('content-type')).not.toMatch(/html|\/xml/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    await served.storage.remove(files[0]!.key);
  });
});

test.each([
  ['UTF-8', Buffer.from('\ufeffGrüße')],
  ['UTF-16', utf16('Grüße')],
  ['UTF-16 with the high byte first', utf16('Grüße').swap16()],
  ['Windows-1252', Buffer.from('Grüße', 'latin1')],
])('decodes the text of a file in %s', (_, bytes) => {
  expect(decodeText(bytes)).toBe('Grüße');
});

describe('the scan hook', () => {
  let scanner: Server;
  let answer = 200;
  const received: string[] = [];
  let url = '';
  beforeAll(async () => {
    scanner = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push(Buffer.concat(chunks).toString('latin1'));
        if (answer !== 0) response.writeHead(answer).end();
      });
    });
    await new Promise<void>((resolve) => scanner.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(scanner.address() as { port: number }).port}/scan`;
  });
  afterAll(() => {
    scanner.closeAllConnections();
    scanner.close();
  });
  const warnings: unknown[] = [];
  const log = { warn: (line: unknown) => void warnings.push(line) };
  const settings = { timeout_ms: 500, on_failure: 'refuse' as const };

  test('receives each file, and prevents storage of rejected files', async () => {
    served.storage.scan = openScan({ ...settings, url }, log);
    answer = 204;
    const { files } = await served.post(formWithFile(PNG, 'a.png'));
    expect(received.at(-1)).toBe(Buffer.from(PNG).toString('latin1'));
    await served.storage.remove(files[0]!.key);
    answer = 422;
    expect(await served.post(formWithFile(PNG, 'a.png'))).toMatchObject({ status: 422, code: 'file_refused_by_scan' });
    expect(served.kept()).toEqual([]);
  });

  test('scans no rejected file types, and does not open archives', async () => {
    served.storage.scan = openScan({ ...settings, url }, log);
    answer = 200;
    received.length = 0;
    expect((await served.post(formWithFile('MZ\0', 'a.exe'))).status).toBe(415);
    const archive = packed('a.txt', Buffer.alloc(1_000_000));
    const { files } = await served.post(formWithFile(archive, 'a.zip'));
    expect(received).toEqual([archive.toString('latin1')]);
    await served.storage.remove(files[0]!.key);
  });

  test.each([500, 302, 0])('rejects or accepts files, as configured, if it returns %s', async (status) => {
    answer = status;
    served.storage.scan = openScan({ ...settings, url }, log);
    expect(await served.post(formWithFile(PNG, 'a.png'))).toMatchObject({ status: 503, code: 'file_scan_unavailable' });
    served.storage.scan = openScan({ ...settings, url, on_failure: 'accept' }, log);
    const { files } = await served.post(formWithFile(PNG, 'a.png'));
    await served.storage.remove(files[0]!.key);
    expect(served.kept()).toEqual([]);
    expect(warnings.splice(0)).toHaveLength(2);
  });

  test('rejects files and reports the reason if it is unavailable', async () => {
    served.storage.scan = openScan({ ...settings, url: 'http://127.0.0.1:1/scan' }, log);
    expect(await served.post(formWithFile(PNG, 'a.png'))).toMatchObject({ status: 503, code: 'file_scan_unavailable' });
    expect(warnings.splice(0)).toEqual([{ outcome: expect.any(Error), on_failure: 'refuse' }]);
    expect(served.kept()).toEqual([]);
  });

  test('prevents storage of all files if it rejects one of several', async () => {
    let scanned = 0;
    served.storage.scan = async () => {
      scanned += 1;
      if (scanned === 2) throw FileRefusedByScan();
    };
    served.state.upload = { ...documents, many: true };
    const form = formWithFile(PNG, 'a.png');
    form.append('file', new File(['text'], 'b.txt'));
    form.append('file', new File(['text'], 'c.txt'));
    expect((await served.post(form)).status).toBe(422);
    expect({ scanned, kept: served.kept() }).toEqual({ scanned: 3, kept: [] });
  });
});
