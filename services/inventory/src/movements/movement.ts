/** Types of stock movements. */
import type { Decimal } from './decimal.ts';
import type { StockLocation, StockLocationRef } from './stock-location.ts';

/** Document that causes an action. */
export interface MovementSource {
  type: string;
  id: string;
}

/** Used part of a reservation. */
export interface ConsumedReservation extends StockLocationRef {
  id: string;
  qty: Decimal;
  /** Warehouse that the goods left, if it differs from the reserved one. */
  taken_at?: string;
}

export type MovementReason =
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

/** Line of a posting that moves goods. */
export interface PostingLine extends StockLocationRef {
  line_id: string;
  /** Moved quantity. Negative for issued goods. */
  qty: Decimal;
  /** Increase in stock value. Defaults to the average cost or the product's purchase price. */
  value?: Decimal;
  /** Movement that this line reverses. The goods return at the value that they were issued at. */
  mirrors?: number;
  reason: MovementReason;
  /** Line of `reserved_for` whose reservation is consumed. Undefined for none. */
  reserved_line_id?: string | undefined;
}

/** Request to move goods. */
export interface StockPosting {
  /** Idempotency key of the posting. The line numbers complete the key. */
  key: string;
  source: MovementSource;
  business_date: string;
  moves: readonly PostingLine[];
  /** Document whose reservations are consumed first. */
  reserved_for?: MovementSource | undefined;
  /** Consumed reservations that are restored. */
  restored?: readonly ConsumedReservation[];
}

/** Movement of a line. */
export interface StockMovement extends StockLocationRef {
  line_id: string;
  /** Quantity, zero or positive. */
  qty: string;
  unit_cost: string;
  /** Increase in stock value. */
  value: Decimal;
  /** Finance account of the product's stock. Null for the default account. */
  stock_account_id: string | null;
}

/** Stock movement in its stored form. */
export interface StoredMovement extends PostingLine {
  id: string;
  key: string;
  value: Decimal;
  unit_cost: Decimal;
  balance_after: Decimal;
}

/** Total change of a stock location. */
export interface StockChange {
  location: StockLocation;
  qty: Decimal;
  value: Decimal;
  /** Quantity that is no longer reserved. */
  consumed: Decimal;
}
