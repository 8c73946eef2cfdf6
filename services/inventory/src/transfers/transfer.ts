/**
 * Transfers: move goods between warehouses in one step, at their cost in the first warehouse. A reversal returns the
 * same quantities at the same values.
 */
import { randomUUIDv7 } from 'node:crypto';
import { find, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { clock, today } from '@suite/chassis/runtime';
import { TransferCompleted, TransferReversed } from '@suite/proto/inventory/v1/events';
import type { z } from 'zod';
import { businessDay } from '../stock/business-day.ts';
import type { Db, CommandContext } from '../operations.ts';
import { Decimal } from '../movements/decimal.ts';
import type { PostingLine, StockMovement } from '../movements/movement.ts';
import { issueNumber } from '../stock/document-number.ts';
import { postMoves } from '../movements/posting.ts';
import { activeWarehouse } from '../stock/default-warehouse.ts';
import { transferStates } from './transfer.rules.ts';
import type { TransferInput } from './transfer.schema.ts';

type TransferRequest = z.output<typeof TransferInput>;

/** Returns the stock account of a product. @throws a 422 for an untracked product */
async function assertTracked(db: Db, lines: TransferRequest['lines']): Promise<void> {
  const ids = lines.map(({ product_id }) => product_id);
  const untracked = await db.rows<{ id: string }>(sql`
    SELECT id FROM products WHERE id = ANY(${ids}::uuid[]) AND NOT track_stock`);
  const at = ids.findIndex((id) => untracked.some((product) => product.id === id));
  if (at !== -1)
    throw invalid(`lines.${at}.product_id`, 'The stock of this product is not tracked. Turn on stock tracking first.');
}

/** Returns the moves of a transfer: first all issues, then the receipts at the same values. */
function movesOf({ from_warehouse_id, to_warehouse_id, lines }: TransferRequest): PostingLine[] {
  const numbered = lines.map((line, at) => ({
    ...line,
    line_id: String(at + 1),
    qty: new Decimal(line.qty),
  }));
  return [
    ...numbered.map((line) => ({
      ...line,
      warehouse_id: from_warehouse_id,
      qty: line.qty.negated(),
      reason: 'transfer_out' as const,
    })),
    ...numbered.map((line, at) => ({
      ...line,
      warehouse_id: to_warehouse_id,
      reason: 'transfer_in' as const,
      mirrors: at,
    })),
  ];
}

async function writeLines(db: Db, transfer_id: string, issued: readonly StockMovement[]): Promise<void> {
  await db.transferLine.createMany({
    data: issued.map(({ product_id, qty, unit_cost, value }, at) => ({
      transfer_id,
      position: at + 1,
      product_id,
      qty,
      unit_cost,
      value: value.negated().toFixed(),
    })),
  });
}

/** Transfers goods between warehouses. Returns the ID of the transfer. @throws InsufficientStock */
export async function createTransfer(context: CommandContext, input: TransferRequest): Promise<string> {
  const { db, caller, emit } = context;
  const { from_warehouse_id, to_warehouse_id, note, lines } = input;
  if (from_warehouse_id === to_warehouse_id)
    throw invalid('to_warehouse_id', 'Choose another warehouse: source and destination are the same.');
  const date = businessDay(input.date, caller.timezone, 'date');
  await activeWarehouse(db, from_warehouse_id, 'from_warehouse_id');
  await activeWarehouse(db, to_warehouse_id, 'to_warehouse_id');
  await assertTracked(db, lines);
  const id = randomUUIDv7();
  const source = { type: 'transfer', id };
  const moved = await postMoves(context, { key: `transfer:${id}`, source, business_date: date, moves: movesOf(input) });
  const { number } = await issueNumber(db, 'transfer', date);
  await db.transfer.create({
    data: { id, number, from_warehouse_id, to_warehouse_id, date: midnight(date), note, status: 'completed' },
  });
  await writeLines(db, id, moved.lines.slice(0, lines.length));
  emit(TransferCompleted, { transfer_id: id, number });
  return id;
}

/**
 * Reverses a transfer. Repeated calls have no effect. @throws InsufficientStock if the goods are no longer available
 */
export async function reverseTransfer(context: CommandContext, id: string): Promise<void> {
  const { db, caller, emit } = context;
  if (!(await transferStates.move(db.transfer, id, 'reverse', { reversed_at: clock.now() }))) return;
  const { number, from_warehouse_id, to_warehouse_id } = await find(db.transfer, id);
  const lines = await db.transferLine.findMany({ where: { transfer_id: id }, orderBy: { position: 'asc' } });
  const moves = lines.flatMap(({ position, product_id, qty, value }): PostingLine[] => {
    const [amount, worth] = [new Decimal(qty.toFixed()), new Decimal(value.toFixed())];
    const line = { line_id: String(position), product_id };
    const out = { qty: amount.negated(), value: worth.negated(), reason: 'transfer_out' } as const;
    return [
      { ...line, warehouse_id: to_warehouse_id, ...out },
      { ...line, warehouse_id: from_warehouse_id, qty: amount, value: worth, reason: 'transfer_in' },
    ];
  });
  const posting = { key: `reversal:transfer:${id}`, source: { type: 'transfer', id }, moves };
  await postMoves(context, { ...posting, business_date: today(caller.timezone) });
  emit(TransferReversed, { transfer_id: id, number });
}
