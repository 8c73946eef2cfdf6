/** Credit notes: amounts in favour of customers after returns. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate, readOne } from '@suite/chassis/lists';
import { can, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { printFaults } from '@suite/pdf';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { AllocationInputs, DeallocationInput } from '../payments/payment.schema.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { printCreditNote } from './credit-note-pdf.ts';
import { accounting } from '../../operations.ts';
import { CreditNote, CreditNoteDetails, CreditNoteFilter } from './note.schema.ts';
import { creditNoteView, noteView, readCreditNote } from './note.view.ts';
import { RefundInput } from '../refunds/refund.schema.ts';
import { RefundAllocation } from '../settlement/deallocation.ts';
import { applyNote, NoteIsDraft, refundNote, unapplyNote } from './note-application.ts';
import { noteStates } from './note.rules.ts';

const ADDITION =
  'The remainder of a note is applied to other invoices or refunded: the specification only reads notes.';

const { query, command } = accounting;

export const list = query('GET /api/credit-notes', {
  summary: 'List credit notes',
  description: 'Returns credit notes with the remaining amount. Expand `applications` and `refunds` for their use.',
  access: can('sales_return.view'),
  query: CreditNoteFilter,
  reply: page(CreditNote),
  handle: ({ db, query, caller }) => paginate(db, query, noteView(db, 'sales', caller)),
});

export const show = query('GET /api/credit-notes/show/{id}', {
  summary: 'Get a credit note',
  description:
    'Returns a credit note with the returned lines and the invoices to which it was applied. Send `Accept: application/pdf` to get a PDF.',
  addition: 'A credit note is sent to its customer, and the specification only lists credit notes.',
  access: can('sales_return.view'),
  params: { id: idOf('notes') },
  reply: ok(CreditNoteDetails),
  faults: printFaults,
  handle: ({ db, caller, params }) => readOne(db, CreditNoteDetails, params.id, creditNoteView(db, caller)),
  formats: { pdf: printCreditNote },
});

export const apply = command('POST /api/credit-notes/apply/{id}', {
  summary: 'Apply a credit note to invoices',
  description:
    'Applies the remainder of a credit note to open invoices of the customer. Posts exchange differences. Returns `over_allocated` if an amount exceeds the remainder or an invoice.',
  addition: ADDITION,
  access: noteStates.sales.can('apply'),
  params: { id: idOf('notes') },
  body: AllocationInputs.sales,
  reply: withDateWarnings(ok(CreditNote), { body: 'date' }),
  faults: [NoteIsDraft, OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await applyNote(context, 'sales', params.id, body);
    return await readCreditNote(context.db, context.caller, params.id);
  },
});

export const refund = command('POST /api/credit-notes/refund/{id}', {
  summary: 'Refund a credit note',
  description:
    'Pays all or part of the remainder to the customer from a bank account. Returns `over_allocated` if the amount exceeds the remainder.',
  addition: ADDITION,
  access: noteStates.sales.can('refund'),
  params: { id: idOf('notes') },
  body: RefundInput,
  reply: withDateWarnings(ok(CreditNote), { body: 'date' }),
  faults: [NoteIsDraft, OverAllocated, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await refundNote(context, 'sales', params.id, body);
    return await readCreditNote(context.db, context.caller, params.id);
  },
});

export const unapply = command('POST /api/credit-notes/unapply/{id}', {
  summary: 'Undo applications of a credit note',
  description:
    'Reopens the invoices and the note by an opposite entry for each application. Other applications stay. To undo a refund, reverse it.',
  addition: 'A wrong allocation can be undone without reversing the payment.',
  access: noteStates.sales.can('unapply'),
  params: { id: idOf('notes') },
  query: { dry_run: DryRun },
  body: DeallocationInput,
  reply: withDateWarnings(ok(CreditNote), { body: 'date' }),
  faults: [NoteIsDraft, RefundAllocation, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await unapplyNote(context, 'sales', params.id, body);
    return await readCreditNote(context.db, context.caller, params.id);
  },
});
