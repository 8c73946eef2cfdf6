/** Credit notes: what customers have with us, for what they gave back. */
import { can, page, paginate } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { CreditNote, CreditNoteFilter } from './note.schema.ts';
import { noteView } from './note-view.ts';

const { query } = accounting;

export const list = query('GET /api/credit-notes', {
  summary: 'List credit notes',
  access: can('sales_return.view'),
  query: CreditNoteFilter,
  reply: page(CreditNote),
  handle: ({ db, query }) => paginate(db, query, noteView(db, 'sales')),
});
