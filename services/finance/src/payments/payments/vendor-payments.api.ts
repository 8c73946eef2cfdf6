/** Vendor payments: money paid to vendors and its allocation to bills. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { accounting } from '../../operations.ts';
import { RefundInput } from '../refunds/refund.schema.ts';
import { RefundAllocation } from '../settlement/deallocation.ts';
import { allocatePayment, deallocatePayment, refundPayment } from './allocation.ts';
import { AllocationInputs, VendorPayment, VendorPaymentFilter, DeallocationInput } from './payment.schema.ts';
import { paymentView, readVendorPayment } from './payment.view.ts';
import { paymentStates } from '../../banking/banking/reconciliation.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/vendor-payments', {
  summary: 'List vendor payments',
  description:
    'Returns payments to vendors with the unallocated remainder. Posting an expense with a vendor creates a payment. Expand `allocations` and `refunds` for their use.',
  access: can('expense.view'),
  query: VendorPaymentFilter,
  reply: page(VendorPayment),
  handle: ({ db, query, caller }) => paginate(db, query, paymentView(db, 'vendor', caller)),
});

export const allocate = command('POST /api/vendor-payments/allocate/{id}', {
  summary: 'Allocate a payment to bills',
  description:
    'Allocates the unallocated remainder to open bills of the vendor. Posts exchange differences. Returns `over_allocated` if an amount exceeds the remainder or a bill.',
  addition: 'The remainder of a payment is allocated to later bills.',
  access: paymentStates.vendor.can('allocate'),
  params: { id: idOf('payments') },
  body: AllocationInputs.purchase,
  reply: withDateWarnings(ok(VendorPayment), { body: 'date' }),
  faults: [OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await allocatePayment(context, 'vendor', params.id, body);
    return await readVendorPayment(context.db, context.caller, params.id);
  },
});

export const deallocate = command('POST /api/vendor-payments/deallocate/{id}', {
  summary: 'Undo allocations of a vendor payment',
  description:
    'Reopens the bills and the payment by an opposite entry for each allocation, exchange differences included. Other allocations stay. To undo a refund, reverse it.',
  addition: 'A wrong allocation can be undone without reversing the payment.',
  access: paymentStates.vendor.can('deallocate'),
  params: { id: idOf('payments') },
  query: { dry_run: DryRun },
  body: DeallocationInput,
  reply: withDateWarnings(ok(VendorPayment), { body: 'date' }),
  faults: [RefundAllocation, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await deallocatePayment(context, 'vendor', params.id, body);
    return await readVendorPayment(context.db, context.caller, params.id);
  },
});

export const refund = command('POST /api/vendor-payments/refund/{id}', {
  summary: 'Record the refund of a vendor advance',
  description:
    'Records that the vendor returns all or part of the unallocated remainder to a bank account. The refund has the exchange rate of the payment.',
  addition: 'Advances can be refunded, and a mistaken refund reversed.',
  access: paymentStates.vendor.can('refund'),
  params: { id: idOf('payments') },
  query: { dry_run: DryRun },
  body: RefundInput,
  reply: withDateWarnings(ok(VendorPayment), { body: 'date' }),
  faults: [OverAllocated, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await refundPayment(context, 'vendor', params.id, body);
    return await readVendorPayment(context.db, context.caller, params.id);
  },
});
