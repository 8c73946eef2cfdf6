/** Journal entries never change. Corrections are posted as opposite entries. */
import { paginate } from '@suite/chassis/lists';
import { can, page } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import { JournalEntry, JournalFilter, journalView } from './journal.view.ts';

const { query } = accounting;

export const list = query('GET /api/journal-entries', {
  summary: 'List journal entries',
  description:
    'Returns journal entries. Expand `lines` for their debits and credits. Entries never change: corrections are posted as opposite entries.',
  addition: 'Ledger entries can be read individually, not only as balances.',
  access: can('ledger.view'),
  query: JournalFilter,
  reply: page(JournalEntry),
  handle: ({ db, query }) => paginate(db, query, journalView(db)),
});
