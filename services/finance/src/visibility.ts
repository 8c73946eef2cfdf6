import { everybody, follows, linked, staffAnd, staffOnly, visibility } from '@suite/chassis';

// Of customers and vendors, people from outside see those whose user they are: their own.
const theirs = {
  client: 'customer_id IN (SELECT customers.id FROM customers)',
  vendor: 'vendor_id IN (SELECT vendors.id FROM vendors)',
};
/** The same of what belongs to one of the two; members of staff see it whose customers or vendors they see. */
const ofParties = {
  ...theirs,
  staff: `(customer_id IS NULL OR ${theirs.client}) AND (vendor_id IS NULL OR ${theirs.vendor})`,
};
const sold = `${theirs.client} AND status <> 'draft'`;
const bought = `${theirs.vendor} AND status <> 'draft'`;

const documents = { sales_invoice_id: 'sales_invoices', purchase_invoice_id: 'purchase_invoices' };
const returns = { sales_return_id: 'sales_returns', purchase_return_id: 'purchase_returns' };
const ofVisibleAgents = 'agent_id IN (SELECT agents.id FROM agents)';

/**
 * Who may see what of the books. Members of staff see whole figures wherever an operation lets them in, such as the balance
 * of a customer; a record scope narrows which documents they see.
 */
export const whoSeesWhat = [
  visibility('customers', {
    ...{ noun: 'customer', gated: false },
    limited: 'customers.created_by = ANY (people)',
    client: 'customers.user_id = actor',
  }),
  visibility('vendors', {
    ...{ noun: 'vendor', gated: false },
    limited: 'vendors.created_by = ANY (people)',
    vendor: 'vendors.user_id = actor',
  }),
  visibility('sales_invoices', {
    ...{ noun: 'sales_invoice', gated: false },
    limited: `sales_invoices.created_by = ANY (people) OR agent_id IN ${linked('agents', 'id', 'user_id')}`,
    client: sold,
  }),
  visibility('purchase_invoices', {
    ...{ noun: 'purchase_invoice', gated: false },
    limited: 'purchase_invoices.created_by = ANY (people)',
    vendor: bought,
  }),
  visibility('sales_returns', {
    ...{ noun: 'sales_return', gated: false },
    limited: 'sales_returns.created_by = ANY (people) OR invoice_id IN (SELECT sales_invoices.id FROM sales_invoices)',
    client: sold,
  }),
  visibility('purchase_returns', {
    ...{ noun: 'purchase_return', gated: false },
    limited:
      'purchase_returns.created_by = ANY (people) OR invoice_id IN (SELECT purchase_invoices.id FROM purchase_invoices)',
    vendor: bought,
  }),
  follows('invoice_lines', documents, { outsiders: true }),
  follows('return_lines', returns, { outsiders: true }),

  staffAnd('notes', ofParties),
  follows('refunds', { note_id: 'notes' }, { outsiders: true }),
  staffAnd('payments', ofParties),
  staffAnd('open_items', ofParties),
  follows('allocations', { claim_id: 'open_items' }, { outsiders: true }),

  visibility('revenues', { noun: 'revenue', gated: false, limited: 'revenues.created_by = ANY (people)' }),
  visibility('expenses', { noun: 'expense', gated: false, limited: 'expenses.created_by = ANY (people)' }),
  visibility('agents', {
    ...{ noun: 'commission', gated: false },
    ...{ limited: 'agents.user_id = ANY (people)', client: 'agents.user_id = actor', vendor: 'agents.user_id = actor' },
  }),
  visibility('commission_plans', {
    ...{ noun: 'commission', gated: false },
    limited: 'commission_plans.id IN (SELECT agents.plan_id FROM agents)',
    client: 'commission_plans.id IN (SELECT agents.plan_id FROM agents)',
    vendor: 'commission_plans.id IN (SELECT agents.plan_id FROM agents)',
  }),
  ...['commission_lines', 'commission_terms'].map((table) =>
    visibility(table, {
      ...{ noun: 'commission', gated: false },
      ...{ limited: ofVisibleAgents, client: ofVisibleAgents, vendor: ofVisibleAgents },
    }),
  ),
  follows('commission_moves', { line_id: 'commission_lines' }, { outsiders: true }),

  ...everybody('books'),
  ...staffOnly('account_types', 'gl_accounts', 'period_locks', 'ledger_heads', 'journal_entries', 'journal_lines'),
  ...staffOnly('bank_accounts', 'bank_transactions', 'bank_transfers', 'revenue_categories', 'expense_categories'),
  ...staffOnly('stock_sagas', 'number_counters', 'waiting_refunds', 'requested_entries'),
];
