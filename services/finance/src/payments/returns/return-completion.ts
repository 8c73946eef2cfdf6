/** Completion of returns: inventory moves the goods first, then the note, its entry and its application follow. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { CreditNoteIssued, PurchaseReturnCompleted, SalesReturnCompleted } from '@suite/proto/finance/v1/events';
import { compare, isZero } from '@suite/money';
import { booksOf } from '../../ledger/books/books.ts';
import { withPostableAccounts } from '../../ledger/accounts/usable-accounts.ts';
import { returnCommission } from '../../commissions/commissions/accrual.ts';
import { partyOf, type Side, SIDES } from '../../invoices/documents/side.ts';
import type { PrepareContext } from '../../invoices/invoices/invoice-goods.ts';
import { type PostingLine, returnLines } from '../../invoices/documents/document.rules.ts';
import { openOf } from '../../ledger/ledger/open-items.rules.ts';
import { lockItemOf, openSince } from '../../ledger/ledger/open-items.ts';
import { assertPeriodOpen } from '../../ledger/ledger/journal.ts';
import { applyCredit, latestDate } from '../settlement/settlement.ts';
import { issueNote } from '../notes/note.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../../operations.ts';
import { beginMoves, finishMoves, recordCosts, type MovedDocument, settleMoves } from '../../ledger/stock/saga.ts';
import type { StockMoves } from '../../ledger/stock/stock-moves.ts';
import { finaliseAmounts, lockReturn, isPending, type Return } from './return.ts';

interface ReturnLine extends PostingLine {
  id: string;
  qty: string;
  disposition: string;
}

/** Returns the lines of a return, with the accounts of the invoice lines. */
const linesOf = (db: Db, side: Side, id: string): Promise<ReturnLine[]> =>
  db.rows<ReturnLine>(sql`
    SELECT part.id, line.product_id, line.tracked, line.income_account_id, line.expense_account_id, line.stock_account_id,
      trim_scale(part.qty)::text AS qty, part.disposition, part.net, part.taxes, part.cost
    FROM return_lines AS part JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE part.${columnNamed(SIDES[side].return_key)} = ${id}::uuid ORDER BY part.position`);

/** Returns the lines with the current stock accounts of their products, which may have changed since the invoice. */
function withCurrentAccounts(lines: readonly ReturnLine[], { lines: goods }: MovedDocument): ReturnLine[] {
  const accounts = new Map(goods.map((line) => [line.line_id, line.stock_account_id || null]));
  return lines.map((line) => ({
    ...line,
    stock_account_id: accounts.has(line.id) ? accounts.get(line.id)! : line.stock_account_id,
  }));
}

/** Returns the goods that move: back into stock, or out of stock to the vendor. */
function movesOf(side: Side, goodsReturn: Return, lines: readonly ReturnLine[]): StockMoves {
  const { return: document_type, moves } = SIDES[side];
  const { id: document_id, return_date: business_date, warehouse_id } = goodsReturn;
  const goods = lines.filter(
    ({ tracked, disposition }) => tracked && (side === 'purchase' || disposition === 'restock'),
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
  side: Side,
  id: string,
  verb: 'approve' | 'complete',
): Promise<MovedDocument | undefined> {
  const { caller, write } = context;
  const started = await write(async (db) => {
    const books = await booksOf(db, caller);
    const goodsReturn = await lockReturn(db, side, id);
    if (!isPending(side, goodsReturn, verb, caller) || (verb === 'approve' && books.return_effects_on !== 'approve'))
      return undefined;
    await assertPeriodOpen(db, goodsReturn.return_date, SIDES[side].scope);
    if (verb === 'approve') await finaliseAmounts(db, side, goodsReturn, books);
    return await beginMoves(db, context, movesOf(side, goodsReturn, await linesOf(db, side, id)));
  });
  return started && (await finishMoves(context, started));
}

function emitCompleted(
  { emit }: CommandContext,
  side: Side,
  goodsReturn: Return,
  number: string,
  note: { id: string; number: string },
): void {
  const { id, invoice_id, party_id, total, currency } = goodsReturn;
  const figures = { number, total, currency };
  if (side === 'sales') {
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
  side: Side,
  id: string,
  moved: MovedDocument | undefined,
): Promise<void> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const goodsReturn = await lockReturn(db, side, id);
  const { returns, return_key, scope, note_column } = SIDES[side];
  const completed = SIDES[side].return_states.moving('complete');
  if (!isPending(side, goodsReturn, 'complete', caller) || !moved) return;
  await assertPeriodOpen(db, goodsReturn.return_date, scope);
  await settleMoves(db, moved);
  await recordCosts(db, { table: 'return_lines', key: return_key, id }, moved);
  const claim = (await lockItemOf(db, SIDES[side].invoice, goodsReturn.invoice_id))!;
  const { base_currency } = books;
  const { party_id, currency, total } = goodsReturn;
  const party = partyOf(side, party_id);
  const { lines } = await withPostableAccounts(
    db,
    withCurrentAccounts(await linesOf(db, side, id), moved),
    SIDES[side].expense_use,
  );
  const sidesOf = (open_item_id: string) =>
    returnLines[side]({ total, currency, base_currency, party, open_item_id, lines });
  const note = await issueNote(context, side, goodsReturn, base_currency, { sidesOf, lines });
  await db.rows(sql`
    UPDATE ${tableNamed(returns)} SET ${completed.set}, ${columnNamed(note_column)} = ${note.id}::uuid, journal_id = ${note.journal_id}::uuid,
      completed_by = ${caller?.user_id ?? null}::uuid, completed_at = ${clock.now()}
    WHERE id = ${id}::uuid AND ${completed.guard}`);
  if (side === 'sales') await returnCommission(context, goodsReturn);
  const open = openOf(claim);
  const amount = compare(open, total) < 0 ? open : total;
  if (!isZero(amount)) {
    const allocations = [{ open_item_id: claim.id, amount }];
    // A payment that was reversed on a later day settles the invoice until then.
    const open_since = [...(await openSince(db, [{ id: claim.id, amount }])).values()];
    const date = latestDate(goodsReturn.return_date, open_since);
    await applyCredit(context, { credit_id: note.open_item_id, allocations, date });
  }
  emitCompleted(context, side, goodsReturn, goodsReturn.number!, note);
}
