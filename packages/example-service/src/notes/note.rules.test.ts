import { describe, expect, test } from '@jest/globals';
import { assertOpen, noteStates } from './note.rules.ts';

describe('a note', () => {
  test('can be finished while open, and reopened when done', () => {
    expect(noteStates.allowed('open')).toEqual(['finish']);
    expect(noteStates.allowed('done')).toEqual(['reopen']);
  });

  test('can be changed only while open', () => {
    expect(() => assertOpen({ status: 'open' })).not.toThrow();
    expect(() => assertOpen({ status: 'done' })).toThrow(expect.objectContaining({ code: 'note_is_done' }));
  });
});
