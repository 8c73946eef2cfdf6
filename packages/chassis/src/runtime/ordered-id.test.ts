import { expect, test } from '@jest/globals';
import { orderedId } from './ordered-id.ts';

test('creates IDs in ascending order, even within one millisecond', () => {
  const ids = Array.from({ length: 5_000 }, orderedId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(true);
});
