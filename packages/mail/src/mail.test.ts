import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { openMailer, subjectLine } from './mail.ts';

const directory = mkdtempSync(join(tmpdir(), 'suite-mail-'));
const now = () => new Date('2026-03-02T09:30:00Z');
const mailer = openMailer({ directory: join(directory, 'mail'), from: 'Suite <suite@example.com>', now });
const files = () => readdirSync(join(directory, 'mail'));

afterAll(() => rmSync(directory, { recursive: true }));

test('stores an e-mail as a file named by time and recipient without an SMTP server', async () => {
  await mailer.send({
    to: 'Ada <ada@example.com>',
    subject: 'Grüße',
    text: 'Hallo Ada',
    html: '<p>Hallo</p>',
    message_id: '<1@suite>',
  });
  const [name = ''] = files();
  expect(name).toMatch(/^2026-03-02T09-30-00\.000Z Ada_ada@example.com_ \w{8}\.eml$/);
  const text = readFileSync(join(directory, 'mail', name), 'utf8');
  expect(text).toContain('From: Suite <suite@example.com>');
  expect(text).toContain('To: Ada <ada@example.com>');
  expect(text).toContain('Message-ID: <1@suite>');
  expect(text).toContain('Hallo Ada');
});

test('adds the headers of the conversation, the replies and automatic messages', async () => {
  await mailer.send({
    from: 'Help <help@example.com>',
    to: 'bob@example.com',
    subject: 'Re: Printer',
    text: 'Done.',
    reply_to: 'help+t000001.ab@example.com',
    in_reply_to: '<2@x>',
    references: ['<1@x>', '<2@x>'],
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Loop': 'a\r\nBcc: all@example.com' },
  });
  const name = files().find((each) => each.includes('bob@'))!;
  const text = readFileSync(join(directory, 'mail', name), 'utf8');
  for (const line of [
    'From: Help <help@example.com>',
    'Reply-To: help+t000001.ab@example.com',
    'In-Reply-To: <2@x>',
    'References: <1@x> <2@x>',
    'Auto-Submitted: auto-replied',
  ])
    expect(text).toContain(line);
  expect(text).not.toMatch(/^Bcc:/m);
});

test('line breaks in header values add no headers', async () => {
  await mailer.send({
    from: '"Help\r\nBcc: a@evil.test" <help@example.com>',
    to: 'carol@example.com\r\nBcc: b@evil.test',
    cc: 'Dan\nBcc: c@evil.test <dan@example.com>',
    subject: 'Hi\r\nBcc: d@evil.test',
    reply_to: 'help@example.com\r\nBcc: e@evil.test',
    text: 'Hello',
  });
  const name = files().find((each) => each.includes('carol@'))!;
  expect(readFileSync(join(directory, 'mail', name), 'utf8')).not.toMatch(/^Bcc:/m);
});

test('truncates a subject at a whole character', () => {
  expect(subjectLine(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
});

test('limits a subject to one line of bounded length', () => {
  expect(subjectLine('A\r\nBcc: all@example.com\u2028\u2029and\tso on')).toBe('A Bcc: all@example.com and so on');
  expect(subjectLine('Grüße aus Köln')).toBe('Grüße aus Köln');
  expect(subjectLine('x'.repeat(1_000))).toHaveLength(200);
});

test('can be read by its owner only, in a folder that is closed again', async () => {
  const folder = join(directory, 'closed');
  await openMailer({ directory: folder, from: 'suite@example.com', now }).send({
    to: 'a@b.example',
    subject: '',
    text: '',
  });
  const modes = () => [folder, join(folder, readdirSync(folder)[0]!)].map((path) => statSync(path).mode & 0o777);
  expect(modes()).toEqual([0o700, 0o600]);
  chmodSync(folder, 0o755);
  openMailer({ directory: folder, from: 'suite@example.com', now });
  expect(modes()).toEqual([0o700, 0o600]);
});

test('throws an error with reason and directory if it cannot be stored', async () => {
  const taken = join(directory, 'taken');
  const lost = openMailer({ directory: taken, from: 'suite@example.com', now });
  writeFileSync(taken, '');
  const refused = await lost.send({ to: 'a@b.example', subject: '', text: '' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringContaining('could not be stored'), directory: taken });
});

test('addresses and subjects cannot leave the directory or add headers', async () => {
  const before = files().length;
  await mailer.send({ to: '../../x/"y"@example.com', subject: 'a\r\nBcc: all@example.com', text: '' });
  expect(files().length).toBe(before + 1);
  expect(files().some((name) => name.includes('/'))).toBe(false);
  const texts = files().map((name) => readFileSync(join(directory, 'mail', name), 'utf8'));
  expect(texts.some((text) => /^Bcc:/m.test(text))).toBe(false);
});

test('sends an e-mail to the SMTP server, and throws if it is rejected', async () => {
  let heard = '';
  let refuses = false;
  const server = createServer((socket) => {
    let inMail = false;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      heard += chunk;
      const text = chunk.toString();
      if (inMail) {
        if (!heard.endsWith('\r\n.\r\n')) return;
        inMail = false;
        socket.write('250 taken\r\n');
      } else if (text.startsWith('DATA')) {
        inMail = true;
        socket.write('354 go on\r\n');
      } else if (text.startsWith('RCPT')) socket.write(refuses ? '550 unknown\r\n' : '250 ok\r\n');
      else socket.write(text.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const sender = openMailer({ smtp_url: `smtp://127.0.0.1:${port}`, directory, from: 'suite@example.com', now });
  await sender.send({ to: 'ada@example.com', cc: 'bob@example.com', subject: 'Hello', text: 'By wire.' });
  expect(heard).toContain('RCPT TO:<ada@example.com>');
  expect(heard).toContain('RCPT TO:<bob@example.com>');
  expect(heard).toContain('By wire.');
  refuses = true;
  await expect(sender.send({ to: 'nobody@example.com', subject: 'Hello', text: '' })).rejects.toThrow();
  server.close();
});
