import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validatedPath } from './request-validation.ts';

function requestOf(url: string, headers: Record<string, string> = {}): IncomingMessage {
  const all: Record<string, string> = { host: 'suite.test', ...headers };
  return {
    url,
    headers: all,
    rawHeaders: Object.entries(all).flat(),
    httpVersion: '1.1',
  } as unknown as IncomingMessage;
}

const rejectionOf = (status: number) => expect.objectContaining({ status });

describe('a path is accepted unchanged', () => {
  test.each([
    ['/api/leads', '/api/leads'],
    ['/api/leads?q=a/../b//c%2f%00', '/api/leads'],
    ['/api/leads?', '/api/leads'],
    ['/', '/'],
    ['/api/lead/show/a.b..c', '/api/lead/show/a.b..c'],
    ['/api/lead/show/...', '/api/lead/show/...'],
    ['/api/lead/show/.hidden', '/api/lead/show/.hidden'],
    ['/api/badge/a%20b', '/api/badge/a%20b'],
    ['/api/badge/%C3%A4', '/api/badge/%C3%A4'],
    ['/api/badge/100%25', '/api/badge/100%25'],
    ["/api/badge/~!$&'()*+,;=:@", "/api/badge/~!$&'()*+,;=:@"],
  ])('%s', (url, path) => {
    expect(validatedPath(requestOf(url))).toBe(path);
  });
});

describe('an ambiguous path is rejected', () => {
  test.each([
    ['a dot segment', '/api/./leads'],
    ['two dots', '/api/../leads'],
    ['two dots at the end', '/api/leads/..'],
    ['a dot at the end', '/api/leads/.'],
    ['a dot before the query', '/api/leads/.?a=1'],
    ['dots before the query', '/api/leads/..?a=1'],
    ['a double slash', '/api//leads'],
    ['a double slash at the start', '//api/leads'],
    ['a double slash at the end', '/api/leads//'],
    ['a backslash', '/api\\leads'],
    ['an absolute target', 'http://elsewhere.test/api/leads'],
    ['an absolute target of another scheme', 'file:///etc/passwd'],
    ['an asterisk', '*'],
    ['nothing', ''],
    ['no slash at the start', 'api/leads'],
    ['a fragment', '/api/leads#a'],
    ['a fragment in the query', '/api/leads?a=1#b'],
    ['a control character', '/api/leads\u0001'],
    ['a tab', '/api/le\tads'],
    ['a space', '/api/le ads'],
    ['DEL', '/api/leads\u007f'],
    ['raw bytes above ASCII', '/api/le\u00e4ds'],
    ['a control character in the query', '/api/leads?a=\u0007'],
    ['a very long path', `/api/${'a'.repeat(4_096)}`],
    ['a very long query', `/api/leads?q=${'a'.repeat(4_096)}`],
  ])('%s', (_name, url) => {
    expect(() => validatedPath(requestOf(url))).toThrow(rejectionOf(400));
  });

  test.each([
    ['an encoded slash', '/api/lead%2fcreate'],
    ['an encoded slash in capitals', '/api/lead%2Fcreate'],
    ['an encoded backslash', '/api/lead%5Ccreate'],
    ['NUL', '/api/leads%00'],
    ['NUL before an extension', '/api/leads%00.json'],
    ['a separator encoded twice', '/api/lead%252fcreate'],
    ['a separator encoded three times', '/api/lead%25252Fcreate'],
    ['encoded dots', '/api/%2e%2e/leads'],
    ['one encoded dot', '/api/.%2E/leads'],
    ['one encoded dot first', '/api/%2e./leads'],
    ['a single encoded dot', '/api/%2e/leads'],
    ['dots encoded twice', '/api/%252e%252e/leads'],
    ['an encoded line feed', '/api/leads%0a'],
    ['an encoded carriage return', '/api/leads%0D%0AX:y'],
    ['an encoded DEL', '/api/leads%7f'],
    ['NUL in the place of a public token', '/api/widget/%00'],
    ['a half encoding', '/api/leads%2'],
    ['a lone percent sign', '/api/leads%'],
    ['an invalid encoding', '/api/leads%zz'],
    ['invalid UTF-8', '/api/leads%ff'],
    ['an overlong slash', '/api/lead%c0%afcreate'],
    ['an overlong dot', '/api/%c0%ae%c0%ae/leads'],
  ])('%s is not found', (_name, url) => {
    expect(() => validatedPath(requestOf(url))).toThrow(rejectionOf(404));
  });

  test('accepts no path with a hidden separator, dot segment or control character', () => {
    const piece = fc.constantFrom('/', '.', '%', '2', 'e', 'E', 'f', '5', 'c', '0', '25', '\\', 'a', '?', '#', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let path: string;
        try {
          path = validatedPath(requestOf(`/${pieces.join('')}`));
        } catch {
          return;
        }
        let decoded = path;
        for (let times = 0; times < 4; times += 1) {
          const segments = decoded.split('/');
          expect(segments.length).toBe(path.split('/').length);
          for (const segment of segments) expect(['.', '..']).not.toContain(segment);
          expect(decoded).not.toMatch(/\\|\0|\/\//);
          try {
            decoded = decodeURIComponent(decoded);
          } catch {
            return;
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

test('rejects more than 100 parameters', () => {
  const parameters = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=`).join('&');
  expect(validatedPath(requestOf(`/api/leads?${parameters(100)}`))).toBe('/api/leads');
  expect(() => validatedPath(requestOf(`/api/leads?${parameters(101)}`))).toThrow(rejectionOf(400));
  expect(() => validatedPath(requestOf(`/api/leads?${'&'.repeat(100)}`))).toThrow(rejectionOf(400));
});

describe('the head of a request', () => {
  test('is rejected with a second Host', () => {
    const request = requestOf('/api/leads');
    request.rawHeaders.push('HOST', 'elsewhere.test');
    expect(() => validatedPath(request)).toThrow(rejectionOf(400));
  });

  test('is rejected with a second Authorization', () => {
    const request = requestOf('/api/leads', { authorization: 'Bearer a' });
    request.rawHeaders.push('Authorization', 'Bearer b');
    expect(() => validatedPath(request)).toThrow(rejectionOf(400));
  });

  test('is rejected without a Host', () => {
    const request = { ...requestOf('/api/leads'), headers: {}, rawHeaders: [] } as unknown as IncomingMessage;
    expect(() => validatedPath(request)).toThrow(rejectionOf(400));
  });

  test.each([['gzip, chunked'], ['identity'], ['chunked, chunked'], ['xchunked']])(
    'is rejected with the transfer coding %s',
    (coding) => {
      expect(() => validatedPath(requestOf('/api/leads', { 'transfer-encoding': coding }))).toThrow(rejectionOf(400));
    },
  );

  test('is accepted with a chunked body in any spelling', () => {
    expect(validatedPath(requestOf('/api/leads', { 'transfer-encoding': 'Chunked' }))).toBe('/api/leads');
  });
});

describe('a body', () => {
  test('is accepted up to 25 MiB', () => {
    expect(validatedPath(requestOf('/api/leads', { 'content-length': String(25 * 1024 * 1024) }))).toBe('/api/leads');
  });

  test('is rejected beyond that', () => {
    const request = requestOf('/api/leads', { 'content-length': String(25 * 1024 * 1024 + 1) });
    expect(() => validatedPath(request)).toThrow(rejectionOf(413));
  });
});
