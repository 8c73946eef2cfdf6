import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { issueFormToken, openFormToken } from './form-token.ts';

const key = randomBytes(32);
const form = { token_id: randomUUID(), form_version: 7 };
const now = new Date('2031-01-01T00:00:00.123Z');

describe('a form token', () => {
  test('contains the loading time and the version of its form', () => {
    const token = issueFormToken(key, form, now);
    expect(token).toMatch(/^[\w-]{75}$/);
    expect(openFormToken(key, form, token)).toEqual({ issued_at: now, form_version: 7 });
    expect(openFormToken(key, { ...form, form_version: 9 }, token)).toEqual({ issued_at: now, form_version: 7 });
  });

  test('is invalid for another form, a future version and another key', () => {
    const token = issueFormToken(key, form, now);
    expect(openFormToken(key, { ...form, token_id: randomUUID() }, token)).toBeUndefined();
    expect(openFormToken(key, { ...form, form_version: 6 }, token)).toBeUndefined();
    expect(openFormToken(randomBytes(32), form, token)).toBeUndefined();
    expect(openFormToken(key, { ...form, form_version: 200 }, token)).toBeUndefined();
  });

  test('is rejected with one changed bit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 56 * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(issueFormToken(key, form, now), 'base64url');
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(openFormToken(key, form, bytes.toString('base64url'))).toBeUndefined();
      }),
    );
  });

  test('is rejected if it is any other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => expect(openFormToken(key, form, text)).toBeUndefined()),
    );
  });
});
