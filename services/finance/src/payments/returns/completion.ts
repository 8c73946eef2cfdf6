/** Completion of returns: inventory moves the goods first, then the note, its entry and its application follow. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { CreditNoteIssued, PurchaseReturnCompleted, SalesReturnCompleted } from '@suite/proto/finance/v1/events';
import { compare, isZero } from '@suite/money';
import { booksOf } from '../../ledger/books/books.ts';
import { bookable } from '../../ledger/accounts/usable.ts';
import { returnCommission } from '../../commissions/commissions/accrual.ts';
import { partyOf, type Side, SIDES } from '../../invoices/documents/kind.ts';
import type { PrepareContext } from '../../invoices/invoices/invoice-posting.ts';
import { type LineToBook, returnLines } from '../../invoices/documents/document.rules.ts';
import { openOf } from '../../ledger/ledger/open-items.rules.ts';
import { lockItemOf, openSince } from '../../ledger/ledger/open-items.ts';
import { assertPeriodOpen } from '../../ledger/ledger/journal.ts';
import { applyCredit, latestDate } from '../settlement/settlement.ts';
import { issueNote } from '../notes/note.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../../operations.ts';
import {
  beginMoves,
  finishMoves,
  recordCosts,
  type MovedDocument,
  type Moves,
  settleMoves,
} from '../../ledger/stock/saga.ts';
import { freeze, lockReturn, isToDo, type Return } from './return.ts';

interface BackLine extends LineToBook {
  id: string;
  qty: string;
  disposition: string;
}

/** Returns the lines of a return, with the accounts of the invoice lines. */
const linesOf = (db: Db, trade: Side, id: string): Promise<BackLine[]> =>
  db.rows<BackLine>(sql`
    SELECT part.id, line.product_id, line.tracked, line.income_account_id, line.expense_account_id, line.stock_account_id,
      trim_scale(part.qty)::text AS qty, part.disposition, part.net, part.taxes, part.cost
    FROM return_lines AS part JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE part.${columnNamed(SIDES[trade].return_key)} = ${id}::uuid ORDER BY part.position`);

/** Returns the lines with the current stock accounts of their products, which may have changed since the invoice. */
function heldNow(lines: readonly BackLine[], { lines: goods }: MovedDocument): BackLine[] {
  const held = new Map(goods.map((line) => [line.line_id, line.stock_account_id || null]));
  return lines.map((line) => ({
    ...line,
    stock_account_id: held.has(line.id) ? held.get(line.id)! : line.stock_account_id,
  }));
}

/** Returns the goods that move: back into stock, or out of stock to the vendor. */
function movesOf(trade: Side, back: Return, lines: readonly BackLine[]): Moves {
  const { return: document_type, moves } = SIDES[trade];
  const { id: document_id, return_date: business_date, warehouse_id } = back;
  const goods = lines.filter(
    ({ tracked, disposition }) => tracked && (trade === 'purchase' || disposition === 'restock'),
  );
  if (goods.length > 0 && !warehouse_id) throw invalid('warehouse_id', 'Enter a warehouse.');
  return {
    document_type,
    document_id,
    business_date,
    direction: moves.return,
    lines: goods.map(({ id, product_id, qty, cost }) => ({
      line_id: id,
      product_id: product_id!,
      warehouse_id: warehouse_id!,
      qty,
      cost: cost ?? '0',
    })),
  };
}

/**
 * Moves the goods of a return in inventory, before the transaction that completes it.
 * @returns undefined if the return is already completed or not yet approved
 */
export async function moveForReturn(
  context: PrepareContext,
  trade: Side,
  id: string,
  verb: 'approve' | 'complete',
): Promise<MovedDocument | undefined> {
  const { caller, write } = context;
  const begun = await write(async (db) => {
    const books = await booksOf(db, caller);
    const back = await lockReturn(db, trade, id);
    if (!isToDo(trade, back, verb, caller) || (verb === 'approve' && books.return_effects_on !== 'approve'))
      return undefined;
    await assertPeriodOpen(db, back.return_date, SIDES[trade].scope);
    if (verb === 'approve') await freeze(db, trade, back, books);
    return await beginMoves(db, context, movesOf(trade, back, await linesOf(db, trade, id)));
  });
  return begun && (await finishMoves(context, begun));
}

function announce(
  { emit }: CommandContext,
  trade: Side,
  back: Return,
  number: string,
  note: { id: string; number: string },
): void {
  const { id, invoice_id, party_id, total, currency } = back;
  const figures = { number, total, currency };
  if (trade === 'sales') {
    emit(SalesReturnCompleted, {
      sales_return_id: id,
      sales_invoice_id: invoice_id,
      credit_note_id: note.id,
      ...figures,
    });
    emit(CreditNoteIssued, { credit_note_id: note.id, number: note.number, customer_id: party_id, total, currency });
  } else {
    emit(PurchaseReturnCompleted, {
      purchase_return_id: id,
      purchase_invoice_id: invoice_id,
      debit_note_id: note.id,
      ...figures,
    });
  }
}

/**
 * Completes an approved return whose goods have moved. Repeating the request has no further effect. The note is applied
 * to the open amount of the invoice. The remainder stays open.
 * @throws InvalidTransition for a draft and for a cancelled return, PeriodLocked, StockPending
 */
export async function completeReturn(
  context: CommandContext,
  trade: Side,
  id: string,
  moved: MovedDocument | undefined,
): Promise<void> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const back = await lockReturn(db, trade, id);
  const { returns, return_key, scope, note_column } = SIDES[trade];
  const completed = SIDES[trade].return_states.moving('complete');
  if (!isToDo(trade, back, 'complete', caller) || !moved) return;
  await assertPeriodOpen(db, back.return_date, scope);
  await settleMoves(db, moved);
  await recordCosts(db, { table: 'return_lines', key: return_key, id }, moved);
  const claim = (await lockItemOf(db, SIDES[trade].invoice, back.invoice_id))!;
  const { base_currency } = books;
  const { party_id, currency, total } = back;
  const party = partyOf(trade, party_id);
  const { lines } = await bookable(db, heldNow(await linesOf(db, trade, id), moved), SIDES[trade].expense_use);
  const sidesOf = (open_item_id: string) =>
    returnLines[trade]({ total, currency, base_currency, party, open_item_id, lines });
  const note = await issueNote(context, trade, back, base_currency, { sidesOf, lines });
  await db.rows(sql`
    UPDATE ${tableNamed(returns)} SET ${completed.set}, ${columnNamed(note_column)} = ${note.id}::uuid, journal_id = ${note.journal_id}::uuid,
      completed_by = ${caller?.user_id ?? null}::uuid, completed_at = ${clock.now()}
    WHERE id = ${id}::uuid AND ${completed.guard}`);
  if (trade === 'sales') await returnCommission(context, back);
  const open = openOf(claim);
  const amount = compare(open, total) < 0 ? open : total;
  if (!isZero(amount)) {
    const allocations = [{ open_item_id: claim.id, amount }];
    // A payment that was reversed on a later day settles the invoice until then.
    const open_since = [...(await openSince(db, [{ id: claim.id, amount }])).values()];
    const date = latestDate(back.return_date, open_since);
    await applyCredit(context, { credit_id: note.open_item_id, allocations, date });
  }
  announce(context, trade, back, back.number!, note);
}
