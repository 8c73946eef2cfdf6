/** Customer refunds: money returned to customers from a credit note or an advance. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { withDateWarnings, ok } from '@suite/chassis/operations';
import { Reconciled } from '../../banking/banking/reconciliation.ts';
import { BeforeDocument } from '../../ledger/ledger/open-items.rules.ts';
import { AlreadyReversed, PeriodLocked } from '../../ledger/ledger/journal.ts';
import { ReversalInput } from '../../ledger/ledger/reversal.schema.ts';
import { accounting } from '../../operations.ts';
import { readRefund, reverseRefund } from './refund.ts';
import { refundStates } from './refund.rules.ts';
import { Refund } from './refund.schema.ts';

const { command } = accounting;

export const reverse = command('POST /api/customer-refunds/reverse/{id}', {
  summary: 'Reverse a customer refund',
  description:
    'Posts the opposite entries, on the date of the refund or on a later day. Reopens the credit note or the advance. Repeating the request changes nothing.',
  addition: 'Advances can be refunded, and a mistaken refund reversed.',
  access: refundStates.sales.can('reverse'),
  params: { id: idOf('refunds') },
  query: { dry_run: DryRun },
  body: ReversalInput,
  reply: withDateWarnings(ok(Refund), { body: 'date', record: 'date' }),
  faults: [Reconciled, BeforeDocument, PeriodLocked, AlreadyReversed],
  handle: async ({ params, body, ...context }) => {
    await reverseRefund(context, 'sales', params.id, body.date);
    return await readRefund(context.db, context.caller, 'sales', params.id);
  },
});
