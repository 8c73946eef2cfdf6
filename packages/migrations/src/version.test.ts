import { expect, test } from '@jest/globals';
import { versionProblem } from './version.ts';

test('rejects a server before PostgreSQL 16', () => {
  expect(versionProblem(150_004)).toBe(
    'The suite needs PostgreSQL 16 or later, and this server has 15: upgrade the server.',
  );
  expect([160_000, 180_004].map(versionProblem)).toEqual([null, null]);
});
