/**
 * Example calls for invoices, payments and the ledger. `$other_bank_account` is the ID of a shared record, and
 * `$other_bank_account!` the ID of a record created for the call.
 */
import type { ExampleCall } from '../recorder/recorder.ts';

const DAY = '2026-11-02';
const LATER = '2026-11-09';
const lines = [{ product_id: '$product', qty: '2' }];
const address = '12 Canal Street\nLeeds LS1 4DY';

const cashCalls = (kind: 'revenue' | 'expense'): Record<string, ExampleCall> => ({
  [`${kind}s.create`]: {
    body: {
      date: LATER,
      category_id: `$${kind}_category`,
      bank_account_id: '$bank_account',
      amount: '90.00',
      description: kind === 'revenue' ? 'Repair of a wheel' : 'Electricity in October',
    },
  },
  [`${kind}s.update`]: { body: { amount: '95.00' } },
  [`${kind}s.unapprove`]: { path: { id: `$approved_${kind}!` } },
  [`${kind}s.post`]: { path: { id: `$approved_${kind}!` } },
  [`${kind}s.reverse`]: { path: { id: `$posted_${kind}!` } },
  [`${kind}Categories.create`]: {
    body: { name: kind === 'revenue' ? 'Rentals' : 'Energy', gl_account_id: `$${kind}_account` },
  },
  [`${kind}Categories.update`]: { body: { name: kind === 'revenue' ? 'Rentals by the day' : 'Energy and water' } },
});

const returnCalls = (kind: 'sales' | 'purchase'): Record<string, ExampleCall> => ({
  [`${kind}Returns.create`]: {
    body: {
      invoice_id: `$posted_${kind}_invoice!`,
      return_date: LATER,
      reason: 'defective',
      lines: [{ invoice_line_id: `$posted_${kind}_invoice!.lines.0.id`, qty: '1' }],
    },
  },
  [`${kind}Returns.complete`]: { path: { return_id: `$approved_${kind}_return!` } },
  [`${kind}Returns.cancel`]: { path: { return_id: `$approved_${kind}_return!` } },
  [`${kind}Invoices.cancel`]: { path: { invoice_id: `$posted_${kind}_invoice!` } },
});

const partyCalls = (kind: 'customer' | 'vendor'): Record<string, ExampleCall> => ({
  [`${kind}s.create`]: {
    body: {
      name: 'Lovelace Cycles',
      company: 'Lovelace Cycles Ltd',
      email: `${kind}@lovelace.example`,
      billing_address: address,
      payment_terms_days: 14,
    },
  },
  [`${kind}s.update`]: { body: { phone: '+44 20 7946 0018', payment_terms_days: 30 } },
  [`${kind}Payments.allocate`]: {
    body: {
      allocations: [
        { invoice_id: kind === 'customer' ? '$posted_sales_invoice!' : '$posted_purchase_invoice!', amount: '40.00' },
      ],
    },
  },
  [`${kind}Payments.deallocate`]: {
    path: { id: `$${kind}_payment!` },
    body: { allocation_ids: [`$${kind}_payment!.allocations.0.id`], date: '2026-11-16' },
  },
  [`${kind}Payments.refund`]: { body: { bank_account_id: '$bank_account', amount: '40.00', reference: 'Overpaid' } },
  [`${kind}Refunds.reverse`]: { path: { id: `$${kind}_refund!` } },
});

/** Returns the call that undoes the application of a note. */
const unapplying = (kind: 'credit' | 'debit'): ExampleCall => ({
  path: { id: `$applied_${kind}_note!` },
  body: { allocation_ids: [`$applied_${kind}_note!.applications.0.id`] },
});

