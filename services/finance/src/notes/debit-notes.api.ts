/** Debit notes: what we have with vendors, for what we gave back. */
import { can, page, paginate } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { DebitNote, DebitNoteFilter } from './note.schema.ts';
import { noteView } from './note-view.ts';

const { query } = accounting;

export const list = query('GET /api/debit-notes', {
  summary: 'List debit notes',
  access: can('purchase_return.view'),
  query: DebitNoteFilter,
  reply: page(DebitNote),
  handle: ({ db, query }) => paginate(db, query, noteView(db, 'purchase')),
});
