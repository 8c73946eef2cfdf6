/** Texts that have broken programs before, and bodies that are not JSON: forms and e-mails. */
import fc from 'fast-check';

/** A request of the fuzz test. */
export interface StrangeRequest {
  /** The strange part of the request. */
  about: string;
  path: string;
  /** Body as sent. Undefined sends no body. */
  body: string | undefined;
  content_type: string;
}

/** A request whose content type defaults to JSON. */
export type Case = Omit<StrangeRequest, 'content_type'> & { content_type?: string };

export const UNKNOWN_ID = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';

/** Texts that have broken programs before. */
const NASTY = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202E\u0000',
  '😀'.repeat(50),
  "'; DROP TABLE leads; --",
  '"}],{"$ne":null}',
  '../../etc/passwd',
  '%00%2f..%2f',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '9999999999999999999999',
  '0x10',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31T23:59:60Z',
  '+999999-01-01T00:00:00Z',
  '24:00',
  UNKNOWN_ID,
  UNKNOWN_ID.toUpperCase(),
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(300),
  'x'.repeat(20_000),
];
export const nastyText = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 40 }));

/** Returns multipart forms, as bytes that no library would write. */
export function forms(field: string, path: string): fc.Arbitrary<Case> {
  const names = [
    'note.txt',
    '../../note.txt',
    'note.txt\0.png',
    '',
    '\u202Etxt.exe',
    'x'.repeat(400),
    'a"; name="b',
    '.htaccess',
  ];
  const contents = ['Likes tea', '', '<svg onload=alert(1)>', '%PDF-1.7', 'PK\u0003\u0004', '\0\0\0'];
  const kinds = ['text/plain', 'image/png', 'image/svg+xml', 'nonsense', ''];
  const part = fc
    .tuple(
      fc.constantFrom(field, field, 'nonsense', '__proto__', `${field}[]`),
      fc.constantFrom(...names),
      fc.constantFrom(...kinds),
      fc.constantFrom(...contents),
    )
    .map(
      ([name, file, kind, content]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: ${kind}\r\n\r\n${content}\r\n`,
    );
  const ending = fc.constantFrom(
    '--x--\r\n',
    '--x--\r\n',
    '--x--\r\n',
    '',
    '--x\r\n',
    '--x\r\nContent-Disposition: form-data; name="nonsense"\r\n\r\n1\r\n--x--\r\n',
  );
  return fc.tuple(fc.array(part, { maxLength: 2 }), ending).map(([parts, end]) => ({
    about: 'a form',
    path,
    body: `${parts.join('')}${end}`,
    content_type: 'multipart/form-data; boundary=x',
  }));
}

/** Returns e-mails from senders that break the rules or exploit them. */
export function messages(mime: string, path: string): fc.Arbitrary<Case>[] {
  const sender = 'From: Fuzz <fuzz@sender.test>';
  const fields = [
    'From',
    'To',
    'Subject',
    'Message-ID',
    'In-Reply-To',
    'References',
    'Date',
    'Content-Type',
    'Reply-To',
  ];
  const values = [
    '=?utf-8?B?////?=',
    '<fuzz@example.test> '.repeat(500),
    'multipart/mixed; boundary=x',
    'text/html; charset=utf-7',
    'text/plain; charset=nonsense',
    '"a" <b@c.test>, d@e.test',
    '=?utf-8?Q?=0D=0ABcc:_eve@evil.test?=',
    'Sat, 99 Foo 10000 99:99:99 +9999',
  ];
  const field = fc
    .tuple(fc.constantFrom(...fields), fc.oneof(fc.constantFrom(...values), nastyText))
    .map(([name, value]) => `${name}: ${value.toWellFormed()}`);
  const contents = [
    'fuzz',
    '',
    '--x\r\nContent-Type: text/html\r\n\r\n<img src=x onerror=alert(1)><style>*{}</style>\r\n--x--',
    '--x\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="../../a.exe"\r\n\r\n!!!!\r\n--x--',
    `${'--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n'.repeat(60)}--x--`,
    '> quoted\r\n'.repeat(400),
  ];
  const whole = fc
    .tuple(fc.constantFrom(sender, sender, sender, ''), fc.array(field, { maxLength: 4 }), fc.constantFrom(...contents))
    .map(([from, others, text]) => `${[from, ...others].filter(Boolean).join('\r\n')}\r\n\r\n${text}`);
  return [whole, whole, whole].map((arbitrary) =>
    arbitrary.map((body) => ({ about: 'a message', path, body, content_type: mime })),
  );
}
