import { expect, test } from '@jest/globals';
import { mentionedIn, newlyMentioned } from './mention.rules.ts';

const [ada, grace] = ['0199a1b2-0000-7000-8000-000000000001', '0199a1b2-0000-7000-8000-000000000002'];

test('a mention is an @ before an ID, with or without braces, and counts once', () => {
  expect(mentionedIn(`@{${ada}}, @${grace.toUpperCase()}: look, @{${ada}}!`)).toEqual([ada, grace]);
  expect(mentionedIn(`ada@example.com @ada ${ada} @{${ada}0 @${ada}0`)).toEqual([]);
  expect(mentionedIn(null)).toEqual([]);
});

test('users who were mentioned before are not notified again', () => {
  expect(newlyMentioned(`@{${ada}}`, `@{${ada}} and @{${grace}}`)).toEqual([grace]);
});
