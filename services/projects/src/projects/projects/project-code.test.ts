import { expect, test } from '@jest/globals';
import { codeFrom } from './project-code.ts';

test.each([
  ['Website relaunch', 'WR'],
  ['Website', 'WEB'],
  ['Über uns', 'UU'],
  ['2026 budget', 'BUD'],
  ['X', 'PR'],
  ['网站', 'PR'],
  ['a b c d e f g h i j k l', 'ABCDEFGH'],
])('the name %s suggests the code %s', (name, code) => {
  expect(codeFrom(name)).toBe(code);
});
