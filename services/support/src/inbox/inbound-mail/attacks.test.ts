import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { type Office, openSupport } from '../../../test/fixture.ts';

const { serving, office: openOffice, violations } = await openSupport();
const base = '/api/support-ticket';
let office: Office;
let token: string;
let address: string;
beforeEach(async () => {
  office = await openOffice();
  address = `help-${randomUUID()}@suite.test`;
  const box = { address, name: 'Help', from_name: 'Help' };
  token = (await office.owner.post(`${base}/mailbox/store`, box)).body.data.token;
});

const submit = (message: string | Uint8Array) =>
  serving.anonymous.send('POST', `${base}/inbound`, message, { 'content-type': 'message/rfc822', 'x-bearer': token });
/** Returns the lines of an e-mail from Ada, with additional header fields. */
const mail = (body: string, ...more: string[]) =>
  ['From: Ada <ada@example.com>', `To: ${address}`, 'Subject: Help', ...more, '', body].join('\r\n');
const show = async (id: string) => (await office.owner.get(`${base}/ticket/show/${id}`)).body.data;
const multipart = (type: string, parts: readonly string[], boundary = 'b') =>
  mail(
    `${parts.map((part) => `--${boundary}\r\n${part}`).join('\r\n')}\r\n--${boundary}--`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/${type}; boundary=${boundary}`,
  );

/** Returns nested messages. */
const nested = (depth: number): string =>
  depth === 0
    ? 'Content-Type: text/plain\r\n\r\nDeep.'
    : `Content-Type: message/rfc822\r\n\r\nSubject: ${depth}\r\n${nested(depth - 1)}`;

const HOSTILE: [string, () => string | Uint8Array][] = [
  [
    'zeros in its head',
    () => mail('Hello', 'Message-ID: <a\0b@x>', 'In-Reply-To: <c\0d@x>', 'Cc: B\0ob <b\0ob@x.test>'),
  ],
  ['zeros in its body', () => mail('He\0llo', 'Content-Type: text/plain')],
  ['zeros in its HTML', () => mail('<p>He\0llo&#0;</p>', 'Content-Type: text/html')],
  [
    'zeros in the name of a file',
    () =>
      multipart('mixed', [
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a\0b.txt"\r\n\r\nHi',
      ]),
  ],
  [
    'a name of a file that climbs',
    () =>
      multipart('mixed', [
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="../../etc/passwd.txt"\r\n\r\nHi',
      ]),
  ],
  [
    'half a sign',
    () =>
      mail(
        '=ED=A0=80',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        'Subject: =?utf-16?b?2AA=?=',
      ),
  ],
  ['an unknown charset', () => mail('Hello', 'Content-Type: text/plain; charset=x-none')],
  ['a charset that shifts', () => mail('+ADw-script+AD4-alert(1)', 'Content-Type: text/plain; charset=utf-7')],
  ['a charset of a megabyte', () => mail('Hello', `Content-Type: text/plain; charset=${'x'.repeat(100_000)}`)],
  ['a line of spaces', () => mail(`${' '.repeat(2_000_000)}x`)],
  ['lines of quotation marks', () => mail(`${'>'.repeat(100_000)}\r\n`.repeat(20))],
  ['words that look like a quotation', () => mail('On Mon, Ada wrote '.repeat(50_000))],
  ['lines of signatures', () => mail('-- \r\n__\r\n'.repeat(100_000))],
  ['lines without words', () => mail(`a${'\n'.repeat(100_000)}b`)],
  ['the beginning of many quotations', () => mail('On '.repeat(60_000))],
  ['cells without an end', () => mail('<td>'.repeat(400_000), 'Content-Type: text/html')],
  ['comments without an end', () => mail('x', `Auto-Submitted: ${'('.repeat(100_000)}`)],
  ['open elements without an end', () => mail('<b>'.repeat(160_000), 'Content-Type: text/html')],
  ['deep HTML', () => mail(`${'<div>'.repeat(200_000)}x`, 'Content-Type: text/html')],
  ['HTML of tables', () => mail(`${'<table><tr><td>'.repeat(50_000)}x`, 'Content-Type: text/html')],
  [
    'messages in messages',
    () => mail(nested(50).split('\r\n\r\n').slice(1).join('\r\n\r\n'), 'Content-Type: message/rfc822'),
  ],
  ['no end of its parts', () => multipart('mixed', ['Content-Type: text/plain\r\n\r\nHi']).replace('--b--', '')],
  ['an empty boundary', () => multipart('mixed', ['\r\nHi'], '""')],
  ['no words', () => mail('')],
  [
    'a thousand ids',
    () => mail('Hello', `References: ${Array.from({ length: 1_000 }, () => `<${randomUUID()}@x>`).join(' ')}`),
  ],
  ['a calendar that is none', () => mail('BEGIN:VCALENDAR', 'Content-Type: text/calendar; method=REQUEST')],
  [
    'compressed rich text',
    () =>
      multipart('mixed', [
        'Content-Type: application/ms-tnef\r\nContent-Disposition: attachment; filename=winmail.dat\r\n\r\nx',
      ]),
  ],
];

test.each(HOSTILE)('an e-mail with %s is processed or stored as failed, without an error', async (_, message) => {
  const reply = await submit(message());
  expect([201, 422]).toContain(reply.status);
  const { parked_id } = reply.body.details ?? {};
  expect(typeof parked_id).toBe(reply.status === 422 ? 'string' : 'undefined');
  const ticket = parked_id ? undefined : await show(reply.body.data.ticket_id);
  // Plain text is shown as text, including markup.
  expect(String(JSON.stringify({ ...ticket, description: '' }))).not.toMatch(/\\u0000|<script|\.\.\//);
  expect(ticket?.description ?? '').not.toContain('\0');
  expect(await violations(office)).toEqual([]);
  expect((await submit(mail('Still there?', `Message-ID: <${randomUUID()}@x>`))).status).toBe(201);
});

test('an e-mail adds no header field to the e-mails that answer it', async () => {
  const reply = await submit(
    mail('Hello', 'Subject: =?utf-8?q?Help=0D=0ABcc:=20all@evil.test?=', 'Message-ID: <x\r\n Bcc: all@evil.test>'),
  );
  const rows = await serving.sql`SELECT subject, "to", cc FROM mails WHERE ticket_id = ${reply.body.data.ticket_id}`;
  expect(rows).toEqual([{ subject: expect.not.stringMatching(/[\r\n]/), to: 'ada@example.com', cc: [] }]);
});
