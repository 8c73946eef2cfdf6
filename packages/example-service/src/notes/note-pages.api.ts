/** Pages: the text of a note. Pages can be added while a note is open. */
import { can, created } from '@suite/chassis/operations';
import { command } from '../operations.ts';
import { addPage } from './note.ts';
import { NoteIsDone } from './note.rules.ts';
import { Page, PageInput } from './note.schema.ts';

export const create = command('POST /api/page/create', {
  summary: 'Add a page to a note',
  access: can('note.update'),
  body: PageInput,
  reply: created(Page),
  faults: [NoteIsDone],
  handle: ({ db, body }) => addPage(db, body),
});
