/** Draft returns and their approval: the returned parts of an invoice, and their amounts. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { fault, invalid, NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { compare, type LineAmounts, partOfLine, portion, sumLines, type Tax, toBase } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { isDue } from '../../invoices/documents/document-action.rules.ts';
import { lockLines } from '../../invoices/invoices/invoice.ts';
import { type Side, SIDES } from '../../invoices/documents/side.ts';
import { amountColumns } from '../../invoices/documents/lines.ts';
import { draftNote } from '../notes/note.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../../operations.ts';
import { moveGoods } from '../../ledger/stock/saga.ts';
import { announceApproval, announceCancelling } from './return-events.ts';
import type { ReturnInput } from './return.schema.ts';

export const OverReturned = fault(
  422,
  'over_returned',
  'The quantity exceeds the remaining quantity of the invoice. Enter a smaller quantity.',
);
export const LaterReturn = fault(
  409,
  'later_return',
  'A later return contains goods of the same line. Cancel the later return first.',
);

/** Return, with the column names that both sides share. */
export interface Return {
  id: string;
  number: string | null;
  status: string;
  invoice_id: string;
  party_id: string;
  return_date: string;
  warehouse_id: string | null;
  currency: string;
  rate: string;
  net_total: string;
  tax_total: string;
  total: string;
}

