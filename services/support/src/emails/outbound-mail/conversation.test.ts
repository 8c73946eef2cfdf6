import { randomUUID } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openMailer } from '@suite/mail';
import { SMTPServer } from 'smtp-server';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { readMail } from '../correspondence/message.ts';
import { deliverMail } from './mail-delivery.ts';

const { serving, office: openOffice } = await openSupport();
const outbox: Buffer[] = [];
/** Real SMTP server that stores received messages. */
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      outbox.push(Buffer.concat(chunks));
      done();
    });
  },
});
let smtp_url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  smtp_url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

let office: Office;
let token: string;
let address: string;
beforeEach(async () => {
  office = await openOffice();
  outbox.length = 0;
  address = `help-${randomUUID()}@northwind.test`;
  const input = { address, name: 'Help', from_name: 'Northwind "Help"', signature: 'Your Northwind team' };
  const owner = office.member({ can: ['workspace.update'] });
  token = (await owner.post('/api/support-ticket/mailbox/store', input)).body.data.token;
  await serving.sql`UPDATE mailboxes SET address_verified_at = now() WHERE address = ${address}`;
});

const submit = (lines: readonly string[]) =>
  serving.anonymous.send('POST', '/api/support-ticket/inbound', lines.join('\r\n'), {
    'content-type': 'message/rfc822',
    'x-bearer': token,
  });
/** Delivers queued e-mails, as the schedule does. */
async function deliver() {
  const mailer = openMailer({ smtp_url, directory: '/nowhere', from: 'suite@localhost', now: () => new Date() });
  const { database, log } = serving as never as { database: never; log: { warn(): void } };
  const { storage } = serving.tools;
  const config = { PUBLIC_URL: 'https://suite.test', MAIL_FROM: 'suite@localhost' } as never;
  await deliverMail({
    database,
    mailer,
    config,
    storage,
    rpc: serving.tools.rpc as never,
    log: (log ?? { warn() {} }) as never,
  });
  return await Promise.all(outbox.map((raw) => readMail(raw)));
}

test('assigns replies of an e-mail conversation by their address alone', async () => {
  const received = await submit([
    'From: Ada <ada@example.com>',
    `To: ${address}`,
    'Subject: Printer',
    'Message-ID: <q@example.com>',
    '',
    'On fire.',
  ]);
  const { ticket_id } = received.body.data;
  const agent = office.member({ name: 'Grace' });
  await agent.post(`/api/support-ticket/ticket/note/store/${ticket_id}`, { body: 'A secret note' });
  await agent.post(`/api/support-ticket/ticket/add-reply/${ticket_id}`, { body: 'Which one?', status: 'pending' });
  const mails = await deliver();
  expect(mails).toHaveLength(2);
  const acknowledgement = mails.find(({ head }) => head.has('auto-submitted'))!;
  const answer = mails.find(({ head }) => !head.has('auto-submitted'))!;
  expect(acknowledgement.text).toContain('https://suite.test/api/support-ticket/public/');
  expect(answer).toMatchObject({
    from: { name: 'Northwind Help', address },
    subject: '[T-000001] Printer',
    answers: expect.arrayContaining(['<q@example.com>']),
    reply_to: { address: expect.stringMatching(/^help-[\w-]+\+t000001\.[\da-f]{20}@northwind\.test$/) },
  });
  expect(answer.text).toContain('Which one?');
  expect(answer.text).toContain('Your Northwind team');
  expect(answer.head.get('x-suite-loop')).toBe(office.workspace);
  for (const sent of outbox) expect(sent.toString()).not.toContain('secret note');
  const back = await submit([
    'From: Ada <ada@example.com>',
    `To: ${answer.reply_to!.address}`,
    'Subject: something else',
    'Message-ID: <a@example.com>',
    '',
    'The red one.',
  ]);
  expect(back.body.data).toMatchObject({ outcome: 'replied', ticket_id });
  const shown = (await agent.get(`/api/support-ticket/ticket/show/${ticket_id}`)).body.data;
  expect(shown).toMatchObject({ status: 'open', thread: [{ delivery: 'sent' }, { body: 'The red one.' }] });
});

test('sends a reply with its files', async () => {
  const received = await submit(['From: ada@example.com', 'Subject: Printer', '', 'On fire.']);
  const form = new FormData();
  form.set('body', 'See the manual.');
  form.append('files', new Blob(['Page one'], { type: 'text/plain' }), 'manual.txt');
  const path = `/api/support-ticket/ticket/add-reply/${received.body.data.ticket_id}`;
  expect((await office.member({}).upload(path, form)).status).toBe(201);
  const answer = (await deliver()).find(({ head }) => !head.has('auto-submitted'))!;
  expect(answer.attachments).toMatchObject([
    { name: 'manual.txt', mime: 'text/plain', content: Buffer.from('Page one') },
  ]);
  expect(answer.text).not.toContain('Too large');
});

test('returned own e-mails create no ticket, and the reply shows a bounce', async () => {
  const received = await submit([
    'From: ada@example.com',
    'Subject: Printer',
    'Message-ID: <q2@example.com>',
    '',
    'On fire.',
  ]);
  const { ticket_id } = received.body.data;
  const agent = office.member({});
  const assignee_id = office.hire({ name: 'Mia', email: 'mia@northwind.test' });
  await agent.post(`/api/support-ticket/ticket/update/${ticket_id}`, { assignee_id });
  await deliver();
  outbox.length = 0;
  await agent.post(`/api/support-ticket/ticket/add-reply/${ticket_id}`, { body: 'Which one?' });
  const answer = (await deliver()).find(({ head }) => !head.has('auto-submitted'))!;
  const echo = outbox.find((sent) => sent.toString().includes('Which one?'))!;
  expect((await submit(echo.toString().split('\r\n'))).body.data).toMatchObject({ outcome: 'ignored', reason: 'loop' });
  const bounce = await submit([
    'From: mailer-daemon@example.com',
    'Subject: Undelivered',
    'Message-ID: <b@example.com>',
    'Return-Path: <>',
    '',
    `Message-ID: ${answer.message_id}`,
  ]);
  expect(bounce.body.data).toMatchObject({ outcome: 'ignored', reason: 'bounce' });
  const shown = (await agent.get(`/api/support-ticket/ticket/show/${ticket_id}`)).body.data;
  expect(shown.thread).toMatchObject([{ delivery: 'bounced' }]);
  outbox.length = 0;
  const [notice, ...others] = await deliver();
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    recipients: ['mia@northwind.test'],
    text: expect.stringContaining('ada@example.com'),
  });
  expect(notice!.head.get('auto-submitted')).toBe('auto-replied');
});
