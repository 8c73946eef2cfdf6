/** Debit notes: amounts in your favour after returns to vendors. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { AllocationInputs, DeallocationInput } from '../payments/payment.schema.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { accounting } from '../../operations.ts';
import { DebitNote, DebitNoteFilter } from './note.schema.ts';
import { noteView, readDebitNote } from './note.view.ts';
import { RefundInput } from '../refunds/refund.schema.ts';
import { RefundAllocation } from '../settlement/deallocation.ts';
import { applyNote, NoteIsDraft, refundNote, unapplyNote } from './note-application.ts';
import { noteStates } from './note.rules.ts';

const ADDITION =
  'The remainder of a note is applied to other invoices or refunded: the specification only reads notes.';

const { query, command } = accounting;

export const list = query('GET /api/debit-notes', {
  summary: 'List debit notes',
  description: 'Returns debit notes with the remaining amount. Expand `applications` and `refunds` for their use.',
  access: can('purchase_return.view'),
  query: DebitNoteFilter,
  reply: page(DebitNote),
  handle: ({ db, query, caller }) => paginate(db, query, noteView(db, 'purchase', caller)),
});

export const apply = command('POST /api/debit-notes/apply/{id}', {
  summary: 'Apply a debit note to bills',
  description:
    'Applies the remainder of a debit note to open bills of the vendor. Posts exchange differences. Returns `over_allocated` if an amount exceeds the remainder or a bill.',
  addition: ADDITION,
  access: noteStates.purchase.can('apply'),
  params: { id: idOf('notes') },
  body: AllocationInputs.purchase,
  reply: withDateWarnings(ok(DebitNote), { body: 'date' }),
  faults: [NoteIsDraft, OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await applyNote(context, 'purchase', params.id, body);
    return await readDebitNote(context.db, context.caller, params.id);
  },
});

export const refund = command('POST /api/debit-notes/refund/{id}', {
  summary: 'Record the refund of a debit note',
  description:
    'Records that the vendor pays all or part of the remainder to a bank account. Returns `over_allocated` if the amount exceeds the remainder.',
  addition: ADDITION,
  access: noteStates.purchase.can('refund'),
  params: { id: idOf('notes') },
  body: RefundInput,
  reply: withDateWarnings(ok(DebitNote), { body: 'date' }),
  faults: [NoteIsDraft, OverAllocated, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await refundNote(context, 'purchase', params.id, body);
    return await readDebitNote(context.db, context.caller, params.id);
  },
});

export const unapply = command('POST /api/debit-notes/unapply/{id}', {
  summary: 'Undo applications of a debit note',
  description:
    'Reopens the bills and the note by an opposite entry for each application. Other applications stay. To undo a refund, reverse it.',
  addition: 'A wrong allocation can be undone without reversing the payment.',
  access: noteStates.purchase.can('unapply'),
  params: { id: idOf('notes') },
  query: { dry_run: DryRun },
  body: DeallocationInput,
  reply: withDateWarnings(ok(DebitNote), { body: 'date' }),
  faults: [NoteIsDraft, RefundAllocation, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await unapplyNote(context, 'purchase', params.id, body);
    return await readDebitNote(context.db, context.caller, params.id);
  },
});