/** Locks the return until the transaction ends. @throws NotFound */
export async function lockReturn(db: Db, side: Side, id: string): Promise<Return> {
  const { returns, party_column } = SIDES[side];
  const [row] = await db.rows<Return>(sql`
    SELECT id, number, status, invoice_id, ${columnNamed(party_column)} AS party_id, return_date, warehouse_id, currency, rate,
      net_total, tax_total, total
    FROM ${tableNamed(returns)} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!row) throw NotFound();
  return row;
}

/** Invoice line, with its returned quantity. */
interface OriginLine extends LineAmounts {
  id: string;
  qty: string;
  taken: string;
  left: string;
  tracked: boolean;
  cost: string | null;
}

/** Locks the lines of an invoice. */
async function lockOrigins(db: Db, side: Side, invoice_id: string): Promise<Map<string, OriginLine>> {
  const { invoice_key, returns, return_key } = SIDES[side];
  await lockLines(db, side, invoice_id);
  const rows = await db.rows<OriginLine>(sql`
    SELECT line.id, trim_scale(line.qty)::text AS qty, trim_scale(before.taken)::text AS taken,
      trim_scale(line.qty - before.taken)::text AS left, line.gross, line.line_discount AS discount, line.header_discount,
      line.net, line.tax, line.total, line.taxes, line.tracked, line.cost
    FROM invoice_lines AS line CROSS JOIN LATERAL (
      SELECT coalesce(sum(part.qty), 0) AS taken FROM return_lines AS part
      JOIN ${tableNamed(returns)} AS back ON back.id = part.${columnNamed(return_key)}
      WHERE part.invoice_line_id = line.id AND back.status IN ('approved', 'completed')) AS before
    WHERE line.${columnNamed(invoice_key)} = ${invoice_id}::uuid`);
  return new Map(rows.map((line) => [line.id, line]));
}

interface ReturnedPart {
  invoice_line_id: string;
  qty: string;
}

/** Computes the amounts of each returned part, after the previously returned parts. @throws OverReturned, a 422 */
function computeAmounts(parts: readonly ReturnedPart[], origins: ReadonlyMap<string, OriginLine>, currency: string) {
  const lines = parts.map(({ invoice_line_id, qty }, at) => {
    const origin = origins.get(invoice_line_id);
    if (!origin) throw invalid(`lines.${at}.invoice_line_id`, 'Line not found in this invoice.');
    if (parts.findIndex((other) => other.invoice_line_id === invoice_line_id) !== at)
      throw invalid(`lines.${at}.invoice_line_id`, 'This line occurs twice. Remove one.');
    if (compare(qty, origin.left) > 0)
      throw OverReturned({ invoice_line_id, returnable: origin.left, field: `lines.${at}.qty` });
    return partOfLine<Tax>(origin, { whole: origin.qty, before: origin.taken, now: qty }, currency);
  });
  const { taxes: _, ...header } = sumLines(lines, currency);
  return { lines, header };
}

interface ReturnedInvoice {
  status: string;
  party_id: string;
  warehouse_id: string | null;
  currency: string;
  rate: string;
  invoice_date: string;
}

/** Returns the invoice of a return. @throws a 422 if it is not posted or does not exist */
async function readInvoice(db: Db, side: Side, invoice_id: string): Promise<ReturnedInvoice> {
  const { invoices, party_column } = SIDES[side];
  const [source] = await db.rows<ReturnedInvoice>(sql`
    SELECT status, ${columnNamed(party_column)} AS party_id, warehouse_id, currency, rate, invoice_date
    FROM ${tableNamed(invoices)} WHERE id = ${invoice_id}::uuid`);
  if (!source) throw invalid('invoice_id', 'Invoice not found.');
  if (['draft', 'cancelled'].includes(source.status)) throw invalid('invoice_id', 'This invoice is not posted.');
  return source;
}

const modelOf = (db: Db, side: Side) => (side === 'sales' ? db.salesReturn : db.purchaseReturn) as Db['salesReturn'];

/** Creates a draft return. Its amounts may change until it is approved. Returns its ID. */
export async function createReturn(context: CommandContext, side: Side, input: ReturnInput): Promise<string> {
  const { db, caller } = context;
  const { base_currency } = await booksOf(db, caller);
  const { invoice_id, return_date, reason, notes, lines } = input;
  const origins = await lockOrigins(db, side, invoice_id);
  const source = await readInvoice(db, side, invoice_id);
  if (return_date < source.invoice_date) throw invalid('return_date', 'The date must not be before the invoice.');
  const figures = computeAmounts(lines, origins, source.currency);
  const id = randomUUIDv7();
  const { currency, rate, party_id } = source;
  await modelOf(db, side).create({
    data: {
      id,
      invoice_id,
      [SIDES[side].party_column]: party_id,
      return_date: midnight(return_date),
      reason,
      notes,
      warehouse_id: input.warehouse_id ?? source.warehouse_id,
      currency,
      rate,
      ...figures.header,
      base_total: toBase(figures.header.total, rate, base_currency),
    } as never,
  });
  await db.returnLine.createMany({
    data: lines.map((line, position) => ({
      ...line,
      position,
      [SIDES[side].return_key]: id,
      ...amountColumns(figures.lines[position]!),
    })),
  });
  return id;
}

/** Deletes a draft. @throws InvalidTransition after approval */
export async function removeReturn(
  { db, caller }: Pick<CommandContext, 'db' | 'caller'>,
  side: Side,
  id: string,
): Promise<{ id: string }> {
  SIDES[side].return_states.assertFits('delete', await lockReturn(db, side, id), caller);
  await moveGoods.assertNoneOpen(db, id);
  await db.rows(sql`DELETE FROM ${tableNamed(SIDES[side].returns)} WHERE id = ${id}::uuid`);
  return { id };
}

/** Recomputes a draft after other returns of the invoice. The invoice lines must be locked. @throws OverReturned */
export async function finaliseAmounts(
  db: Db,
  side: Side,
  goodsReturn: Return,
  { base_currency }: Books,
): Promise<void> {
  const { returns, return_key } = SIDES[side];
  const parts = await db.rows<ReturnedPart & { id: string; disposition: string }>(sql`
    SELECT id, invoice_line_id, disposition, trim_scale(qty)::text AS qty FROM return_lines
    WHERE ${columnNamed(return_key)} = ${goodsReturn.id}::uuid ORDER BY position`);
  const origins = await lockOrigins(db, side, goodsReturn.invoice_id);
  const { lines, header } = computeAmounts(parts, origins, goodsReturn.currency);
  for (const [at, { id, invoice_line_id, disposition, qty: now }] of parts.entries()) {
    const { cost, qty: whole, taken: before } = origins.get(invoice_line_id)!;
    // Restocked goods have the cost at which they left. Scrapped goods remain an expense.
    const isBack = side === 'sales' && disposition === 'restock' && cost !== null;
    const worth = isBack ? portion(cost, { whole, before, now }, base_currency) : null;
    await db.returnLine.update({ where: { id }, data: { ...amountColumns(lines[at]!), cost: worth } });
  }
  await db.rows(sql`
    UPDATE ${tableNamed(returns)} SET subtotal = ${header.subtotal}::numeric, discount_total = ${header.discount_total}::numeric,
      net_total = ${header.net_total}::numeric, tax_total = ${header.tax_total}::numeric, total = ${header.total}::numeric,
      base_total = ${toBase(header.total, goodsReturn.rate, base_currency)}::numeric
    WHERE id = ${goodsReturn.id}::uuid`);
}

/** Statuses in which a return is already approved, or completed. */
const PASSED = { approve: ['approved', 'completed'], complete: ['completed'] };

/**
 * Checks that a return is still to be approved or completed. @throws InvalidTransition if its status does not allow the
 * action
 */
export const isPending = (
  side: Side,
  goodsReturn: Return,
  action: keyof typeof PASSED,
  caller: Caller | null,
): boolean => isDue(SIDES[side].return_states, goodsReturn, { action, done: PASSED[action] }, caller);

/**
 * Approves a draft and deducts its quantities from the returnable quantities of the invoice. Repeating the request
 * changes nothing. @throws InvalidTransition, OverReturned
 */
export async function approveReturn(context: CommandContext, side: Side, id: string): Promise<void> {
  const { db, caller, emit } = context;
  const books = await booksOf(db, caller);
  const goodsReturn = await lockReturn(db, side, id);
  if (!isPending(side, goodsReturn, 'approve', caller)) return;
  await finaliseAmounts(db, side, goodsReturn, books);
  const { return: series, return_states } = SIDES[side];
  const { number } = await issueNumber(db, series, goodsReturn.return_date);
  const approval = { number, approved_by: caller?.user_id ?? null, approved_at: clock.now() };
  const frozen = await lockReturn(db, side, id);
  const note_id = await draftNote(db, side, frozen);
  const noted = { ...approval, [SIDES[side].note_column]: note_id };
  await return_states.move(modelOf(db, side), id, 'approve', noted);
  await announceApproval({ db, emit }, side, frozen, note_id);
}

/** Rejects a return that later returns depend on: the amounts of a part depend on the parts before. */
async function assertNoLaterReturn(db: Db, side: Side, { id, invoice_id }: Return): Promise<void> {
  await lockLines(db, side, invoice_id);
  const { returns, return_key } = SIDES[side];
  const rows = await db.rows(sql`
    SELECT later.id FROM ${tableNamed(returns)} AS back JOIN ${tableNamed(returns)} AS later
      ON later.invoice_id = back.invoice_id AND later.status IN ('approved', 'completed') AND later.approved_at > back.approved_at
    WHERE back.id = ${id}::uuid AND EXISTS (
      SELECT FROM return_lines AS part JOIN return_lines AS other ON other.invoice_line_id = part.invoice_line_id
      WHERE part.${columnNamed(return_key)} = back.id AND other.${columnNamed(return_key)} = later.id) LIMIT 1`);
  if (rows.length > 0) throw LaterReturn();
}

/**
 * Cancels an approved return whose goods have not moved, so that its quantities can be returned again.
 * @throws InvalidTransition, LaterReturn, StockPending while it is being completed
 */
export async function cancelReturn({ db, caller, emit }: CommandContext, side: Side, id: string): Promise<void> {
  const goodsReturn = await lockReturn(db, side, id);
  if (goodsReturn.status === 'approved') {
    await moveGoods.assertNoneOpen(db, id);
    await assertNoLaterReturn(db, side, goodsReturn);
  }
  const { return_states, note_column, return_key } = SIDES[side];
  if (!(await return_states.move(modelOf(db, side), id, 'cancel', { [note_column]: null }, caller))) return;
  await db.rows(sql`DELETE FROM notes WHERE ${columnNamed(return_key)} = ${id}::uuid AND number IS NULL`);
  announceCancelling(emit, side, goodsReturn);
}
