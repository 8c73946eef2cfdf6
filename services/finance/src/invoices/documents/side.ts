/** Differences between the sales side and the purchase side. */
import { sql } from '@suite/chassis/database';
import { lifecycle } from '@suite/chassis/operations';
import type { Column, Table } from '../../operations.ts';
import type { Party } from '../../ledger/ledger/journal.rules.ts';

/** sales | purchase: prefix of the names of tables and columns. */
export type Side = 'sales' | 'purchase';

/**
 * Returns the states of a side's invoices, and the actions allowed in each. A posted invoice follows its settled
 * amount.
 */
const invoiceStates = <Noun extends string>(noun: Noun) =>
  lifecycle(
    noun,
    {
      draft: { post: 'posted' },
      posted: { cancel: 'cancelled' },
      partially_paid: {},
      paid: {},
      credited: {},
      cancelled: {},
    },
    {
      actions: {
        post: `${noun}.post`,
        cancel: `${noun}.post`,
        update: { permission: `${noun}.update`, in: ['draft'] },
        delete: { permission: `${noun}.delete`, in: ['draft'] },
      },
      derived: { among: ['posted', 'partially_paid', 'paid', 'credited'], from: 'the settled amount and its credits' },
    },
  );

/** Statuses of a side's returns, with the allowed actions. */
const returnStates = <Noun extends string>(noun: Noun) =>
  lifecycle(
    noun,
    {
      draft: { approve: 'approved' },
      approved: { complete: 'completed', cancel: 'cancelled' },
      completed: {},
      cancelled: {},
    },
    {
      actions: {
        approve: `${noun}.approve`,
        complete: `${noun}.complete`,
        cancel: `${noun}.approve`,
        delete: { permission: `${noun}.delete`, in: ['draft'] },
      },
    },
  );

/** Database names of a side. Its columns are the columns of its tables. */
interface DatabaseNames<Invoices extends Table, Returns extends Table> extends Record<string, unknown> {
  invoices: Invoices;
  invoice_key: Column<'invoice_lines'>;
  returns: Returns;
  return_key: Column<'return_lines'> & Column<'notes'>;
  party_column: Column<Invoices> & Column<Returns> & Column<'notes'>;
  note_column: Column<Returns>;
}

/** Differences between the two sides. */
export const SIDES = {
  sales: {
    invoices: 'sales_invoices',
    invoice: 'sales_invoice',
    invoice_key: 'sales_invoice_id',
    returns: 'sales_returns',
    return: 'sales_return',
    return_key: 'sales_return_id',
    party: 'customer',
    party_column: 'customer_id',
    /** Columns for the documents that an invoice was created from, and its agent. */
    origins: sql`sales_order_id, proposal_id, agent_id, agreed_discount, allow_over_invoicing`,
    scope: 'sales',
    claim_role: 'receivable',
    tax_side: 'output',
    /** Use of the expense accounts of its lines. */
    expense_use: 'expense',
    note: 'credit_note',
    note_column: 'credit_note_id',
    /** Direction of goods when an invoice is posted, and when a return is completed. */
    moves: { invoice: 'issue', return: 'receipt' },
    states: invoiceStates('sales_invoice'),
    return_states: returnStates('sales_return'),
  },
  purchase: {
    invoices: 'purchase_invoices',
    invoice: 'purchase_invoice',
    invoice_key: 'purchase_invoice_id',
    returns: 'purchase_returns',
    return: 'purchase_return',
    return_key: 'purchase_return_id',
    party: 'vendor',
    party_column: 'vendor_id',
    origins: sql`NULL::uuid AS sales_order_id, NULL::uuid AS proposal_id, NULL::uuid AS agent_id,
      FALSE AS agreed_discount, FALSE AS allow_over_invoicing`,
    scope: 'purchases',
    claim_role: 'payable',
    tax_side: 'input',
    expense_use: 'bill',
    note: 'debit_note',
    note_column: 'debit_note_id',
    moves: { invoice: 'receipt', return: 'issue' },
    states: invoiceStates('purchase_invoice'),
    return_states: returnStates('purchase_return'),
  },
} as const satisfies {
  sales: DatabaseNames<'sales_invoices', 'sales_returns'>;
  purchase: DatabaseNames<'purchase_invoices', 'purchase_returns'>;
};

/** Returns the customer or vendor of a document. */
export const partyOf = (side: Side, party_id: string): Party => ({ kind: SIDES[side].party, id: party_id });
