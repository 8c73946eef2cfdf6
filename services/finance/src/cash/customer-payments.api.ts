/** Customer payments: money that customers paid us, and which invoices it settled. */
import { can, page, paginate } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { CustomerPayment, CustomerPaymentFilter } from './payment.schema.ts';
import { paymentView } from './payment-view.ts';

const { query } = accounting;

export const list = query('GET /api/customer-payments', {
  summary: 'List customer payments',
  access: can('revenue.view'),
  query: CustomerPaymentFilter,
  reply: page(CustomerPayment),
  handle: ({ db, query }) => paginate(db, query, paymentView(db, 'customer')),
});
