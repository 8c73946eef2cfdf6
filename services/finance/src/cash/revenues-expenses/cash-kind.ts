/** Common fields of revenues and expenses, and their differences. */
import { lifecycle } from '@suite/chassis/operations';
import type { TaxSnapshot } from '@suite/document-lines';
import type { Party } from '../../ledger/ledger/journal.rules.ts';
import type { Column, Table } from '../../operations.ts';
import type { InvoicePart } from '../../payments/payments/payment.ts';

/** revenue | expense: part of the table names. */
export type CashKind = 'revenue' | 'expense';

/** Returns the statuses of a kind of document, with the allowed actions. */
const statesOf = (kind: CashKind) =>
  lifecycle(
    kind,
    {
      draft: { approve: 'approved' },
      approved: { unapprove: 'draft', post: 'posted' },
      posted: { reverse: 'reversed' },
      reversed: {},
    },
    {
      actions: {
        approve: `${kind}.approve`,
        unapprove: `${kind}.approve`,
        post: `${kind}.post`,
        reverse: `${kind}.post`,
        update: { permission: `${kind}.update`, in: ['draft'] },
        delete: { permission: `${kind}.delete`, in: ['draft'] },
      },
    },
  );

/** Database names of a kind. Its columns are the columns of its table. */
interface DatabaseNames<Documents extends Table> extends Record<string, unknown> {
  table: Documents;
  party_column: Column<Documents>;
  allocations: Column<Documents>;
}

/** Differences between revenues and expenses. */
export const CASH = {
  revenue: {
    table: 'revenues',
    own_kind: 'income',
    party: 'customer',
    party_column: 'customer_id',
    allocations: 'invoice_allocations',
    states: statesOf('revenue'),
  },
  expense: {
    table: 'expenses',
    own_kind: 'expense',
    party: 'vendor',
    party_column: 'vendor_id',
    allocations: 'bill_allocations',
    states: statesOf('expense'),
  },
} as const satisfies { revenue: DatabaseNames<'revenues'>; expense: DatabaseNames<'expenses'> };

/** Settled part of an invoice or bill, with its share of the document's amount. */
export interface AllocatedInvoice extends InvoicePart {
  /** Currency of the invoice. Missing in old records. */
  currency?: string;
  rate: string | null;
  credit_amount: string;
}

/** Revenue or expense, with the column names that both share. */
export interface CashDocument {
  id: string;
  number: string | null;
  status: string;
  date: string;
  category_id: string;
  bank_account_id: string;
  party_id: string | null;
  project_id: string | null;
  /** Kind: `payment` settles invoices or is an advance. `income` and `expense` are posted to the category. */
  kind: 'income' | 'expense' | 'payment';
  method: string;
  amount: string;
  currency: string;
  rate: string;
  tax: TaxSnapshot | null;
  net: string;
  tax_amount: string;
  reference: string | null;
  description: string | null;
  allocations: AllocatedInvoice[];
  journal_id: string | null;
  created_by: string | null;
  version: number;
}

/** Returns the customer or vendor of a document, if it has one. */
export const cashParty = (kind: CashKind, party_id: string | null): Party | null =>
  party_id ? { kind: CASH[kind].party, id: party_id } : null;
