import { describe, expect, test } from '@jest/globals';
import { isApiKey, newApiKey } from '@suite/chassis/identity';
import { childOf, tokenHash, keyHints, newRefreshToken } from './token.ts';

describe('an API key', () => {
  test('consists of bms_, thirty characters and a checksum of six', () => {
    const key = newApiKey();
    expect(key).toMatch(/^bms_[0-9A-Za-z]{36}$/);
    expect(isApiKey(key)).toBe(true);
    expect(newApiKey()).not.toBe(key);
  });

  test('is rejected by its checksum if one character is changed', () => {
    const key = newApiKey();
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  test('has a fixed format, because issued keys must remain valid', () => {
    expect(isApiKey('bms_0123456789ABCDEFGHIJKLMNOPQRST12D9VK')).toBe(true);
    expect(isApiKey(`${newApiKey()}0`)).toBe(false);
    expect(isApiKey('')).toBe(false);
  });

  test('is recognised by its first and last characters', () => {
    const key = newApiKey();
    expect(keyHints(key)).toEqual({ prefix: key.slice(0, 8), last4: key.slice(-4) });
  });
});

describe('a refresh token', () => {
  test('always has the same child, which no other token has', () => {
    const parent = newRefreshToken();
    expect(parent).toMatch(/^bmr_[\w-]{43}$/);
    expect(childOf(parent, 'salt')).toBe(childOf(parent, 'salt'));
    expect(childOf(parent, 'salt')).toMatch(/^bmr_[\w-]{43}$/);
    expect(childOf(parent, 'other')).not.toBe(childOf(parent, 'salt'));
    expect(childOf(newRefreshToken(), 'salt')).not.toBe(childOf(parent, 'salt'));
  });

  test('cannot be derived from its hash', () => {
    expect(tokenHash('bmr_x')).toMatch(/^[0-9a-f]{64}$/);
    expect(tokenHash('bmr_x')).not.toContain('bmr');
  });
});
