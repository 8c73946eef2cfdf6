import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { bodyOf } from '../../emails/correspondence/body.ts';
import { readMail } from '../../emails/correspondence/message.ts';

/** Sample text in each charset. */
const CHARSETS: Readonly<Record<string, string>> = {
  'us-ascii': 'Printer broken',
  'utf-8': 'Drucker käputt 印刷机 😀',
  'iso-8859-1': 'Drucker käputt',
  'iso-8859-2': 'Zlomená tiskárna',
  'iso-8859-15': 'Prix 10 €',
  'windows-1251': 'Принтер сломан',
  'koi8-r': 'Принтер сломан',
  shift_jis: 'プリンター故障',
  'euc-kr': '프린터 고장',
  gb2312: '打印机坏了',
  big5: '印表機壞了',
  'utf-16le': 'Drucker käputt',
  'utf-16be': 'Drucker käputt',
  'utf-16': 'Drucker käputt',
  cp850: 'Drucker käputt',
  'utf-7': 'Drucker käputt',
};
const isWide = (charset: string) => charset.startsWith('utf-16');
const ENCODINGS = ['8bit', 'base64', 'quoted-printable'] as const;

function encode(bytes: Buffer, encoding: (typeof ENCODINGS)[number]): string {
  if (encoding === 'base64') return bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  if (encoding === '8bit') return bytes.toString('latin1');
  return [...bytes]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
    .replaceAll(/(?:=..){24}/g, '$&=\r\n');
}

/** Returns a text part. */
function part(
  type: 'plain' | 'html',
  textPart: string,
  charset = 'utf-8',
  encoding: (typeof ENCODINGS)[number] = 'base64',
): string {
  const text =
    type === 'html' ? `<html><body><p>${textPart}</p><p>second line</p></body></html>` : `${textPart}\r\nsecond line`;
  const named = charset === 'us-ascii' ? 'utf-8' : charset === 'utf-16' ? 'utf-16le' : charset;
  return `Content-Type: text/${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encode(iconv.encode(text, named), encoding)}`;
}

