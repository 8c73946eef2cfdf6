import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { issueFormToken, openFormToken } from './form-token.ts';

const key = randomBytes(32);
const form = { token_id: randomUUID(), form_version: 7 };
const now = new Date('2031-01-01T00:00:00.123Z');

test('a form token contains the loading time and the version of its form', () => {
  const token = issueFormToken(key, form, now);
  expect(token).toMatch(/^[\w-]{75}$/);
  expect(openFormToken(key, form, token)).toEqual({ issued_at: now, form_version: 7 });
  expect(openFormToken(key, { ...form, form_version: 9 }, token)).toEqual({ issued_at: now, form_version: 7 });
});

test('a form token is invalid for another form, a future version and another key', () => {
  const token = issueFormToken(key, form, now);
  expect(openFormToken(key, { ...form, token_id: randomUUID() }, token)).toBeUndefined();
  expect(openFormToken(key, { ...form, form_version: 6 }, token)).toBeUndefined();
  expect(openFormToken(randomBytes(32), form, token)).toBeUndefined();
  expect(openFormToken(key, { ...form, form_version: 200 }, token)).toBeUndefined();
});

test('a form token with one changed bit is forged', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 56 * 8 - 1 }), (bit) => {
      const bytes = Buffer.from(issueFormToken(key, form, now), 'base64url');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(openFormToken(key, form, bytes.toString('base64url'))).toBeUndefined();
    }),
  );
});

test('rejects any other text as a form token', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (text) => expect(openFormToken(key, form, text)).toBeUndefined()),
  );
});