export const bookCalls: Record<string, ExampleCall> = {
  ...cashCalls('revenue'),
  ...cashCalls('expense'),
  ...returnCalls('sales'),
  ...returnCalls('purchase'),
  ...partyCalls('customer'),
  ...partyCalls('vendor'),
  'salesInvoices.create': { body: { customer_id: '$customer', invoice_date: DAY, lines, notes: 'Thank you.' } },
  'salesInvoices.update': { body: { notes: 'Thank you for your order.' } },
  'purchaseInvoices.create': {
    body: { vendor_id: '$vendor', invoice_date: DAY, vendor_reference: 'R-2026-118', lines },
  },
  'purchaseInvoices.update': { body: { vendor_reference: 'R-2026-119' } },
  'purchaseInvoices.post': { path: { invoice_id: '$purchase_invoice!' } },
  'purchaseInvoices.cancel': { path: { invoice_id: '$posted_bill_of_services!' } },
  'creditNotes.apply': { body: { allocations: [{ invoice_id: '$posted_sales_invoice!', amount: '40.00' }] } },
  'creditNotes.unapply': unapplying('credit'),
  'debitNotes.unapply': unapplying('debit'),
  'revaluations.create': {
    body: {
      date: '2026-10-31',
      rates: [
        { currency: 'USD', rate: '0.9231' },
        { currency: 'GBP', rate: '1.1542' },
      ],
    },
  },
  'revaluations.reverse': { path: { id: '$revaluation!' } },
  'creditNotes.refund': { body: { bank_account_id: '$bank_account', amount: '40.00', method: 'bank' } },
  'debitNotes.apply': { body: { allocations: [{ invoice_id: '$posted_purchase_invoice!', amount: '40.00' }] } },
  'debitNotes.refund': { body: { bank_account_id: '$bank_account', amount: '40.00', method: 'bank' } },
  'periodLocks.create': { body: { scope: 'payroll', locked_through: '2025-12-31', reason: 'The year is reported.' } },
  'periodLocks.remove': { path: { id: '$purchases_lock!' } },
  'periodLocks.update': { path: { id: '$banking_lock!' }, body: { reason: 'Reported and paid.' } },
  'settings.update': { body: { credit_limit: 'warn' } },
  'agents.create': {
    body: { user_id: '$person!', name: 'Grace Hopper', code: 'GRACE', plan_id: '$commission_plan' },
  },
  'agents.update': { path: { id: '$own_agent!' }, body: { name: 'Alan M. Turing' } },
  'agents.remove': { path: { id: '$own_agent!' } },
  'agents.outstanding': { path: { agent: '$agent' } },
  'commissionPlans.create': {
    body: { name: 'Sales team', type: 'percent', base: 'net', trigger: 'posting', rate: '4', valid_to: '2099-12-31' },
  },
  'commissionPlans.update': { body: { rate: '4.5' } },
  'commissions.pay': { path: { id: '$approved_commission!' }, body: { bank_account_id: '$bank_account' } },
  'reports.showCustomerStatement': { path: { id: '$customer' } },
  'reports.showVendorStatement': { path: { id: '$vendor' } },
  'customersV1.create': {
    body: { name: 'Babbage Bicycles', external_id: 'shop-4711', email: 'orders@babbage.example', currency: 'EUR' },
  },
  'customersV1.update': { body: { name: 'Babbage Bicycles', phone: '+44 20 7946 0018' } },
  'invoicesV1.create': { body: { customer_id: '$customer', invoice_date: DAY, external_id: 'order-4711', lines } },
  'invoicesV1.show': { path: { id: '$sales_invoice' } },
  'bankAccounts.create': { body: { bank_name: 'First Bank', account_name: 'Wages', account_number: 'GB33 0001' } },
  'bankAccounts.update': { path: { id: '$other_bank_account!' }, body: { account_name: 'Reserves' } },
  'bankAccounts.remove': { path: { id: '$other_bank_account!' } },
  'bankTransactions.unreconcile': { path: { id: '$reconciled_transaction!' } },
  'bankTransfers.create': {
    body: {
      from_account_id: '$bank_account',
      to_account_id: '$other_bank_account',
      date: LATER,
      amount: '500.00',
      reference: 'Savings',
    },
  },
};
