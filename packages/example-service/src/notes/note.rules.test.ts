import { describe, expect, test } from '@jest/globals';
import { assertOpen, noteStates } from './note.rules.ts';

describe('a note', () => {
  test('is finished while it is open, and reopened when it is done', () => {
    expect(noteStates.allowed('open')).toEqual(['finish']);
    expect(noteStates.allowed('done')).toEqual(['reopen']);
  });

  test('takes changes while it is open only', () => {
    expect(() => assertOpen({ status: 'open' })).not.toThrow();
    expect(() => assertOpen({ status: 'done' })).toThrow(expect.objectContaining({ code: 'note_is_done' }));
  });
});
