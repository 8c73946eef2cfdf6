import { createServer } from 'node:http';
import { openScan } from '@suite/chassis/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSupport } from '../../../test/fixture.ts';
import { openMailbox, type TestMailbox } from '../../../test/mailboxes.ts';

const { serving, office: openOffice } = await openSupport();
const base = '/api/support-ticket';
const { storage } = serving.tools;
const { scan } = storage;

/** Fake scanner that rejects files with the EICAR test text, until its status is set. */
const scanner = { status: 0, log: { warn: () => undefined } };
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const isInfected = Buffer.concat(chunks).includes('EICAR');
    if (scanner.status !== 1) response.writeHead(scanner.status || (isInfected ? 406 : 200)).end();
  });
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const useScanner = (status = 0, url = `http://127.0.0.1:${port}/`) => {
  scanner.status = status;
  storage.scan = openScan({ url, timeout_ms: 500, on_failure: 'refuse' }, scanner.log);
};
afterEach(() => {
  storage.scan = scan;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let box: TestMailbox;
let client: Awaited<ReturnType<typeof openOffice>>['owner'];
let agent: typeof client;
beforeEach(async () => {
  const office = await openOffice();
  client = office.member({ kind: 'client', can: ['ticket.create', 'ticket.view', 'ticket.reply'] });
  agent = office.owner;
  box = await openMailbox(serving, office);
});

const store = (...files: [name: string, content: string | Uint8Array][]) => {
  const form = new FormData();
  form.set('subject', 'With a file');
  form.set('description', 'See the file.');
  for (const [name, content] of files) form.append('files', new Blob([content], { type: 'text/plain' }), name);
  return client.upload(`${base}/ticket/store`, form);
};
const count = async () => (await client.get(`${base}/tickets`)).body.meta.total;

/** Sends an e-mail with files, each encoded as e-mail programs do. */
const arriveWith = (...files: [name: string, content: string | Uint8Array][]) =>
  box.arrive({
    more: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=outer'],
    body: [
      '--outer\r\nContent-Type: text/plain\r\n\r\nSee the files.',
      ...files.map(
        ([name, content]) =>
          `--outer\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${Buffer.from(content).toString('base64')}`,
      ),
      '--outer--',
    ].join('\r\n'),
  });

const latin = Buffer.from('Straße;Größe', 'latin1');
const eml = 'From: a@x.test\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>';

describe('an attachment', () => {
  test('is stored from forms and e-mails, and sent as a download', async () => {
    const files: [string, string | Uint8Array, string][] = [
      ['sizes.csv', latin, 'text/csv'],
      ['forwarded.eml', eml, 'message/rfc822'],
      ['page.html', '<script>alert(1)</script>', 'text/html'],
      ['data.xml', '<?xml version="1.0"?><a/>', 'application/xml'],
    ];
    const sent = files.map(([name, content]) => [name, content] as [string, string | Uint8Array]);
    const storedFiles = files.map(([name, , mime]) => ({ name, mime }));
    const { body } = await store(...sent);
    expect(body.data.attachments).toMatchObject(storedFiles);
    for (const [at, [, content]] of files.entries()) {
      const response = await client.get(body.data.attachments[at].url);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(response.headers.get('content-type')).not.toMatch(/html|\/xml/);
      expect(Number(response.headers.get('content-length'))).toBe(Buffer.from(content).length);
    }
    const { ticket_id } = (await arriveWith(...sent)).body.data;
    expect(await box.show(ticket_id)).toMatchObject({ attachments: storedFiles, attachments_refused: [] });
  });

  test.each<[string, string, string | Uint8Array]>([
    ['a program under the name of a table', 'prices.csv', Buffer.from('MZ\u0090\0\u0003\0\0\0')],
    ['a script', 'setup.ps1', 'Remove-Item C:\\'],
    ['a drawing under the name of a text', 'drawing.txt', '<svg onload="alert(1)"/>'],
  ])('is rejected if it is %s', async (_, name, content) => {
    expect(await store([name, content])).toMatchObject({ status: 415, body: { code: 'unsupported_file_type' } });
    expect(await count()).toBe(0);
    const { attachments_refused } = (await arriveWith([name, content])).body.data;
    expect(attachments_refused).toEqual([{ name, reason: 'type' }]);
  });

  test('prevents a ticket if the scanner rejects it, and is removed from an e-mail', async () => {
    useScanner();
    const infected: [string, string] = ['a.txt', 'X5O!P%@AP EICAR'];
    expect(await store(['b.txt', 'fine'], infected)).toMatchObject({
      status: 422,
      body: { code: 'file_refused_by_scan' },
    });
    expect(await count()).toBe(0);
    const { ticket_id, attachments_refused } = (await arriveWith(infected, ['b.txt', 'fine'])).body.data;
    expect(attachments_refused).toEqual([{ name: 'a.txt', reason: 'scan' }]);
    expect((await box.show(ticket_id)).attachments).toMatchObject([{ name: 'b.txt' }]);
  });

  test('is rejected while the scanner fails, and its e-mail is accepted later', async () => {
    for (const [status, url] of [[500], [1], [0, 'http://127.0.0.1:1/']] as [number, string?][]) {
      useScanner(status, url);
      expect(await store(['a.txt', 'fine'])).toMatchObject({ status: 503, body: { code: 'file_scan_unavailable' } });
      expect((await arriveWith(['a.txt', 'fine'])).status).toBe(503);
    }
    expect(await count()).toBe(0);
    useScanner();
    expect((await arriveWith(['a.txt', 'fine'])).body.data).toMatchObject({
      outcome: 'created',
      attachments_refused: [],
    });
  });

  test('is optional: a request without files needs no scanner', async () => {
    useScanner(500);
    expect((await store()).status).toBe(201);
  });
});

test('an original e-mail is not sent if the scanner rejects it or fails', async () => {
  const { ticket_id } = (await box.arrive({ body: 'An EICAR text.' })).body.data;
  const [email] = (await agent.get(`${base}/emails?ticket_id=${ticket_id}`)).body.data;
  const original = () => agent.get(`${base}/email/original/${email.id}`);
  expect((await original()).status).toBe(200);
  useScanner();
  expect(await original()).toMatchObject({ status: 422, body: { code: 'file_refused_by_scan' } });
  useScanner(500);
  expect(await original()).toMatchObject({ status: 503, body: { code: 'file_scan_unavailable' } });
});
