import {
  allOf,
  anyOf,
  allUsers,
  follows,
  isActor,
  linkedBy,
  noneOr,
  ownedBy,
  refersTo,
  seesAll,
  staffAnd,
  staffOnly,
  type Visibility,
  visibility,
} from '@suite/chassis/visibility';

// Clients and vendors see the customer or vendor that they are linked to.
const [ofCustomer, ofVendor] = [refersTo('customer_id', 'customers'), refersTo('vendor_id', 'vendors')];
/** Visibility of rows with a customer or a vendor: staff see the rows of customers or vendors that they see. */
const ofParties = { client: ofCustomer, vendor: ofVendor, staff: allOf(noneOr(ofCustomer), noneOr(ofVendor)) };
const hasParty = anyOf('payments.customer_id IS NOT NULL', 'payments.vendor_id IS NOT NULL');
/** POS payments of unknown customers belong to no user, so members of staff see all of them or none. */
const payments = {
  all: allOf(ofParties.staff, anyOf(hasParty, seesAll('pos_order'))),
  limited: allOf(ofParties.staff, hasParty),
};
const postedSales = allOf(ofCustomer, "status <> 'draft'");
const postedPurchases = allOf(ofVendor, "status <> 'draft'");

const documents = { sales_invoice_id: 'sales_invoices', purchase_invoice_id: 'purchase_invoices' };
const returns = { sales_return_id: 'sales_returns', purchase_return_id: 'purchase_returns' };
const ofVisibleAgents = refersTo('agent_id', 'agents');
const ofAgentsWhoHaveIt = refersTo('id', 'agents', 'plan_id');

/**
 * Staff see complete amounts wherever an operation admits them, such as the balance of a customer. The operations alone
 * therefore check the permission to view.
 */
const ungated = (table: string, conditions: Omit<Parameters<typeof visibility>[1], 'gated'>): Visibility =>
  visibility(table, { ...conditions, gated: false });

/** Visibility rules of finance. A record scope restricts which documents staff see. */
export const visibilityRules = [
  ungated('customers', {
    noun: 'customer',
    limited: ownedBy('created_by'),
    client: isActor('user_id'),
  }),
  ungated('vendors', {
    noun: 'vendor',
    limited: ownedBy('created_by'),
    vendor: isActor('user_id'),
  }),
  ungated('sales_invoices', {
    noun: 'sales_invoice',
    limited: anyOf(ownedBy('created_by'), linkedBy('agents', { record: 'id', user: 'user_id', column: 'agent_id' })),
    client: postedSales,
  }),
  ungated('purchase_invoices', {
    noun: 'purchase_invoice',
    limited: ownedBy('created_by'),
    vendor: postedPurchases,
  }),
  ungated('sales_returns', {
    noun: 'sales_return',
    limited: anyOf(ownedBy('created_by'), refersTo('invoice_id', 'sales_invoices')),
    client: postedSales,
  }),
  ungated('purchase_returns', {
    noun: 'purchase_return',
    limited: anyOf(ownedBy('created_by'), refersTo('invoice_id', 'purchase_invoices')),
    vendor: postedPurchases,
  }),
  follows('invoice_lines', documents, { outsiders: true }),
  follows('return_lines', returns, { outsiders: true }),

  staffAnd('notes', ofParties),
  follows('refunds', { note_id: 'notes', payment_id: 'payments' }, { outsiders: true }),
  ungated('payments', {
    noun: 'revenue',
    ...payments,
    none: payments.limited,
    client: ofCustomer,
    vendor: ofVendor,
  }),
  staffAnd('open_items', ofParties),
  follows('allocations', { claim_id: 'open_items' }, { outsiders: true }),

  ungated('revenues', { noun: 'revenue', limited: ownedBy('created_by') }),
  ungated('expenses', { noun: 'expense', limited: ownedBy('created_by') }),
  ungated('agents', {
    noun: 'commission',
    limited: ownedBy('user_id'),
    client: isActor('user_id'),
    vendor: isActor('user_id'),
  }),
  ungated('commission_plans', {
    noun: 'commission',
    limited: ofAgentsWhoHaveIt,
    client: ofAgentsWhoHaveIt,
    vendor: ofAgentsWhoHaveIt,
  }),
  ...['commission_lines', 'commission_terms'].map((table) =>
    ungated(table, {
      noun: 'commission',
      limited: ofVisibleAgents,
      client: ofVisibleAgents,
      vendor: ofVisibleAgents,
    }),
  ),
  follows('commission_moves', { line_id: 'commission_lines' }, { outsiders: true }),

  ...allUsers('books'),
  ...staffOnly(
    'account_types',
    'gl_accounts',
    'period_locks',
    'revaluations',
    'revaluation_lines',
    'ledger_heads',
    'journal_entries',
    'journal_lines',
  ),
  ...staffOnly('tax_lines'),
  // Customers pay to the accounts on their invoices.
  staffAnd('bank_accounts', { client: 'on_invoices' }),
  ...staffOnly('bank_transactions', 'bank_transfers', 'revenue_categories', 'expense_categories'),
  ...staffOnly('agreements', 'stock_sagas', 'number_counters', 'waiting_refunds', 'requested_entries'),
];
