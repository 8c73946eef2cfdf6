/**
 * Columns of finance that store IDs of other services' records, and records of finance that other services reference.
 */
import { ownedKind, referencesTo } from '@suite/chassis/visibility';
import { fetchSeller } from './commissions/agents/agent.ts';
import { fetchChangeReferences, fetchInvoiceReferences, fetchWarehouse } from './invoices/documents/lines.ts';
import { fetchPortalUser } from './parties/portal-user.ts';
import { snapshotTax } from './cash/revenues-expenses/cash-tax.ts';
import { fetchReferences } from './cash/revenues-expenses/expense-references.ts';

const lines = [fetchInvoiceReferences, fetchChangeReferences];

export const references = [
  referencesTo('inventory.product', {
    checked_by: lines,
    columns: { invoice_lines: 'product_id', journal_lines: 'product_id' },
  }),
  referencesTo('inventory.tax', {
    checked_by: [...lines, snapshotTax],
    columns: {
      invoice_lines: 'taxes[].id',
      return_lines: 'taxes[].id',
      revenues: 'tax.id',
      expenses: 'tax.id',
      journal_lines: 'tax_id',
      tax_lines: 'tax_id',
    },
  }),
  referencesTo('inventory.warehouse', {
    checked_by: [...lines, fetchWarehouse],
    columns: {
      sales_invoices: 'warehouse_id',
      purchase_invoices: 'warehouse_id',
      sales_returns: 'warehouse_id',
      purchase_returns: 'warehouse_id',
      journal_lines: 'warehouse_id',
    },
  }),
  referencesTo('inventory.pos_order', {
    checked_by: 'Events of inventory contain the IDs.',
    columns: { waiting_refunds: 'pos_order_id' },
    released: 'POS orders are never deleted.',
  }),
  referencesTo('projects.project', {
    checked_by: [fetchReferences],
    columns: { expenses: 'project_id', journal_lines: 'project_id' },
  }),
  referencesTo('crm.sales_order', {
    checked_by: 'crm creates the invoices of its orders.',
    columns: { sales_invoices: 'sales_order_id' },
    released: 'Only orders without an invoice can be deleted.',
  }),
  referencesTo('crm.proposal', {
    checked_by: 'crm creates the invoices of its proposals.',
    columns: { sales_invoices: 'proposal_id' },
    released: 'Only proposals without an invoice can be deleted.',
  }),
  referencesTo('platform.user', {
    checked_by: [fetchSeller, fetchPortalUser],
    columns: { agents: 'user_id', customers: 'user_id', vendors: 'user_id' },
    released: 'A link to a deleted user grants no access, and the user is erased.',
  }),
];

const ARCHIVE = 'Archive it with `active: false`.';

export const owns = [
  ownedKind('finance.customer', {
    table: 'customers',
    referrers: ['crm', 'inventory', 'projects', 'support'],
    instead: ARCHIVE,
  }),
  ownedKind('finance.bank_account', { table: 'bank_accounts', referrers: ['hr'], instead: ARCHIVE }),
];
