/** Notes for later. A note has pages and can have a due date and a cost. It is open until it is done. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../operations.ts';
import { createNote, finishNote, removeNote, reopenNote, updateNote } from './note.ts';
import { NoteIsDone, noteStates } from './note.rules.ts';
import { Note, NoteChanges, NoteDetails, NoteFilter, NoteInput } from './note.schema.ts';
import { listNotes, readNote } from './note.view.ts';

export const list = query('GET /api/notes', {
  summary: 'List notes',
  access: can('note.view'),
  query: NoteFilter,
  reply: page(Note),
  handle: ({ db, query }) => listNotes(db, query),
});

export const show = query('GET /api/note/show/{id}', {
  summary: 'Get a note',
  access: can('note.view'),
  params: { id: idOf('notes') },
  reply: ok(NoteDetails),
  handle: ({ db, params }) => readNote(db, params.id),
});

export const create = command('POST /api/note/create', {
  summary: 'Create a note',
  description: 'Creates a note with up to ten pages. Titles are unique.',
  access: can('note.create'),
  body: NoteInput,
  reply: created(NoteDetails),
  handle: ({ body, ...context }) => createNote(context, body),
});

export const update = command('POST /api/note/update/{id}', {
  summary: 'Update a note',
  access: can('note.update'),
  params: { id: idOf('notes') },
  body: NoteChanges,
  reply: ok(NoteDetails),
  faults: [NoteIsDone],
  handle: ({ db, params, body, expect }) => updateNote(db, params.id, body, expect),
});

export const finish = command('POST /api/note/finish/{id}', {
  summary: 'Finish a note',
  access: noteStates.can('finish'),
  params: { id: idOf('notes') },
  reply: ok(NoteDetails),
  handle: ({ params, ...context }) => finishNote(context, params.id),
});

export const reopen = command('POST /api/note/reopen/{id}', {
  summary: 'Reopen a note',
  access: noteStates.can('reopen'),
  params: { id: idOf('notes') },
  reply: ok(NoteDetails),
  handle: ({ db, params }) => reopenNote(db, params.id),
});

export const remove = command('DELETE /api/note/delete/{id}', {
  summary: 'Delete a note',
  description: 'A note with pages cannot be deleted.',
  access: can('note.delete'),
  params: { id: idOf('notes') },
  reply: removed,
  handle: ({ db, params }) => removeNote(db, params.id),
});
