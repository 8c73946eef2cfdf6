/** Vendor payments: money that we paid vendors, and which bills it settled. */
import { can, idOf, ok, page, paginate, readOne } from '@suite/chassis';
import { PeriodLocked } from '../ledger/journal.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../ledger/claims.rules.ts';
import { accounting } from '../operations.ts';
import { allocatePayment } from './allocation.ts';
import { AllocationInputs, VendorPayment, VendorPaymentFilter } from './payment.schema.ts';
import { paymentView } from './payment.view.ts';
import { paymentStates } from '../banking/reconciliation.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/vendor-payments', {
  summary: 'List vendor payments',
  access: can('expense.view'),
  query: VendorPaymentFilter,
  reply: page(VendorPayment),
  handle: ({ db, query, caller }) => paginate(db, query, paymentView(db, 'vendor', caller)),
});

export const allocate = command('POST /api/vendor-payments/allocate/{id}', {
  summary: 'Set a payment against bills',
  description: 'Sets the rest of it against later bills.',
  access: paymentStates.vendor.can('allocate'),
  params: { id: idOf('payments') },
  body: AllocationInputs.purchase,
  reply: ok(VendorPayment),
  faults: [OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked, AmountTooSmall],
  handle: async ({ db, emit, caller, params, body }) => {
    await allocatePayment({ db, emit, caller }, 'vendor', params.id, body);
    return await readOne(db, VendorPayment, params.id, paymentView(db, 'vendor', caller));
  },
});
