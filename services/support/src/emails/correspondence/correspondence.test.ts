import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bodyOf } from './body.ts';
import { bouncedId, kindOf } from './classification.ts';
import { readMail } from './message.ts';
import { newMessageId, numberIn, referencesTo, requesterOf, threadAddresses } from './thread.ts';

const workspace_id = randomUUID();
const HEAD = [
  'From: Ada Lovelace <Ada@Example.com>',
  'To: help@suite.test',
  'Subject: The printer',
  'Message-ID: <1@example.com>',
];

/** Returns a message with header fields and a body. */
const mail = (body: string, more: readonly string[] = [], head: readonly string[] = HEAD): Buffer =>
  Buffer.from([...head, ...more, '', body].join('\r\n'));
const kind = async (more: readonly string[], isOurs = false) =>
  kindOf(await readMail(mail('Hello', more)), { workspace_id, isOwn: isOurs });

/** Returns a multipart message with the given parts. */
const multipart = (parts: readonly string[], type = 'mixed'): Buffer =>
  mail(parts.map((part) => `--b\r\n${part}`).join('\r\n') + '\r\n--b--', [
    'MIME-Version: 1.0',
    `Content-Type: multipart/${type}; boundary=b`,
  ]);
const attachment = (name: string, content = 'x') =>
  `Content-Type: text/plain; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}`;

describe('an e-mail', () => {
  test('returns its sender, recipients, references and text', async () => {
    const read = await readMail(
      mail('It is on fire.\r\n', [
        'Cc: Bob <bob@example.com>, help@suite.test',
        'In-Reply-To: <c@x>',
        'References: <a@x> <b@x> <c@x>',
        'Delivered-To: Help+t1@suite.test',
      ]),
    );
    expect(read).toMatchObject({
      message_id: '<1@example.com>',
      answers: ['<c@x>', '<b@x>', '<a@x>'],
      from: { name: 'Ada Lovelace', address: 'ada@example.com' },
      recipients: ['help@suite.test', 'bob@example.com', 'help@suite.test', 'help+t1@suite.test'],
      cc: [{ name: 'Bob', address: 'bob@example.com' }, { address: 'help@suite.test' }],
      subject: 'The printer',
    });
    expect(bodyOf(read)).toMatchObject({ body: 'It is on fire.', quoted: null, html: null, full_text: null });
  });

  test('is read correctly in other alphabets and encodings', async () => {
    const read = await readMail(
      mail(
        'R3LDvMOfZQ==',
        ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'],
        ['From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>', 'Subject: =?utf-8?b?5Y2w5Yi35py6?='],
      ),
    );
    expect(read).toMatchObject({
      from: { name: 'Jürgen' },
      subject: '印刷机',
      text: expect.stringContaining('Grüße'),
      message_id: null,
    });
  });

  test('is read as text if it is HTML only, without scripts or remote content', async () => {
    const html = '<p>Hello <b>you</b></p><script>alert(1)</script><img src="https://spy.test/1.gif">';
    const read = await readMail(mail(html, ['MIME-Version: 1.0', 'Content-Type: text/html']));
    const { body } = bodyOf(read);
    expect(body).toContain('Hello you');
    expect(body).not.toMatch(/alert|script/);
  });

  test('collapses quoted text without discarding it', async () => {
    const text =
      'It works now.\r\n\r\nOn Mon, Mar 2, 2026 at 9:00 AM Suite <help@suite.test> wrote:\r\n> Have you tried\r\n> to turn it off?\r\n';
    const { body, quoted } = bodyOf(await readMail(mail(text)));
    expect(body).toBe('It works now.');
    expect(quoted).toContain('Have you tried');
    const only = bodyOf(await readMail(mail('> All of it is quoted.\r\n')));
    expect(only).toMatchObject({ body: '> All of it is quoted.', quoted: null });
  });

  test('contains its attachments, including inline ones', async () => {
    const picture =
      'Content-Type: image/png\r\nContent-ID: <p>\r\nContent-Disposition: inline; filename="p.png"\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=';
    const { attachments } = await readMail(
      multipart(['Content-Type: text/plain\r\n\r\nSee', attachment('log.txt', 'lines'), picture]),
    );
    expect(attachments).toMatchObject([
      { name: 'log.txt', mime: 'text/plain', inline: false },
      { name: 'p.png', mime: 'image/png', inline: true },
    ]);
    expect(attachments[0]!.content.toString()).toBe('lines');
  });
});

