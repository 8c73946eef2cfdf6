import { describe, expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { perform } from './perform.ts';

/** A database without tables: the test checks only the order of calls. */
const through = (_context: unknown, work: (db: unknown) => unknown) => Promise.resolve(work({}));
const database = { read: through, view: through, write: through, isLimited: () => false } as unknown as Database;
const context = { workspace_id: null, caller: null, operation: 'test', request_id: 'test' };

/** Returns a call whose earlier attempt has ended at the nth look-up. */
function repeat(ends_at: number) {
  let looks = 0;
  return perform(database, context, {
    as: 'write',
    key: {
      answered: async () => ((looks += 1) >= ends_at ? 'the first answer' : undefined),
      once: (work) => work(),
    },
    prepare: () => Promise.reject(new Error('There is nothing left to do.')),
    handle: async () => 'done',
  });
}

describe('a repeated call', () => {
  test('returns the first response', async () => {
    expect(await repeat(1)).toBe('the first answer');
  });

  test('returns the first response even if that attempt ended during `prepare`', async () => {
    expect(await repeat(2)).toBe('the first answer');
  });

  test('is rejected if there was no other attempt', async () => {
    await expect(repeat(3)).rejects.toThrow('nothing left');
  });
});
