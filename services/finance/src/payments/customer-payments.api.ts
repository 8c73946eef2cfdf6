/** Customer payments: money that customers paid us, and which invoices it settled. */
import { can, idOf, ok, page, paginate, readOne } from '@suite/chassis';
import { PeriodLocked } from '../ledger/journal.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../ledger/claims.rules.ts';
import { accounting } from '../operations.ts';
import { allocatePayment } from './allocation.ts';
import { AllocationInputs, CustomerPayment, CustomerPaymentFilter } from './payment.schema.ts';
import { paymentView } from './payment.view.ts';
import { paymentStates } from '../banking/reconciliation.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/customer-payments', {
  summary: 'List customer payments',
  access: can('revenue.view'),
  query: CustomerPaymentFilter,
  reply: page(CustomerPayment),
  handle: ({ db, query, caller }) => paginate(db, query, paymentView(db, 'customer', caller)),
});

export const allocate = command('POST /api/customer-payments/allocate/{id}', {
  summary: 'Set a payment against invoices',
  description: 'Sets the rest of it against later invoices.',
  access: paymentStates.customer.can('allocate'),
  params: { id: idOf('payments') },
  body: AllocationInputs.sales,
  reply: ok(CustomerPayment),
  faults: [OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked, AmountTooSmall],
  handle: async ({ db, emit, caller, params, body }) => {
    await allocatePayment({ db, emit, caller }, 'customer', params.id, body);
    return await readOne(db, CustomerPayment, params.id, paymentView(db, 'customer', caller));
  },
});
