/** Views of notes. */
import { sql } from '@suite/chassis/database';
import { type ListRequest, many, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../operations.ts';
import { NoteDetails } from './note.schema.ts';

const view = (db: Db) => {
  const pages = many('note_id', (ids) =>
    db.rows(sql`SELECT id, note_id, text FROM pages WHERE note_id = ANY(${ids}::uuid[]) ORDER BY id`),
  );
  return { table: 'notes', expand: { pages } };
};

/** Returns one page of the notes that the caller may see. */
export const listNotes = (db: Db, request: ListRequest) => paginate(db, request, view(db));

/** Returns a note with its pages. @throws NotFound if the caller may not see the note */
export const readNote = (db: Db, id: string) => readOne(db, NoteDetails, id, view(db));
