/** Requests of other services to issue or receive goods, and to reverse either. */
import { randomUUIDv7 } from 'node:crypto';
import { assertExact } from '@suite/document-lines';
import { roundTo } from '@suite/money';
import { ProductStockAccountChanged } from '@suite/proto/inventory/v1/events';
import type { CommandContext } from '../operations.ts';
import { Decimal } from './decimal.ts';
import type { ConsumedReservation, StockMovement, StockPosting, MovementReason, MovementSource } from './movement.ts';
import type { StockLocationRef } from './stock-location.ts';
import { postMoves } from './posting.ts';

/** Line of a request and of its response. */
export interface RequestLine extends StockLocationRef {
  line_id: string;
  qty: string;
}
export interface IssueLine extends RequestLine {
  /** Document line whose reservation is consumed. */
  reserved_line_id?: string | undefined;
}
export interface ReceiptLine extends RequestLine {
  cost: string;
}
export interface MovedLine extends RequestLine {
  unit_cost: string;
  /** Decrease or increase of the stock value. */
  cost: string;
  /** Finance account of the stock. Empty for the default account. */
  stock_account_id: string;
}

/** Fields common to issues and receipts. */
export interface MovementRequest {
  key: string;
  source: MovementSource;
  business_date: string;
}

/** Movements of a request, and the data for their exact reversal. */
interface MovementResponse {
  lines: MovedLine[];
  consumed: { id: string; product_id: string; warehouse_id: string; qty: string; taken_at?: string }[];
  reason: MovementReason;
  business_date: string;
  source: MovementSource;
}

const toResponse =
  (currency: string) =>
  ({ value, stock_account_id, ...line }: StockMovement): MovedLine => ({
    ...line,
    cost: roundTo(value.abs().toFixed(), currency),
    stock_account_id: stock_account_id ?? '',
  });

async function post(context: CommandContext, posting: StockPosting, reason: MovementReason): Promise<MovementResponse> {
  const { source, business_date } = posting;
  const { lines, consumed } = await postMoves(context, posting);
  return {
    lines: lines.map(toResponse(context.caller.currency)),
    consumed: consumed.map(({ qty, ...one }) => ({ ...one, qty: qty.toFixed() })),
    reason,
    business_date,
    source,
  };
}

/** Issues goods at their average cost, from reservations of `reserved_for` first. */
export async function issue(
  context: CommandContext,
  { key, source, business_date }: MovementRequest,
  asked: { lines: readonly IssueLine[]; reason: MovementReason; reserved_for?: MovementSource | undefined },
): Promise<MovementResponse> {
  const { lines, reason, reserved_for } = asked;
  const moves = lines.map((line) => ({ ...line, qty: new Decimal(line.qty).negated(), reason }));
  return await post(context, { key: `issue:${key}`, source, business_date, moves, reserved_for }, reason);
}

/** Checks the costs of receipt lines. @throws a 422 for a cost with too many decimals */
function assertPayable(lines: readonly ReceiptLine[], currency: string): void {
  for (const [at, { cost }] of lines.entries()) assertExact(cost, currency, `lines.${at}.cost`);
}

/** Receives goods, each line at its own cost. */
export async function receive(
  context: CommandContext,
  { key, source, business_date }: MovementRequest,
  asked: { lines: readonly ReceiptLine[]; reason: MovementReason },
): Promise<MovementResponse> {
  const { lines, reason } = asked;
  assertPayable(lines, context.caller.currency);
  const moves = lines.map(({ cost, ...line }) => ({
    ...line,
    qty: new Decimal(line.qty),
    value: new Decimal(cost),
    reason,
  }));
  return await post(context, { key: `receipt:${key}`, source, business_date, moves }, reason);
}

/** Reverses an issue or a receipt at its original value. Reservations used by an issue are restored. */
export async function reverseMovement(
  context: CommandContext,
  kind: 'issue' | 'receipt',
  { key, business_date }: Omit<MovementRequest, 'source'>,
  { lines: moved, consumed, reason, source, ...done }: MovementResponse,
): Promise<MovedLine[]> {
  const back = kind === 'issue' ? 1 : -1;
  const moves = moved.map(({ cost, unit_cost: _, stock_account_id: __, ...line }) => ({
    ...line,
    qty: new Decimal(line.qty).times(back),
    value: new Decimal(cost).times(back),
    reason,
  }));
  const restored: ConsumedReservation[] = consumed.map((one) => ({ ...one, qty: new Decimal(one.qty) }));
  const date = business_date || done.business_date;
  // Goods that are returned to the supplier may be reserved for the return.
  const reserved_for = kind === 'receipt' ? source : undefined;
  const posting = { key: `reversal:${kind}:${key}`, source, business_date: date, moves, restored, reserved_for };
  const { lines } = await postMoves(context, posting);
  for (const [at, { product_id, value, stock_account_id }] of lines.entries()) {
    // Finance reverses the entry on the stock account at the time of the movement.
    const from_account_id = moved[at]!.stock_account_id ?? '';
    const to_account_id = stock_account_id ?? '';
    if (from_account_id === to_account_id || value.isZero()) continue;
    const change = { product_id, change_id: randomUUIDv7(), from_account_id, to_account_id, business_date: date };
    context.emit(ProductStockAccountChanged, { ...change, value: value.toFixed() });
  }
  return lines.map(toResponse(context.caller.currency));
}
