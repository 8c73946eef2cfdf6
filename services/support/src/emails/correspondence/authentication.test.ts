import { expect, test } from '@jest/globals';
import { authenticatedBy } from './authentication.ts';

const received = 'Received: from mail.example.com (mail.example.com [192.0.2.1]) by mx.suite.test with ESMTP id 1';
const verdictOf = (server: string | null, ...lines: string[]) =>
  authenticatedBy(
    lines.map((line) => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), line })),
    server,
    'ada@example.com',
  );
const verdict = (...lines: string[]) => verdictOf('mx.suite.test', ...lines);
const results = (text: string, server = 'mx.suite.test') => `Authentication-Results: ${server}; ${text}`;

test.each([
  ['dmarc=pass header.from=example.com', true],
  ['spf=pass smtp.mailfrom=bounce@news.example.com', true],
  ['spf=pass smtp.mailfrom=ada@evil.test', false],
  ['dkim=pass header.d=evil.test', false],
  ['dkim=pass (good) header.i=@example.com; spf=fail smtp.mailfrom=example.com', true],
  ['dkim=fail header.d=example.com', false],
  ['dkim=pass header.d=com', false],
  ['spf=fail (dkim=pass header.d=example.com)', false],
  ['none', false],
])('trusts the results of the named server: %s', (text, is) => {
  expect(verdict(results(text), received)).toBe(is);
  expect(verdict(received, results(text))).toBe(is);
});

test('ignores the results of other servers', () => {
  const good = 'dmarc=pass header.from=example.com';
  expect(verdict(received)).toBeNull();
  expect(verdict(received, results(good, 'mx.evil.test'))).toBeNull();
  expect(verdict(results(good, 'mx.suite.test.evil.test'), received)).toBeNull();
  expect(verdict(results(good, '(mx.suite.test) mx.evil.test'))).toBeNull();
  expect(verdict(received, 'Received: from x by mx.evil.test', results(good, 'mx.evil.test'))).toBeNull();
});

test('ignores a forged field below the server’s own, with any other content', () => {
  const forged = results('dmarc=pass header.from=example.com');
  for (const honest of [results('spf=fail smtp.mailfrom=example.com'), results('none')]) {
    expect(verdict(honest, received, forged)).toBe(false);
    expect(verdict(honest, forged)).toBe(false);
    expect(verdict(received, honest, forged)).toBe(false);
  }
});

test('authenticates no sender without a named server', () => {
  expect(verdictOf(null, results('dmarc=pass header.from=example.com'), received)).toBeNull();
  expect(verdictOf(null, received, 'Authentication-Results: ; dmarc=pass header.from=example.com')).toBeNull();
});

test('accepts a version or a comment after the server name', () => {
  const good = 'dmarc=pass header.from=example.com';
  expect(verdict(results(good, 'MX.suite.test 1'))).toBe(true);
  expect(verdict(results(good, 'mx.suite.test (our server)'))).toBe(true);
});
