/** The words of moving goods. */
import type { Decimal } from './decimal.ts';
import type { StockLocation, StockLocationRef } from './stock-location.ts';

/** The document that something happens for. */
export interface Source {
  type: string;
  id: string;
}

/** How much of a reservation was used up. */
export interface Consumed extends StockLocationRef {
  id: string;
  qty: Decimal;
  /** The warehouse that the goods left, where it is not the one in which they were reserved. */
  taken_at?: string;
}

export type Reason =
  | 'purchase'
  | 'sale'
  | 'sales_return'
  | 'purchase_return'
  | 'transfer_out'
  | 'transfer_in'
  | 'adjustment'
  | 'opening'
  | 'pos'
  | 'scrap';

/** One line of what moves goods. */
export interface Move extends StockLocationRef {
  line_id: string;
  /** Negative for what goes out. */
  qty: Decimal;
  /** The rise of the stock's value; without it, the average cost counts, or the usual price. */
  value?: Decimal;
  /** The move whose goods these are: they come in at what they went out for. */
  mirrors?: number;
  reason: Reason;
  /** The line of `reserved_for` whose reservation is used up; undefined for none. */
  reserved_line_id?: string | undefined;
}

/** A request to move goods. */
export interface Posting {
  /** Names it once and for all; the lines' own numbers follow. */
  key: string;
  source: Source;
  business_date: string;
  moves: readonly Move[];
  /** A document whose reservations are used up first. */
  reserved_for?: Source | undefined;
  /** The used-up reservations that come back. */
  restored?: readonly Consumed[];
}

/** The movement of a line. */
export interface Moved extends StockLocationRef {
  line_id: string;
  /** Never negative. */
  qty: string;
  unit_cost: string;
  /** The rise of the stock's value. */
  value: Decimal;
  /** The account of finance that holds the product's stock; none for the usual one. */
  stock_account_id: string | null;
}

/** A movement as it is written down. */
export interface Movement extends Move {
  id: string;
  key: string;
  value: Decimal;
  unit_cost: Decimal;
  balance_after: Decimal;
}

/** How each place changes altogether. */
export interface Change {
  location: StockLocation;
  qty: Decimal;
  value: Decimal;
  /** The quantity that is no longer reserved. */
  consumed: Decimal;
}
