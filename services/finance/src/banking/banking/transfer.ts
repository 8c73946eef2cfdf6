/** Transfers between bank accounts, also between currencies. Exchange gains and losses are posted. */
import { randomUUIDv7 } from 'node:crypto';
import { find, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { today } from '@suite/chassis/runtime';
import { booksOf } from '../../ledger/books/books.ts';
import { assertNotBefore } from '../../ledger/ledger/open-items.rules.ts';
import { postEntry, reverseEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { assertUnreconciled } from './reconciliation.ts';
import type { BankTransferInput } from './bank.schema.ts';
import { planTransfer, type TransferSide, transferLines, transferStates } from './transfer.rules.ts';
import { signedAmount } from '../../ledger/ledger/open-items.ts';

/**
 * Locks both accounts in the order of their IDs and reads their balances. The lock permits references by other
 * transactions. A transaction that posts already holds the journal lock, and a transfer waits for that lock.
 */
async function lockLines(db: Db, ids: readonly string[]): Promise<Map<string, TransferSide>> {
  await db.rows(sql`SELECT id FROM bank_accounts WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`);
  const sides = await db.rows<TransferSide>(sql`
    SELECT bank.id, bank.gl_account_id, bank.account_name, bank.currency, bank.active,
      coalesce(sum(${signedAmount}), 0) AS amount,
      coalesce(sum(line.debit - line.credit), 0) AS base
    FROM bank_accounts AS bank LEFT JOIN journal_lines AS line ON line.account_id = bank.gl_account_id
    WHERE bank.id = ANY(${ids}::uuid[]) GROUP BY bank.id`);
  return new Map(sides.map((side) => [side.id, side]));
}

/** Transfers money. @throws PeriodLocked */
export async function transfer(context: CommandContext, input: BankTransferInput): Promise<string> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const { from_account_id, to_account_id, fee, reference } = input;
  if (from_account_id === to_account_id) throw invalid('to_account_id', 'Choose another account.');
  const sides = await lockLines(db, [from_account_id, to_account_id]);
  const [from, to] = [sides.get(from_account_id), sides.get(to_account_id)];
  if (!from?.active) throw invalid('from_account_id', 'Account not found.');
  if (!to?.active) throw invalid('to_account_id', 'Account not found.');
  const date = input.date ?? today(books.timezone);
  const moved = planTransfer(input, from, to, books);
  const id = randomUUIDv7();
  const { number } = await issueNumber(db, 'bank_transfer', date);
  const entry = await postEntry(db, {
    date,
    scope: 'banking',
    source_type: 'bank_transfer',
    source_id: id,
    purpose: 'post',
    reference,
    narration: `${number}: ${from.account_name} to ${to.account_name}`,
    lines: toBaseCurrency(transferLines(from, to, moved, books.base_currency), {
      currency: from.currency,
      rate: '1',
      base_currency: books.base_currency,
    }),
  });
  const { amount, received } = moved;
  const columns = { id, number, from_account_id, to_account_id, amount, received, fee, reference };
  await db.bankTransfer.create({
    data: { ...columns, rate: input.rate ?? '1', date: midnight(date), journal_id: entry.id },
  });
  return id;
}

/** Reverses a transfer, on its own date or on another one. @throws Reconciled, BeforeDocument, PeriodLocked */
export async function reverseTransfer({ db }: CommandContext, id: string, date?: string): Promise<void> {
  if (!(await transferStates.move(db.bankTransfer, id, 'reverse'))) return;
  const { journal_id, number, date: day } = await find(db.bankTransfer, id);
  if (date) assertNotBefore(date, [{ date: day.toISOString().slice(0, 10), number }]);
  else await assertUnreconciled(db, journal_id);
  await reverseEntry(db, journal_id, { ...(date && { date }), narration: `${number} reversed` });
}
