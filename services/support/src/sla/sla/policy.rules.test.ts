import { expect, test } from '@jest/globals';
import { matchesConditions, policyFor } from './policy.rules.ts';

const ticket = {
  priority: 'high',
  category_id: 'a',
  type: null,
  customer_id: null,
  tags: ['vip', 'eu'],
  channel: 'api',
};

test.each([
  [{}, true],
  [{ priority: ['high', 'urgent'] }, true],
  [{ priority: ['low'] }, false],
  [{ priority: ['high'], category_id: ['b'] }, false],
  [{ tags: ['eu'] }, true],
  [{ tags: ['us'] }, false],
  [{ type: ['incident'] }, false],
  [{ customer_id: [] }, false],
])('%j matches: %s', (conditions, expected) => expect(matchesConditions(conditions, ticket)).toBe(expected));

test('applies the first active policy that matches', () => {
  const policies = [
    { name: 'off', active: false, conditions: {} },
    { name: 'low', active: true, conditions: { priority: ['low'] } },
    { name: 'first', active: true, conditions: {} },
    { name: 'second', active: true, conditions: {} },
  ];
  expect(policyFor(policies, ticket)?.name).toBe('first');
  expect(policyFor([], ticket)).toBeUndefined();
});
