/** Tests of ambiguous HTTP messages: a service sees the same request as the gateway, or none. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sendRequest, sendBytes } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, crm, platform, signIn } = await gatewayFixture();
let kim: SignedInUser;
beforeEach(() => {
  kim = signIn();
  crm.received.length = 0;
  platform.received.length = 0;
});

const CREATE = 'POST /api/lead/create HTTP/1.1\r\n';
const READ = 'GET /api/leads HTTP/1.1\r\n';
const HIDDEN = 'GET /api/user HTTP/1.1\r\nHost: suite.test\r\n\r\n';

/** Returns a request head with Host and kim's token. */
const head = (line: string, ...fields: string[]) =>
  [line.trimEnd(), 'Host: suite.test', `Authorization: ${kim.authorization}`, ...fields, '', ''].join('\r\n');
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
const received = () => [...crm.received, ...platform.received].map(({ method, url, body }) => [method, url, body]);

describe('a well-formed message reaches the service unchanged', () => {
  const fine: [name: string, message: () => string, requests: string[][], answers: number[]][] = [
    ['a read', () => head(READ), [['GET', '/api/leads', '']], [200]],
    [
      'a body with a length',
      () => `${head(CREATE, 'Content-Length: 2')}{}`,
      [['POST', '/api/lead/create', '{}']],
      [200],
    ],
    ['a body of length 0', () => head(CREATE, 'Content-Length: 0'), [['POST', '/api/lead/create', '']], [200]],
    ['no body', () => head(CREATE), [['POST', '/api/lead/create', '']], [200]],
    [
      'a body in chunks',
      () => `${head(CREATE, 'Transfer-Encoding: chunked')}${chunk('{"a":')}${chunk('1}')}0\r\n\r\n`,
      [['POST', '/api/lead/create', '{"a":1}']],
      [200],
    ],
    [
      'chunks with an extension',
      () => `${head(CREATE, 'Transfer-Encoding: chunked')}2;a=b\r\n{}\r\n0\r\n\r\n`,
      [['POST', '/api/lead/create', '{}']],
      [200],
    ],
    [
      'chunks with a trailer, which ends here',
      () => `${head(CREATE, 'Transfer-Encoding: chunked')}${chunk('{}')}0\r\nX-User-Id: mallory\r\n\r\n`,
      [['POST', '/api/lead/create', '{}']],
      [200],
    ],
    [
      'a DELETE with a body',
      () => `${head('DELETE /api/lead/delete/1 HTTP/1.1', 'Content-Length: 2')}{}`,
      [['DELETE', '/api/lead/delete/1', '{}']],
      [200],
    ],
    [
      'a DELETE with a body in chunks',
      () => `${head('DELETE /api/lead/delete/1 HTTP/1.1', 'Transfer-Encoding: chunked')}${chunk(HIDDEN)}0\r\n\r\n`,
      [['DELETE', '/api/lead/delete/1', HIDDEN]],
      [200],
    ],
    [
      'a GET with a body that looks like a request',
      () => `${head(READ, `Content-Length: ${HIDDEN.length}`)}${HIDDEN}`,
      [['GET', '/api/leads', HIDDEN]],
      [200],
    ],
    [
      'a GET with a body in chunks that looks like a request',
      () => `${head(READ, 'Transfer-Encoding: chunked')}${chunk(HIDDEN)}0\r\n\r\n`,
      [['GET', '/api/leads', HIDDEN]],
      [200],
    ],
    [
      'two requests in a row',
      () => head(READ) + head(READ),
      [
        ['GET', '/api/leads', ''],
        ['GET', '/api/leads', ''],
      ],
      [200, 200],
    ],
    [
      'two requests in a row, the first with a body',
      () => `${head(CREATE, 'Content-Length: 2')}{}${head(READ)}`,
      // The second request has no body and can overtake the first. The responses are sent in order.
      [
        ['GET', '/api/leads', ''],
        ['POST', '/api/lead/create', '{}'],
      ],
      [200, 200],
    ],
    [
      'a request after one that was refused with a body unread',
      () => `POST /api/nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}${head(READ)}`,
      [['GET', '/api/leads', '']],
      [404, 200],
    ],
    ['an empty line before', () => `\r\n${head(READ)}`, [['GET', '/api/leads', '']], [200]],
    ['two spaces in the request line', () => head(READ.replace(' ', '  ')), [['GET', '/api/leads', '']], [200]],
    ['HTTP/1.0', () => head(READ.replace('1.1', '1.0')), [['GET', '/api/leads', '']], [200]],
    [
      'an Expect: 100-continue header',
      () => `${head(CREATE, 'Expect: 100-continue', 'Content-Length: 2')}{}`,
      [['POST', '/api/lead/create', '{}']],
      [100, 200],
    ],
  ];

  test.each(fine)('%s', async (_name, message, requests, answers) => {
    const { text } = await sendBytes(gateway.url, message(), answers.length);
    expect(statuses(text)).toEqual(answers);
    expect(received().toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual(requests);
  });
});

describe('a message that is invalid or ambiguous closes the connection with an error', () => {
  const TE = 'Transfer-Encoding: chunked';
  const noise: [name: string, message: () => string][] = [
    ['a length and chunks', () => `${head(CREATE, 'Content-Length: 5', TE)}0\r\n\r\n${HIDDEN}`],
    ['chunks and a length', () => `${head(CREATE, TE, 'Content-Length: 5')}0\r\n\r\n${HIDDEN}`],
    ['two lengths', () => `${head(CREATE, 'Content-Length: 0', `Content-Length: ${HIDDEN.length}`)}${HIDDEN}`],
    ['two equal lengths', () => `${head(CREATE, 'Content-Length: 2', 'Content-Length: 2')}{}`],
    ['lengths in a list', () => `${head(CREATE, 'Content-Length: 2, 2')}{}`],
    ['a length with a sign', () => `${head(CREATE, 'Content-Length: +2')}{}`],
    ['a negative length', () => `${head(CREATE, 'Content-Length: -2')}{}`],
    ['a hexadecimal length', () => `${head(CREATE, 'Content-Length: 0x2')}{}`],
    ['a length with a point', () => `${head(CREATE, 'Content-Length: 2.0')}{}`],
    ['a length with an exponent', () => `${head(CREATE, 'Content-Length: 2e0')}{}`],
    ['a length that is a word', () => `${head(CREATE, 'Content-Length: two')}{}`],
    ['a huge length', () => `${head(CREATE, `Content-Length: ${'9'.repeat(40)}`)}{}`],
    ['a length with NUL', () => `${head(CREATE, 'Content-Length: 2\0')}{}`],
    ['an unknown coding', () => `${head(CREATE, 'Transfer-Encoding: xchunked')}0\r\n\r\n`],
    ['identity', () => `${head(CREATE, 'Transfer-Encoding: identity')}{}`],
    ['chunked, then identity', () => `${head(CREATE, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`],
    ['gzip, then chunked', () => `${head(CREATE, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
    ['chunked twice', () => `${head(CREATE, TE, TE)}0\r\n\r\n`],
    ['chunked and cow', () => `${head(CREATE, TE, 'Transfer-Encoding: cow')}0\r\n\r\n`],
    ['a space before the colon', () => `${head(CREATE, 'Transfer-Encoding : chunked')}0\r\n\r\n`],
    ['a tab before the colon', () => `${head(CREATE, 'Content-Length\t: 2')}{}`],
    ['a space before the name', () => head(READ, ' X-A: 1')],
    ['a folded header', () => head(READ, 'X-A: 1', ' folded')],
    ['a folded coding', () => `${head(CREATE, 'Transfer-Encoding:', ' chunked')}0\r\n\r\n`],
    ['a header without a colon', () => head(READ, 'nonsense')],
    ['a header without a name', () => head(READ, ': 1')],
    ['a header with a space in its name', () => head(READ, 'X A: 1')],
    ['NUL in a name', () => head(READ, 'X-\0A: 1')],
    ['NUL in a value', () => head(READ, 'X-A: 1\0')],
    ['a bare line feed after the request line', () => head(READ).replace('HTTP/1.1\r\n', 'HTTP/1.1\n')],
    ['a bare line feed after a header', () => head(READ, 'X-A: 1').replace('X-A: 1\r\n', 'X-A: 1\n')],
    ['bare line feeds at the end', () => head(READ).replace(/\r\n\r\n$/, '\n\n')],
    ['a bare carriage return in a value', () => head(READ, 'X-A: 1\rTransfer-Encoding: chunked')],
    ['a chunk with a sign', () => `${head(CREATE, TE)}+2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk with 0x', () => `${head(CREATE, TE)}0x2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk with a space before', () => `${head(CREATE, TE)} 2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', () => `${head(CREATE, TE)}1\r\n{}\r\n0\r\n\r\n`],
    ['a chunk without a size', () => `${head(CREATE, TE)}\r\n{}\r\n0\r\n\r\n`],
    ['a chunk that ends with a line feed', () => `${head(CREATE, TE)}2\n{}\n0\n\n`],
    ['a chunk of a huge size', () => `${head(CREATE, TE)}${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`],
    ['a line feed in a chunk extension', () => `${head(CREATE, TE)}2;\n\r\n{}\r\n0\r\n\r\n`],
    ['with a second Host', () => head(READ, 'Host: elsewhere.test')],
    ['a second Host in capitals', () => head(READ, 'HOST: suite.test')],
    ['a second token', () => head(READ, 'Authorization: Bearer other')],
    ['no Host', () => head(READ).replace('Host: suite.test\r\n', '')],
    ['an absolute target', () => head('GET http://elsewhere.test/api/leads HTTP/1.1')],
    ['an absolute target of a scheme', () => head('GET gopher://elsewhere.test/api/leads HTTP/1.1')],
    ['an asterisk', () => head('OPTIONS * HTTP/1.1')],
    ['a target without a slash', () => head('GET api/leads HTTP/1.1')],
    ['a fragment', () => head('GET /api/leads#a HTTP/1.1')],
    ['a tab in the target', () => head('GET /api/le\tads HTTP/1.1')],
    ['a space in the target', () => head('GET /api/leads x HTTP/1.1')],
    ['tabs in the request line', () => head('GET\t/api/leads\tHTTP/1.1')],
    ['no version', () => head('GET /api/leads')],
    ['another version', () => head('GET /api/leads HTTP/1.2')],
    ['version 2', () => head('GET /api/leads HTTP/2.0')],
    ['another protocol', () => head('GET /api/leads ICAP/1.0')],
    ['an unknown method', () => head('BREW /api/leads HTTP/1.1')],
    ['a method in lower case', () => head('get /api/leads HTTP/1.1')],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['noise', () => 'nonsense\r\n\r\n'],
  ];

  test('covers at least 60 kinds', () => {
    expect(noise.length).toBeGreaterThanOrEqual(60);
  });

  test.each(noise)('%s', async (_name, message) => {
    const { text, closed } = await sendBytes(gateway.url, message());
    expect(statuses(text)).toEqual([400]);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toContain('"code":"malformed_request"');
    expect(text).toMatch(/"request_id":"[\w-]+"/);
    expect(closed).toBe(true);
    expect(received()).toEqual([]);
  });
});

describe('a message that is too large', () => {
  test('gets 431 for its head', async () => {
    const { text, closed } = await sendBytes(gateway.url, head(READ, `X-A: ${'a'.repeat(20_000)}`));
    expect(statuses(text)).toEqual([431]);
    expect(text).toContain('"code":"headers_too_large"');
    expect(closed).toBe(true);
  });

  test('gets 431 for a token of a megabyte', async () => {
    const { text } = await sendBytes(
      gateway.url,
      head(READ).replace(kim.authorization, `Bearer ${'a'.repeat(2 ** 20)}`),
    );
    expect(statuses(text)).toEqual([431]);
  });

  test('gets 413 for its body, and does not reach the service', async () => {
    const fields = { authorization: kim.authorization, 'content-length': String(26 * 1024 * 1024) };
    const { text } = await sendBytes(gateway.url, head(CREATE, `Content-Length: ${fields['content-length']}`), 1);
    expect(statuses(text)).toEqual([413]);
    expect(text).toContain('"code":"payload_too_large"');
    expect(received()).toEqual([]);
  });
});

test('a method without an operation gets 405 on a known path', async () => {
  for (const method of ['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'OPTIONS', 'SEARCH']) {
    const answer = await sendRequest(gateway.url, '/api/leads', {
      method,
      headers: { authorization: kim.authorization },
    });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  }
  expect(received()).toEqual([]);
});
