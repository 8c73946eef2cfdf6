/** The expected books and stock of a company after all its operations. */
import { type ExactDecimal, NOTHING } from './exact-decimal.ts';
import type { Discount, LineAmounts, Tax, Totals } from './totals.ts';

export type Side = 'sales' | 'purchase';

export interface Product {
  id: string;
  sku: string;
  tracked: boolean;
  sale_price: ExactDecimal;
  purchase_price: ExactDecimal;
  taxes: Tax[];
}

/** Stock of a product in a warehouse. */
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
  figures: LineAmounts;
  /** The cost of the goods. Null until they have moved, and for lines without goods. */
  cost: ExactDecimal | null;
  /** Quantity in approved returns. */
  returned: ExactDecimal;
}

/** The settled amount of an invoice, and the note or money that settled it. */
export interface Settlement {
  by: Note | Cash;
  amount: ExactDecimal;
  date: string;
}

export interface Invoice {
  side: Side;
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
  figures: LineAmounts;
  cost: ExactDecimal | null;
}

export interface Return {
  side: Side;
  id: string;
  invoice: Invoice;
  date: string;
  lines: ReturnLine[];
  status: 'draft' | 'approved' | 'completed' | 'cancelled' | 'deleted';
  /** Position among the returns by order of approval. Null if not approved. */
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
  /** ID of the customer or vendor. Null for other revenues and expenses. */
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
  /** IDs of the categories for money without settlements, and of the cash account. */
  places: { revenue_category: string; expense_category: string; till: string };
  products: Product[];
  levels: Map<string, Level>;
  invoices: Invoice[];
  returns: Return[];
  cash: Cash[];
  transfers: Transfer[];
  /** Balance by account code: debit less credit. */
  ledger: Map<string, ExactDecimal>;
  numbers: Map<string, number>;
  /** Closed parts of the books, each with the last closed day. */
  locks: Map<Scope, { id: string; through: string }>;
  /**
   * True while events are under way: stock corrections reach the books, and goods of cancelled sales return, a moment
   * later.
   */
  unsettled: boolean;
}

/** Account codes in the default chart of accounts. */
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

/** Debits an account. A negative amount credits it. */
export function postEntry({ ledger }: Model, account: Account, amount: ExactDecimal): void {
  const code = ACCOUNT[account];
  ledger.set(code, (ledger.get(code) ?? NOTHING).plus(amount));
}

/** Returns the next number of a series. */
export function nextNumber({ numbers }: Model, prefix: string, day: string): string {
  const series = `${prefix}-${day.slice(0, 4)}`;
  const next = (numbers.get(series) ?? 0) + 1;
  numbers.set(series, next);
  return `${series}-${String(next).padStart(5, '0')}`;
}

/** Checks that a return is neither deleted nor cancelled. */
export const isAlive = ({ status }: Return): boolean => status !== 'deleted' && status !== 'cancelled';

export const settledAmount = ({ settlements }: Invoice): ExactDecimal =>
  settlements.reduce((sum, { amount }) => sum.plus(amount), NOTHING);
/** Returns the open amount of an invoice, zero if cancelled. */
export const openAmount = (invoice: Invoice): ExactDecimal =>
  invoice.status === 'cancelled' ? NOTHING : invoice.totals.total.minus(settledAmount(invoice));

/** Returns how much of a note or payment has been applied to invoices. */
export const spentAmount = ({ invoices }: Model, by: Note | Cash): ExactDecimal =>
  invoices
    .flatMap(({ settlements }) => settlements)
    .filter((settlement) => settlement.by === by)
    .reduce((sum, { amount }) => sum.plus(amount), NOTHING);

const isClosed = ({ locks }: Model, day: string, scopes: readonly Scope[]): boolean =>
  scopes.some((scope) => (locks.get(scope)?.through ?? '') >= day);

/** Checks if a day is closed for one side of the books. */
export const isLocked = (model: Model, day: string, side: Side): boolean =>
  isClosed(model, day, ['all', side === 'sales' ? 'sales' : 'purchases']);

/** Checks if a day is closed for stock movements. */
export const isStockLocked = (model: Model, day: string): boolean => isClosed(model, day, ['all']);

/** Picks an element by any number. */
export const pick = <T>(all: readonly T[], any: number): T | undefined => all[any % all.length];
