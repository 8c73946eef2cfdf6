import { numbering } from '@suite/numbering';

/**
 * Takes the next official number of a document. A document takes its own number first, then the numbers of its
 * follow-up documents, and the journal's number last. This order prevents deadlocks between callers.
 */
export const issueNumber = numbering({
  customer: { prefix: 'CUS', yearly: false },
  vendor: { prefix: 'VEN', yearly: false },
  sales_invoice: { prefix: 'INV', yearly: true },
  purchase_invoice: { prefix: 'BILL', yearly: true },
  sales_return: { prefix: 'SR', yearly: true },
  purchase_return: { prefix: 'PR', yearly: true },
  credit_note: { prefix: 'CN', yearly: true },
  debit_note: { prefix: 'DN', yearly: true },
  refund: { prefix: 'REF', yearly: true },
  revenue: { prefix: 'REV', yearly: true },
  expense: { prefix: 'EXP', yearly: true },
  customer_payment: { prefix: 'PAY', yearly: true },
  vendor_payment: { prefix: 'VPAY', yearly: true },
  bank_transfer: { prefix: 'TRF', yearly: true },
});
