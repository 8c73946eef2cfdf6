import { expect, test } from '@jest/globals';
import { authenticatedBy } from './authentication.ts';

const received = 'Received: from mail.example.com (mail.example.com [192.0.2.1]) by mx.suite.test with ESMTP id 1';
const verdict = (...lines: string[]) =>
  authenticatedBy(
    lines.map((line) => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), line })),
    'ada@example.com',
  );
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
])('the server’s own words count: %s', (text, is) => {
  expect(verdict(results(text), received)).toBe(is);
  expect(verdict(received, results(text))).toBe(is);
});

test('the words of somebody else are none', () => {
  const good = 'dmarc=pass header.from=example.com';
  expect(verdict(received)).toBeNull();
  expect(verdict(received, results(good, 'mx.evil.test'))).toBeNull();
  expect(verdict(results(good))).toBeNull();
  expect(verdict(received, 'Received: from x by mx.evil.test', results(good, 'mx.evil.test'))).toBeNull();
  expect(verdict(results('spf=fail smtp.mailfrom=example.com'), received, results(good, 'mx.evil.test'))).toBe(false);
});
