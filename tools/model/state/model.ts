/** The books and the shelves that a company ought to have, after all that it did. */
import { type ExactDecimal, NOTHING } from './exact-decimal.ts';
import type { Discount, Figures, Tax, Totals } from './totals.ts';

export type Trade = 'sales' | 'purchase';

export interface Product {
  id: string;
  sku: string;
  tracked: boolean;
  sale_price: ExactDecimal;
  purchase_price: ExactDecimal;
  taxes: Tax[];
}

/** The stock of a product in a warehouse. */
export interface Level {
  product_id: string;
  warehouse_id: string;
  on_hand: ExactDecimal;
  value: ExactDecimal;
}

export interface Line {
  id: string;
  product: Product | null;
  qty: ExactDecimal;
  figures: Figures;
  /** The cost of the goods; null until they moved, and for what is no goods. */
  cost: ExactDecimal | null;
  /** How much of it approved returns take back. */
  returned: ExactDecimal;
}

/** So much of an invoice that was settled, by whom. */
export interface Settlement {
  by: Note | Cash;
  amount: ExactDecimal;
  date: string;
}

export interface Invoice {
  trade: Trade;
  id: string;
  party_id: string;
  date: string;
  warehouse_id: string;
  discount: Discount | null;
  lines: Line[];
  totals: Totals;
  status: 'draft' | 'posted' | 'cancelled' | 'deleted';
  number: string | null;
  settlements: Settlement[];
}

export interface ReturnLine {
  origin: Line;
  qty: ExactDecimal;
  disposition: 'restock' | 'scrap';
  figures: Figures;
  cost: ExactDecimal | null;
}

export interface Return {
  trade: Trade;
  id: string;
  invoice: Invoice;
  date: string;
  lines: ReturnLine[];
  status: 'draft' | 'approved' | 'completed' | 'cancelled' | 'deleted';
  /** Its place among the returns in the order in which they were approved. */
  approved: number | null;
  number: string | null;
  note: Note | null;
}

export interface Note {
  kind: 'note';
  number: string;
  total: ExactDecimal;
}

export interface Cash {
  kind: 'revenue' | 'expense';
  id: string;
  /** Null for money of its own kind. */
  party_id: string | null;
  date: string;
  amount: ExactDecimal;
  allocations: { invoice: Invoice; amount: ExactDecimal }[];
  status: 'draft' | 'approved' | 'posted' | 'reversed' | 'deleted';
  number: string | null;
  payment: { id: string; number: string } | null;
}

export interface Transfer {
  id: string;
  from: string;
  to: string;
  lines: { product: Product; qty: ExactDecimal; value: ExactDecimal }[];
  status: 'completed' | 'reversed';
  number: string;
}

export type Scope = 'all' | 'sales' | 'purchases';

export interface Model {
  warehouses: string[];
  taxes: Tax[];
  customers: string[];
  vendors: string[];
  /** Where money comes from or goes to when it settles nothing, and through which till. */
  places: { revenue_category: string; expense_category: string; till: string };
  products: Product[];
  levels: Map<string, Level>;
  invoices: Invoice[];
  returns: Return[];
  cash: Cash[];
  transfers: Transfer[];
  /** Account code → debit less credit. */
  ledger: Map<string, ExactDecimal>;
  numbers: Map<string, number>;
  /** Which part of the books is closed, and through which day. */
  locks: Map<Scope, { id: string; through: string }>;
  /** Books hear of corrected stock, and goods of cancelled sales come back, a moment later. */
  unsettled: boolean;
}

/** Accounts by the code that they have in the chart that every workspace begins with. */
export const ACCOUNT = {
  till: '1010',
  receivable: '1110',
  vendor_advances: '1120',
  tax_input: '1140',
  inventory: '1210',
  payable: '2010',
  customer_advances: '2020',
  tax_output: '2030',
  opening: '3030',
  sales: '4010',
  sales_returns: '4020',
  services: '4040',
  cost: '5010',
  variance: '5020',
  adjustment: '5030',
  purchased_services: '5040',
  rent: '6030',
} as const;
export type Account = keyof typeof ACCOUNT;

/** Debits an account; credits it with a negative amount. */
export function book({ ledger }: Model, account: Account, amount: ExactDecimal): void {
  const code = ACCOUNT[account];
  ledger.set(code, (ledger.get(code) ?? NOTHING).plus(amount));
}

/** The next number of a series. */
export function numbered({ numbers }: Model, prefix: string, day: string): string {
  const series = `${prefix}-${day.slice(0, 4)}`;
  const next = (numbers.get(series) ?? 0) + 1;
  numbers.set(series, next);
  return `${series}-${String(next).padStart(5, '0')}`;
}

/** Whether a return is more than an idea that was dropped. */
export const isAlive = ({ status }: Return): boolean => status !== 'deleted' && status !== 'cancelled';

export const settled = ({ settlements }: Invoice): ExactDecimal =>
  settlements.reduce((sum, { amount }) => sum.plus(amount), NOTHING);
/** The open amount of an invoice; nothing for one that was cancelled. */
export const open = (invoice: Invoice): ExactDecimal =>
  invoice.status === 'cancelled' ? NOTHING : invoice.totals.total.minus(settled(invoice));

/** How much of a note or of money was set against invoices. */
export const spent = ({ invoices }: Model, by: Note | Cash): ExactDecimal =>
  invoices
    .flatMap(({ settlements }) => settlements)
    .filter((settlement) => settlement.by === by)
    .reduce((sum, { amount }) => sum.plus(amount), NOTHING);

const isClosed = ({ locks }: Model, day: string, scopes: readonly Scope[]): boolean =>
  scopes.some((scope) => (locks.get(scope)?.through ?? '') >= day);

/** Whether a day is closed for what belongs to a side of the books. */
export const isLocked = (model: Model, day: string, trade: Trade): boolean =>
  isClosed(model, day, ['all', trade === 'sales' ? 'sales' : 'purchases']);

/** Whether a day is closed for movements of goods. */
export const isStockLocked = (model: Model, day: string): boolean => isClosed(model, day, ['all']);

/** One of several, by any number. */
export const pick = <T>(all: readonly T[], any: number): T | undefined => all[any % all.length];
