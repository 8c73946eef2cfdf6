/** What revenues and expenses have in common, and what they differ in. */
import { type Caller, lifecycle } from '@suite/chassis';
import type { TaxSnapshot } from '@suite/document-lines';
import { actionsOf } from '../actions.ts';
import type { Party } from '../ledger/journal.rules.ts';
import type { Column, Table } from '../tables.ts';
import type { InvoicePart } from '../payments/payment.ts';

/** revenue | expense: the word in the names of tables. */
export type CashKind = 'revenue' | 'expense';

const table = {
  draft: { approve: 'approved' },
  approved: { unapprove: 'draft', post: 'posted' },
  posted: { reverse: 'reversed' },
  reversed: {},
} as const;

/** The states of a kind of document, and what may be done in them. */
function statesOf(kind: CashKind) {
  const states = lifecycle(kind, table);
  const [approve, post] = [`${kind}.approve`, `${kind}.post`];
  const change = { update: `${kind}.update`, delete: `${kind}.delete` };
  const permissions = { approve, unapprove: approve, post, reverse: post, ...change };
  return { states, actions: actionsOf(states, permissions, { draft: ['update', 'delete'] }) };
}

/** What a kind is called in the database: its columns are those of its table. */
interface Names<Documents extends Table> extends Record<string, unknown> {
  table: Documents;
  party_column: Column<Documents>;
  allocations: Column<Documents>;
}

/** What revenues and expenses differ in. */
export const CASH = {
  revenue: {
    table: 'revenues',
    party: 'customer',
    party_column: 'customer_id',
    allocations: 'invoice_allocations',
    ...statesOf('revenue'),
  },
  expense: {
    table: 'expenses',
    party: 'vendor',
    party_column: 'vendor_id',
    allocations: 'bill_allocations',
    ...statesOf('expense'),
  },
} as const satisfies { revenue: Names<'revenues'>; expense: Names<'expenses'> };

/** A part of an invoice or bill that a document settles, and what that takes of its amount. */
export interface Allocated extends InvoicePart {
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

/** What a caller may do with a document of a kind, by its state. */
export const allowedTo =
  (kind: CashKind, caller: Caller | null) =>
  (status: string): string[] =>
    CASH[kind].actions.in(status, caller);

/** Whose it is. */
export const cashParty = (kind: CashKind, party_id: string | null): Party | null =>
  party_id ? { kind: CASH[kind].party, id: party_id } : null;
