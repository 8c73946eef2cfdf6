/** Common fields of revenues and expenses, and their differences. */
import { lifecycle } from '@suite/chassis';
import type { TaxSnapshot } from '@suite/document-lines';
import type { Party } from '../ledger/journal.rules.ts';
import type { Column, Table } from '../tables.ts';
import type { InvoicePart } from '../payments/payment.ts';

/** revenue | expense: the word in the names of tables. */
export type CashKind = 'revenue' | 'expense';

/** The states of a kind of document, and what may be done in them. */
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

/** The names of a kind in the database: its columns are those of its table. */
interface Names<Documents extends Table> extends Record<string, unknown> {
  table: Documents;
  party_column: Column<Documents>;
  allocations: Column<Documents>;
}

/** The differences between revenues and expenses. */
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
} as const satisfies { revenue: Names<'revenues'>; expense: Names<'expenses'> };

/** A part of an invoice or bill that a document settles, and what that takes of its amount. */
export interface Allocated extends InvoicePart {
  /** Currency of the invoice. Absent in records from before it was stored. */
  currency?: string;
  rate: string | null;
  credit_amount: string;
}

/** A revenue or an expense, by the names that both share. */
export interface CashDocument {
  id: string;
  number: string | null;
  status: string;
  date: string;
  category_id: string;
  bank_account_id: string;
  party_id: string | null;
  project_id: string | null;
  /** `payment` settles invoices or is an advance; `income` and `expense` are booked on the category. */
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
  allocations: Allocated[];
  journal_id: string | null;
  created_by: string | null;
  version: number;
}

/** The customer or vendor of a document, if it has one. */
export const cashParty = (kind: CashKind, party_id: string | null): Party | null =>
  party_id ? { kind: CASH[kind].party, id: party_id } : null;
