/** The states of a note, and the rule that protects notes that are done. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const noteStates = lifecycle(
  'note',
  {
    open: { finish: 'done' },
    done: { reopen: 'open' },
  },
  { actions: { finish: 'note.update', reopen: 'note.update' } },
);

export const NoteIsDone = fault(409, 'note_is_done', 'This note is done. Reopen it to change it.');

/** Checks that a note is open. A finished note stays unchanged, because others may have read it. @throws NoteIsDone */
export function assertOpen({ status }: { status: string }): void {
  if (status !== 'open') throw NoteIsDone();
}
