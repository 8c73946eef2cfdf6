import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { isApiKey, newApiKey } from './api-key.ts';

test('recognises a new key, and never creates the same key twice', () => {
  const keys = Array.from({ length: 1_000 }, newApiKey);
  expect(new Set(keys).size).toBe(1_000);
  expect(keys.filter((key) => !/^bms_[0-9A-Za-z]{36}$/.test(key) || !isApiKey(key))).toEqual([]);
});

test('rejects a key with one wrong character without a look-up', () => {
  const key = newApiKey();
  const wrong = [...key].map((sign, at) => key.slice(0, at) + (sign === 'x' ? 'y' : 'x') + key.slice(at + 1));
  expect(wrong.filter(isApiKey)).toEqual([]);
  const swapped = [...key].map((sign, at) => key.slice(0, at) + (key[at + 1] ?? '') + sign + key.slice(at + 2));
  expect(swapped.filter((other) => other !== key && isApiKey(other))).toEqual([]);
});

test.each(['', 'bms_', 'Bearer x', 'x'.repeat(40), `bms_${'0'.repeat(36)}`, `bms_${'0'.repeat(1_000_000)}`])(
  'something else is not a key',
  (text) => expect(isApiKey(text)).toBe(false),
);

test('rejects a key with characters before or after it', () => {
  const key = newApiKey();
  expect([`${key}\n`, ` ${key}`, `${key}0`, key.slice(0, -1), key.toUpperCase()].filter(isApiKey)).toEqual([]);
});

test('rejects a valid checksum in the wrong format', () => {
  const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const checked = (text: string) => {
    const digits = Array.from({ length: 6 }, (_, at) => signs.charAt(Math.floor(crc32(text) / 62 ** (5 - at)) % 62));
    return text + digits.join('');
  };
  const random = 'x'.repeat(30);
  expect(isApiKey(checked(`bms_${random}`))).toBe(true);
  const wrong = [`bmx_${random}`, `bms-${random}`, random, `bms_${random}x`, `bms_${random.slice(1)}-`, ''];
  expect(wrong.map(checked).filter(isApiKey)).toEqual([]);
});