describe('an e-mail that cannot be processed is rejected with a specific fault:', () => {
  const nested = (depth: number): string =>
    depth === 0
      ? 'Content-Type: text/plain\r\n\r\ndeep'
      : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested(depth - 1)}\r\n--b${depth}--`;
  const cases: [string, () => Buffer, string][] = [
    ['without a sender', () => mail('x', [], ['Subject: Hello']), 'mail_without_sender'],
    ['with an empty sender', () => mail('x', [], ['From: <>']), 'mail_without_sender'],
    ['with two senders', () => mail('x', [], ['From: a@x.test, b@x.test']), 'mail_without_sender'],
    [
      'with 101 attachments',
      () => multipart(Array.from({ length: 101 }, (_, at) => attachment(`${at}.txt`))),
      'too_many_attachments',
    ],
    [
      'with 500 parts',
      () => multipart(Array.from({ length: 500 }, () => 'Content-Type: text/plain\r\n\r\nx')),
      'unreadable_mail',
    ],
    [
      'with parts in 25 levels',
      () => mail(nested(25), ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b26']),
      'mail_without_sender',
    ],
    ['with a head of 300 KiB', () => mail('x', [`X-Long: ${'a'.repeat(300 * 1024)}`]), 'unreadable_mail'],
    [
      'with 20,000 header fields',
      () =>
        mail(
          'x',
          Array.from({ length: 20_000 }, (_, at) => `X-${at}: value of the field`),
        ),
      'unreadable_mail',
    ],
  ];
  test.each(cases)('%s', async (name, raw, code) => {
    const whole = name.includes('levels') ? Buffer.from(`From: a@x.test\r\nMIME-Version: 1.0\r\n${nested(25)}`) : raw();
    await expect(readMail(whole)).rejects.toMatchObject({
      status: 422,
      code: name.includes('levels') ? 'unreadable_mail' : code,
    });
  });

  test('noise returns 422 as an e-mail without a sender, never a server error', async () => {
    for (const noise of ['', '\0\0\0', '\r\n\r\n', 'From', '--\r\n--\r\n', '\xff\xfe'.repeat(1_000)]) {
      await expect(readMail(Buffer.from(noise, 'latin1'))).rejects.toMatchObject({ status: 422 });
    }
  });
});

describe('the sender of an e-mail', () => {
  test('is a person by default', async () => {
    for (const more of [
      [],
      ['Auto-Submitted: no'],
      ['Auto-Submitted: No (a human; really) ; x=y'],
      ['Auto-Submitted: (by (nested) hand) no'],
      ['Precedence: first-class'],
      ['X-Auto-Response-Suppress: DR, OOF, AutoReply'],
    ])
      expect(await kind(more)).toBe('personal');
  });
  test.each([
    ['Auto-Submitted: auto-replied', 'auto_reply'],
    ['Auto-Submitted: (no) auto-replied (no)', 'auto_reply'],
    ['Precedence: auto_reply', 'auto_reply'],
    ['X-Autoreply: yes', 'auto_reply'],
    ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b', 'auto_reply'],
    ['Auto-Submitted: auto-generated; owner=x', 'automatic'],
    ['Return-Path: <>', 'automatic'],
    ['Precedence: bulk', 'mailing_list'],
    ['List-Id: <news.example.com>', 'mailing_list'],
  ])('is a program or a list: %s', async (field, expected) => {
    expect(await kind([field])).toBe(expected);
  });
  test('is a server if it returns an e-mail, with the ID of the returned e-mail', async () => {
    expect(
      kindOf(await readMail(mail('Gone.\r\nMessage-ID: <1@suite.test>', ['Return-Path: <>'])), {
        workspace_id,
        isOwn: false,
      }),
    ).toBe('bounce');
    const report = multipart(
      [
        'Content-Type: text/plain\r\n\r\nIt did not arrive.',
        'Content-Type: message/delivery-status\r\n\r\nStatus: 5.1.1',
        'Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: <t-000001.r.ab@suite.test>\r\nSubject: Re',
      ],
      'report; report-type=delivery-status',
    );
    const read = await readMail(report);
    expect(kindOf(read, { workspace_id, isOwn: false })).toBe('bounce');
    expect(bouncedId(read)).toBe('<t-000001.r.ab@suite.test>');
  });
  test('is this workspace by ID or mark, but not another workspace', async () => {
    expect(await kind([], true)).toBe('loop');
    expect(await kind([`X-Suite-Loop: ${workspace_id}`])).toBe('loop');
    expect(await kind([`X-Suite-Loop: ${randomUUID()}`])).toBe('personal');
  });
  test('is addressed at Reply-To if it has the same domain, or the mailbox allows it', () => {
    const from = { name: 'Ada', address: 'ada@example.com' };
    expect(requesterOf({ from, reply_to: { name: '', address: 'team@example.com' } })).toEqual({
      name: 'Ada',
      address: 'team@example.com',
    });
    const form = { from, reply_to: { name: 'Eve', address: 'eve@evil.test' } };
    expect(requesterOf(form)).toEqual(from);
    expect(requesterOf(form, 'reply_to')).toEqual(form.reply_to);
    expect(requesterOf({ from, reply_to: null }, 'reply_to')).toEqual(from);
    expect(requesterOf({ from: { name: '', address: 'ada@example.com' }, reply_to: null })).toEqual({
      name: 'ada',
      address: 'ada@example.com',
    });
  });
});

describe('a conversation', () => {
  const addresses = threadAddresses(Buffer.from('secret'), workspace_id);
  const address = addresses.addressOf('help@suite.test', 'T-000123');

  test('is found by the issued address, in upper or lower case', () => {
    expect(address).toMatch(/^help\+t000123\.[\da-f]{20}@suite\.test$/);
    expect(addresses.read('help@suite.test', ['bob@x.test', address])).toEqual({ number: 'T-000123' });
    expect(addresses.read('help@suite.test', ['help@suite.test', 'help+news@suite.test'])).toBeUndefined();
  });
  test('is not found by a forged address, or by one of another workspace or mailbox', () => {
    const forged = address.replace('t000123', 't000124');
    expect(addresses.read('help@suite.test', [forged])).toBe('forged');
    for (const other of [
      threadAddresses(Buffer.from('secret'), randomUUID()),
      threadAddresses(Buffer.from('other'), workspace_id),
    ])
      expect(other.read('help@suite.test', [address])).toBe('forged');
    expect(addresses.read('sales@suite.test', [address])).toBeUndefined();
  });
  test('is found by the number in its subject', () => {
    expect(numberIn('AW: [T-000123] Printer')).toBe('T-000123');
    expect(numberIn('T-000123 Printer')).toBeUndefined();
  });
  test('is found by IDs that cannot be guessed, at most twenty per answer', () => {
    const [one, other] = [newMessageId('T-000001', 'r1', 'suite.test'), newMessageId('T-000001', 'r1', 'suite.test')];
    expect(one).toMatch(/^<t-000001\.r1\.[\da-f]{32}@suite\.test>$/);
    expect(one).not.toBe(other);
    const thread = Array.from({ length: 30 }, (_, at) => `<${at}@x>`);
    expect(referencesTo([...thread, '<29@x>'])).toEqual(['<0@x>', ...thread.slice(11)]);
  });
});
