import { expect, test } from '@jest/globals';
import { sepaText } from './sepa-text.ts';

test.each([
  ['Jürgen Müßig', 'Juergen Muessig'],
  ['Łukasz Gięć', 'Lukasz Giec'],
  ['Søren Ærø', 'Soren Aero'],
  ['Þór Ðóri', 'Thor Dori'],
  ['Юрий Щербаков', 'Yuriy Shcherbakov'],
  ['Đorđe Ђорђевић', 'Dorde Djordjevic'],
  ['Γιώργος Παπαδόπουλος', 'Giorgos Papadopoylos'],
  ['O’Neill & Sons – “Best”', "O'Neill + Sons - .Best."],
  ['  a\u00a0 b\tc ', 'a b c'],
  ['A_B@C;D', 'A.B.C.D'],
  ['Ада 👑', 'Ada .'],
])('writes %s as %s', (text, written) => {
  expect(sepaText(text, 70)).toBe(written);
});

test('limits a text to the maximum length', () => {
  expect(sepaText('Щ'.repeat(70), 70).length).toBeLessThanOrEqual(70);
  expect(sepaText(`${'a'.repeat(69)} b`, 70)).toBe('a'.repeat(69));
});
