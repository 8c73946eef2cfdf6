import { expect, test } from '@jest/globals';
import { mentionedUsers, newlyMentioned } from './mention.rules.ts';

const [ada, grace] = ['0199a1b2-0000-7000-8000-000000000001', '0199a1b2-0000-7000-8000-000000000002'];

test('finds an @ before an ID, with or without braces, once per user', () => {
  expect(mentionedUsers(`@{${ada}}, @${grace.toUpperCase()}: look, @{${ada}}!`)).toEqual([ada, grace]);
  expect(mentionedUsers(`ada@example.com @ada ${ada} @{${ada}0 @${ada}0`)).toEqual([]);
  expect(mentionedUsers(null)).toEqual([]);
});

test('notifies users who were mentioned before only once', () => {
  expect(newlyMentioned(`@{${ada}}`, `@{${ada}} and @{${grace}}`)).toEqual([grace]);
});
