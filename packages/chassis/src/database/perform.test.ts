import { describe, expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { perform } from './perform.ts';

/** A database without tables: what counts here is the order of things. */
const through = (_context: unknown, work: (db: unknown) => unknown) => Promise.resolve(work({}));
const database = { read: through, view: through, write: through, isLimited: () => false } as unknown as Database;
const context = { workspace_id: null, caller: null, operation: 'test', request_id: 'test' };

/** A call whose earlier try has ended when it is looked for the so-manieth time. */
function repeat(ends_at: number) {
  let looks = 0;
  return perform(database, context, {
    as: 'write',
    key: {
      answered: async () => ((looks += 1) >= ends_at ? 'what it was told at first' : undefined),
      once: (work) => work(),
    },
    prepare: () => Promise.reject(new Error('There is nothing left to do.')),
    handle: async () => 'done',
  });
}

describe('a repeated call', () => {
  test('gets the first answer', async () => {
    expect(await repeat(1)).toBe('what it was told at first');
  });

  test('gets it also where the first try ended while this one was prepared, and left nothing to do', async () => {
    expect(await repeat(2)).toBe('what it was told at first');
  });

  test('is refused where there was no other', async () => {
    await expect(repeat(3)).rejects.toThrow('nothing left');
  });
});