let boundaries = 0;
/** Returns a multipart with these parts. */
function multipart(type: string, ...parts: string[]): string {
  const boundary = `b${(boundaries += 1)}`;
  const body = parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('');
  return `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

const HEAD = 'From: Ada <ada@example.com>\r\nTo: help@suite.test\r\nMIME-Version: 1.0\r\n';
const read = async (content: string, head = 'Subject: Printer\r\n') => {
  const mail = await readMail(Buffer.from(`${HEAD}${head}${content}`, 'latin1'));
  return { ...mail, ...bodyOf(mail) };
};

const picture =
  'Content-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Disposition: inline; filename=logo.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=';
const file = 'Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF';
const invitation = 'Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR';

/** Nesting of the text in e-mail programs, with the names of the attached files. */
const SHAPES: readonly [string, (textPart: string) => string, string[]][] = [
  ['words alone', (textPart) => textPart, []],
  ['words and an image in related', (textPart) => multipart('related', textPart, picture), ['logo.png']],
  ['words and a file in mixed', (textPart) => multipart('mixed', textPart, file), ['a.pdf']],
  ['words after a file', (textPart) => multipart('mixed', file, textPart), ['a.pdf']],
  ['words in alternative', (textPart) => multipart('alternative', textPart), []],
  [
    'words in a signed message',
    (textPart) => multipart('signed', textPart, 'Content-Type: application/pgp-signature\r\n\r\nx'),
    ['signature.asc'],
  ],
  [
    'words in related in mixed',
    (textPart) => multipart('mixed', multipart('related', textPart, picture), file),
    ['logo.png', 'a.pdf'],
  ],
  [
    'words in related in alternative in mixed',
    (textPart) => multipart('mixed', multipart('alternative', multipart('related', textPart, picture)), file),
    ['logo.png', 'a.pdf'],
  ],
  [
    'words in alternative in related',
    (textPart) => multipart('related', multipart('alternative', textPart), picture),
    ['logo.png'],
  ],
  ['words and an invitation', (textPart) => multipart('alternative', textPart, invitation), ['invite.ics']],
  [
    'words and AMP',
    (textPart) => multipart('alternative', textPart, 'Content-Type: text/x-amp-html\r\n\r\n<html amp4email>'),
    [],
  ],
  [
    'words in mixed, five levels deep',
    (textPart) => [1, 2, 3, 4, 5].reduce((inner) => multipart('mixed', inner), textPart),
    [],
  ],
  ['words in an unknown multipart', (textPart) => multipart('x-new', textPart), []],
  [
    'words in a message without a last boundary',
    (textPart) => multipart('mixed', textPart).replace(/--b\d+--\r\n$/, ''),
    [],
  ],
  [
    'words with an inline file name',
    (textPart) => multipart('mixed', textPart.replace('\r\n', '; name=body\r\nContent-Disposition: inline\r\n')),
    ['body'],
  ],
  [
    'words marked as an attachment',
    (textPart) => textPart.replace('\r\n', '\r\nContent-Disposition: attachment\r\n'),
    [],
  ],
  [
    'words of a forwarded message',
    (textPart) =>
      multipart('mixed', `Content-Type: message/rfc822\r\n\r\nFrom: bob@x.test\r\nSubject: Inner\r\n${textPart}`),
    ['message.eml'],
  ],
];

describe('the text of an e-mail', () => {
  describe.each(SHAPES)('%s', (_, shape, files) => {
    test.each(['plain', 'html'] as const)('are read as text/%s in each charset and encoding', async (type) => {
      for (const [charset, textPart] of Object.entries(CHARSETS))
        for (const encoding of ENCODINGS) {
          if (isWide(charset) && encoding === '8bit') continue;
          const mail = await read(shape(part(type, textPart, charset, encoding)));
          expect({ charset, encoding, body: mail.body }).toEqual({
            charset,
            encoding,
            body: expect.stringContaining(textPart),
          });
          expect(mail.body).toContain('second line');
          expect(mail.body).not.toMatch(/<p>|\ufffd/);
          expect(mail.attachments.map(({ name }) => name)).toEqual(expect.arrayContaining(files));
        }
    });
  });

  test('is read once if the e-mail has plain text and HTML alternatives', async () => {
    const both = multipart('alternative', part('plain', 'Plain words'), part('html', 'HTML words'));
    expect(await read(both)).toMatchObject({
      body: 'Plain words\nsecond line',
      html: '<p>HTML words</p><p>second line</p>',
    });
    const blank = multipart(
      'alternative',
      part('plain', ' \u00a0').replace('second line', ''),
      part('html', 'HTML words'),
    );
    expect(
      (await read(blank.replaceAll(Buffer.from(' \u00a0\r\nsecond line').toString('base64'), 'IMKg'))).body,
    ).toContain('HTML words');
  });

  test('is read in order if text and HTML parts follow each other', async () => {
    const mail = await read(multipart('mixed', part('html', 'One'), file, part('plain', 'Two'), part('html', 'Three')));
    expect(mail.body.match(/One|Two|Three/g)).toEqual(['One', 'Two', 'Three']);
    expect(mail.html).toMatch(/One.*Two.*Three/s);
  });

  test('is read from HTML with tables, lists and links, without styles and scripts', async () => {
    const html =
      '<head><title>t</title><style>p{}</style></head><table><tr><td>left</td><td>right</td></tr></table><ul><li>one<li>two</ul>' +
      '&auml;&#8364;&nbsp;<a href="https://x.test/1">here</a><script>alert(1)</script><div>a<br>b</div>';
    const { body } = await read(`Content-Type: text/html\r\n\r\n${html}`);
    for (const textPart of ['left right', '* one', '* two', 'ä€', 'here [https://x.test/1]', 'a\nb'])
      expect(body).toContain(textPart);
    expect(body).not.toMatch(/alert|p\{|<|leftright/);
  });

  test('is read from HTML that is nested too deeply for the converter', async () => {
    const { body } = await read(
      `Content-Type: text/html\r\n\r\n${'<div><b>'.repeat(5_000)}deep &amp; found<p>${'</b></div>'.repeat(5_000)}`,
    );
    expect(body).toBe('deep & found');
  });

  test('is read from digests, messages without parts, and parts without a type', async () => {
    const digest = multipart('digest', '\r\nFrom: bob@x.test\r\nSubject: One\r\n\r\nFirst words');
    expect((await read(digest)).body).toContain('First words');
    expect((await read('Content-Type: multipart/mixed; boundary=missing\r\n\r\nPlain words')).body).toBe('Plain words');
    expect((await read('Content-Type: multipart/mixed\r\n\r\nPlain words')).body).toBe('Plain words');
    expect((await read(multipart('mixed', '\r\nPlain words'))).body).toBe('Plain words');
  });

  test('has its flowed lines joined, even in quotations', async () => {
    const flowed =
      'Content-Type: text/plain; format=flowed\r\n\r\nOne \r\nline.\r\n> quoted \r\n> words\r\n\r\n-- \r\nAda';
    expect(await read(flowed)).toMatchObject({ body: 'One line.', quoted: expect.stringContaining('> quoted words') });
  });
});

describe('bytes of an undeclared or wrong charset', () => {
  const latin1 = 'Fr\u00f6sche';
  test.each([
    ['without a charset', 'Content-Type: text/plain\r\n\r\n'],
    ['without a type', '\r\n'],
    ['declared as ASCII', 'Content-Type: text/plain; charset=us-ascii\r\n\r\n'],
    ['declared as UTF-8', 'Content-Type: text/plain; charset=utf-8\r\n\r\n'],
    ['of an unknown charset', 'Content-Type: text/plain; charset=x-unheard\r\n\r\n'],
    ['of HTML that declares it', 'Content-Type: text/html\r\n\r\n<meta charset="iso-8859-1">'],
  ])('are read as browsers read them: %s', async (_, head) => {
    expect((await read(`${head}${latin1}`)).body).toBe('Frösche');
  });

  test('are UTF-8 if they are valid UTF-8', async () => {
    const bytes = Buffer.from('Frösche').toString('latin1');
    expect((await read(`Content-Type: text/plain\r\n\r\n${bytes}`)).body).toBe('Frösche');
    expect((await read(`Content-Type: text/plain; charset=us-ascii\r\n\r\n${bytes}`)).body).toBe('Frösche');
  });

  test.each([
    ['iso-8859-1', 'Fr\u00f6sche', 'Frösche'],
    ['windows-1251', '\u00cf\u00f0\u00e8', 'При'],
    ['utf-8', 'Fr\u00f6sche', 'Frösche'],
  ])('use the charset of the body in the head: %s', async (charset, subject, expected) => {
    const head = `Subject: ${subject}\r\nCc: ${subject} <b@x.test>\r\n`;
    const mail = await read(`Content-Type: text/plain; charset=${charset}\r\n\r\nx`, head);
    expect(mail).toMatchObject({ subject: expected, cc: [{ name: expected, address: 'b@x.test' }] });
    const nested = await read(multipart('mixed', `Content-Type: text/html; charset=${charset}\r\n\r\nx`), head);
    expect(nested.subject).toBe(expected);
  });

  test('use the charset of each encoded word, even for split characters', async () => {
    const head =
      'Subject: =?iso-8859-1?q?Fr=F6sche?= =?utf-8?q?_=C3?= =?utf-8?q?=B6?= =?us-ascii?q?_=F6?= =?utf-7?q?_+APY-?=\r\n';
    expect((await read('\r\nx', head)).subject).toBe('Frösche ö ö ö');
  });

  test('cannot add fields or senders in a head', async () => {
    const head =
      'Subject: =?utf-8?b?YQ0KQmNjOiBldmlsQHgudGVzdA==?=\r\nReply-To: =?utf-8?q?a=40evil.test=2C?= <b@x.test>\r\n';
    const mail = await read('\r\nx', head);
    expect(mail).toMatchObject({ subject: 'a Bcc: evil@x.test', reply_to: { address: 'b@x.test' } });
    expect([...mail.head.keys()]).not.toContain('bcc');
  });
});

test('attachments keep names and bytes, and unnamed ones are named by type', async () => {
  const named =
    "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename*=utf-8''%C3%BC.bin\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC/w==";
  const unnamed = ['text/calendar', 'message/rfc822', 'image/png', 'application/ms-tnef', 'application/x-unheard'];
  const parts = unnamed.map(
    (type) => `Content-Type: ${type}\r\nContent-Disposition: attachment\r\n\r\nSubject: x\r\n\r\ny`,
  );
  const { attachments, body } = await read(multipart('mixed', part('plain', 'See'), named, ...parts));
  expect(attachments.map(({ name }) => name)).toEqual([
    'ü.bin',
    'invite.ics',
    'message.eml',
    'image.png',
    'winmail.dat',
    'attachment',
  ]);
  expect([...attachments[0]!.content]).toEqual([0, 1, 2, 255]);
  expect(body).toBe('See\nsecond line');
});
