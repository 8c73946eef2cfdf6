/** Creates, changes, finishes and deletes notes. */
import { change, remove, sql } from '@suite/chassis/database';
import { type Fault, invalid, NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { NoteCreated, NoteFinished } from '@suite/proto/notebook/v1/events';
import type { CommandContext, Db } from '../operations.ts';
import { assertOpen, noteStates } from './note.rules.ts';
import type { NoteChanges, NoteInput, PageInput } from './note.schema.ts';
import { readNote } from './note.view.ts';

/**
 * Locks a note until the end of the transaction, so that it stays open. @throws NoteIsDone, and `absent` if it no
 * longer exists
 */
async function lockOpenNote(db: Db, id: string, absent: () => Fault = NotFound): Promise<void> {
  const [note] = await db.rows<{ status: string }>(sql`
    SELECT status FROM notes WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!note) throw absent();
  assertOpen(note);
}

/** Creates a note with its first pages. */
export async function createNote({ db, emit }: CommandContext, { pages, due, ...input }: NoteInput) {
  const note = await db.note.create({ data: { ...input, due: midnight(due), pages: { create: pages } } });
  emit(NoteCreated, { note_id: note.id, title: note.title });
  return await readNote(db, note.id);
}

/** Updates an open note. @throws NoteIsDone, Stale */
export async function updateNote(
  db: Db,
  id: string,
  { version: _, due, ...changes }: NoteChanges,
  expect: number | undefined,
) {
  await lockOpenNote(db, id);
  await change(db.note, id, { ...changes, due: midnight(due) }, expect);
  return await readNote(db, id);
}

/** Finishes a note. The event is emitted once, however often the command is repeated. */
export async function finishNote({ db, emit }: CommandContext, id: string) {
  if (await noteStates.move(db.note, id, 'finish')) emit(NoteFinished, { note_id: id });
  return await readNote(db, id);
}

/** Reopens a note that is done. */
export async function reopenNote(db: Db, id: string) {
  await noteStates.move(db.note, id, 'reopen');
  return await readNote(db, id);
}

/** Deletes a note. @throws InUse if the note has pages */
export const removeNote = (db: Db, id: string) => remove(db.note, id);

/** Adds a page to an open note. @throws NoteIsDone */
export async function addPage(db: Db, page: PageInput) {
  await lockOpenNote(db, page.note_id, () => invalid('note_id', 'Note not found.'));
  return await db.page.create({ data: page });
}
