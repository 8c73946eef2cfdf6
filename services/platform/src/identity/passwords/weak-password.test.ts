import { describe, expect, test } from '@jest/globals';
import { assertNotOwn, isCommon } from './weak-password.rules.ts';

describe('a password', () => {
  test.each([
    'qwertyuiop',
    '1234567890',
    'Password123!',
    'P@ssw0rd2024',
    'iloveyou2026',
    'passwordpassword',
    '!!welcome!!!',
    'Summer2026!',
  ])('is common: %s', (password) => {
    expect(isCommon(password)).toBe(true);
  });

  test.each([
    'correct horse battery staple',
    'dragon of the 84 green rivers',
    'x9#kQ2vL!pZ',
    'Sieben Zwerge im Regen',
    'dragon84729103847!',
  ])('is not common: %s', (password) => {
    expect(isCommon(password)).toBe(false);
  });

  const ada = { name: 'Ada Lovelace', email: 'ada.lovelace@analytical.example' };
  test.each([
    'ada.lovelace@analytical.example',
    'AdaLovelace1815',
    'lovelace-2026!',
    'Analytical.example1',
    'lovelaceLovelace',
  ])('is based on its owner: %s', (password) => {
    expect(() => assertNotOwn(password, ada)).toThrow('password');
  });

  test.each(['correct horse battery staple', 'lovelace wrote the first program'])(
    'is not based on its owner: %s',
    (password) => {
      expect(() => assertNotOwn(password, ada)).not.toThrow();
    },
  );
});
