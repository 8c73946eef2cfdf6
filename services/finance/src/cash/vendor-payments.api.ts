/** Vendor payments: money that we paid vendors, and which bills it settled. */
import { can, page, paginate } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { VendorPayment, VendorPaymentFilter } from './payment.schema.ts';
import { paymentView } from './payment-view.ts';

const { query } = accounting;

export const list = query('GET /api/vendor-payments', {
  summary: 'List vendor payments',
  access: can('expense.view'),
  query: VendorPaymentFilter,
  reply: page(VendorPayment),
  handle: ({ db, query }) => paginate(db, query, paymentView(db, 'vendor')),
});
