/** Customer payments: money received from customers and its allocation to invoices. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { accounting } from '../../operations.ts';
import { RefundInput } from '../refunds/refund.schema.ts';
import { RefundAllocation } from '../settlement/deallocation.ts';
import { allocatePayment, deallocatePayment, refundPayment } from './allocation.ts';
import { AllocationInputs, CustomerPayment, CustomerPaymentFilter, DeallocationInput } from './payment.schema.ts';
import { paymentView, readCustomerPayment } from './payment.view.ts';
import { paymentStates } from '../../banking/banking/reconciliation.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/customer-payments', {
  summary: 'List customer payments',
  description:
    'Returns payments of customers with the unallocated remainder. Posting a revenue with a customer creates a payment. Expand `allocations` and `refunds` for their use.',
  access: can('revenue.view'),
  query: CustomerPaymentFilter,
  reply: page(CustomerPayment),
  handle: ({ db, query, caller }) => paginate(db, query, paymentView(db, 'customer', caller)),
});

export const allocate = command('POST /api/customer-payments/allocate/{id}', {
  summary: 'Allocate a payment to invoices',
  description:
    'Allocates the unallocated remainder to open invoices of the customer. Posts exchange differences. Returns `over_allocated` if an amount exceeds the remainder or an invoice.',
  addition: 'The remainder of a payment is allocated to later invoices.',
  access: paymentStates.customer.can('allocate'),
  params: { id: idOf('payments') },
  body: AllocationInputs.sales,
  reply: withDateWarnings(ok(CustomerPayment), { body: 'date' }),
  faults: [OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await allocatePayment(context, 'customer', params.id, body);
    return await readCustomerPayment(context.db, context.caller, params.id);
  },
});

export const deallocate = command('POST /api/customer-payments/deallocate/{id}', {
  summary: 'Undo allocations of a customer payment',
  description:
    'Reopens the invoices and the payment by an opposite entry for each allocation, exchange differences included. Other allocations stay. To undo a refund, reverse it.',
  addition: 'A wrong allocation can be undone without reversing the payment.',
  access: paymentStates.customer.can('deallocate'),
  params: { id: idOf('payments') },
  query: { dry_run: DryRun },
  body: DeallocationInput,
  reply: withDateWarnings(ok(CustomerPayment), { body: 'date' }),
  faults: [RefundAllocation, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await deallocatePayment(context, 'customer', params.id, body);
    return await readCustomerPayment(context.db, context.caller, params.id);
  },
});

export const refund = command('POST /api/customer-payments/refund/{id}', {
  summary: 'Refund a customer advance',
  description:
    'Pays all or part of the unallocated remainder to the customer from a bank account. The refund has the exchange rate of the payment.',
  addition: 'Advances can be refunded, and a mistaken refund reversed.',
  access: paymentStates.customer.can('refund'),
  params: { id: idOf('payments') },
  query: { dry_run: DryRun },
  body: RefundInput,
  reply: withDateWarnings(ok(CustomerPayment), { body: 'date' }),
  faults: [OverAllocated, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await refundPayment(context, 'customer', params.id, body);
    return await readCustomerPayment(context.db, context.caller, params.id);
  },
});
