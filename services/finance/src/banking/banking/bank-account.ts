/** Bank accounts and cash boxes. Each has its own ledger account, which determines the balance. */
import { randomUUIDv7 } from 'node:crypto';
import { change, find, remove, sql } from '@suite/chassis/database';
import { fault, InUse, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { assertUnused } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { assertExact } from '@suite/document-lines';
import { isZero, roundTo } from '@suite/money';
import { booksOf } from '../../ledger/books/books.ts';
import { BANK_GROUP } from '../../ledger/books/seeded-chart.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency, credit, debit } from '../../ledger/ledger/journal.rules.ts';
import { exchangeAmount, rateOf } from '../../ledger/ledger/amount.rules.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { balance } from './bank-account.view.ts';
import type { BankAccountChanges, BankAccountInput } from './bank.schema.ts';

export const SystemAccount = fault(
  409,
  'system_account',
  'A system account cannot be deleted or deactivated. Use another account.',
);

/**
 * Returns a bank account that can be used for payments, and locks it until the transaction ends.
 * @param currency the required currency of the account. Defaults to any
 * @throws a 422 for an account that is unknown, archived or of another currency
 */
export async function lockUsableBank(db: Db, id: string, currency?: string) {
  const [bank] = await db.rows<{ id: string; gl_account_id: string; currency: string; active: boolean }>(sql`
    SELECT id, gl_account_id, currency, active FROM bank_accounts WHERE id = ${id}::uuid FOR KEY SHARE`);
  if (!bank) throw invalid('bank_account_id', 'Bank account not found.');
  if (!bank.active) throw invalid('bank_account_id', 'This bank account is archived. Choose another one.');
  if (currency && bank.currency !== currency) throw invalid('bank_account_id', `Choose an account in ${currency}.`);
  return bank;
}

/** Creates the ledger account of a new bank account, with the next free code in the bank group. */
async function openLedgerAccount(db: Db, name: string, currency: string): Promise<string> {
  await db.rows(sql`SELECT id FROM gl_accounts WHERE code = ${BANK_GROUP} FOR UPDATE`);
  const [account] = await db.rows<{ id: string }>(sql`
    INSERT INTO gl_accounts (id, code, name, type_id, parent_id, currency, system_role)
    SELECT ${randomUUIDv7()}::uuid,
      (SELECT coalesce(max(below.code::int), parent.code::int) + 1 FROM gl_accounts AS below WHERE below.parent_id = parent.id)::text,
      ${name}, parent.type_id, parent.id, ${currency}, 'bank'
    FROM gl_accounts AS parent WHERE parent.code = ${BANK_GROUP} RETURNING id`);
  return account!.id;
}

/** Checks that customers can pay to an account that invoices print. */
function assertPayable({ on_invoices, account_number }: { on_invoices: boolean; account_number: string | null }): void {
  if (on_invoices && account_number === null)
    throw invalid('on_invoices', 'The account has no account number for customers to pay to. Enter `account_number`.');
}

/** Opens a bank account and posts its opening balance. @throws PeriodLocked for an opening balance */
export async function openBankAccount(context: CommandContext, input: BankAccountInput): Promise<string> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const { opening_rate, opening_date, ...columns } = input;
  const currency = columns.currency ?? books.base_currency;
  const amount = columns.opening_balance;
  assertPayable(columns);
  assertExact(amount, currency, 'opening_balance');
  if (isZero(amount) && opening_rate) {
    throw invalid('opening_rate', 'There is no opening balance. Omit this field.');
  }
  const rate = isZero(amount) ? '1' : rateOf(currency, opening_rate, 'opening_rate', books);
  exchangeAmount(amount, rate, books.base_currency, 'opening_rate');
  const date = opening_date ?? today(books.timezone);
  const gl_account_id = await openLedgerAccount(db, `${columns.bank_name} ${columns.account_name}`, currency);
  const id = randomUUIDv7();
  await db.bankAccount.create({ data: { ...columns, id, currency, gl_account_id, opening_date: midnight(date) } });
  if (isZero(amount)) return id;
  const sides = [debit({ id: gl_account_id }, amount), credit('opening_equity', amount)];
  await postEntry(db, {
    date,
    scope: 'banking',
    source_type: 'bank_account',
    source_id: id,
    purpose: 'opening',
    narration: `Opening balance of ${columns.account_name}`,
    reference: 'Opening balance',
    lines: toBaseCurrency(sides, { currency, rate, base_currency: books.base_currency }),
  });
  return id;
}

/** Updates a bank account. Its ledger account has the same name, and is archived with it. */
export async function changeBankAccount(
  { db }: CommandContext,
  id: string,
  { version: _, ...patch }: BankAccountChanges,
  expect: number | undefined,
): Promise<void> {
  const bank = await change(db.bankAccount, id, patch, expect);
  assertPayable(bank);
  if (patch.active === false) await assertEmpty(db, id, bank.is_cash);
  await db.rows(sql`
    UPDATE gl_accounts SET name = ${bank.is_cash ? bank.account_name : `${bank.bank_name} ${bank.account_name}`}, active = ${bank.active}
    WHERE id = ${bank.gl_account_id}::uuid`);
}

async function assertEmpty(db: Db, id: string, is_cash: boolean): Promise<void> {
  if (is_cash) throw SystemAccount();
  // Waits for postings in progress. The account is then archived and accepts no further entries.
  await db.rows(sql`SELECT sequence FROM ledger_heads FOR UPDATE`);
  const [bank] = await db.rows<{ balance: string; base: string; currency: string; base_currency: string }>(sql`
    SELECT (${balance}) AS balance, currency, (SELECT base_currency FROM books) AS base_currency,
      (SELECT coalesce(sum(debit - credit), 0) FROM journal_lines WHERE account_id = bank_accounts.gl_account_id) AS base
    FROM bank_accounts WHERE id = ${id}::uuid`);
  if (!bank || (isZero(bank.balance) && isZero(bank.base))) return;
  throw InUse({
    current_balance: roundTo(bank.balance, bank.currency),
    base_balance: roundTo(bank.base, bank.base_currency),
  });
}

/** Deletes a bank account without entries. @throws InUse, SystemAccount */
export async function removeBankAccount(db: Db, id: string): Promise<{ id: string }> {
  const bank = await find(db.bankAccount, id);
  if (bank.is_cash) throw SystemAccount();
  await assertUnused(async () => {
    const [references] = await db.rows<{ transactions: number; revenues: number; expenses: number }>(sql`
      SELECT (SELECT count(*)::int FROM bank_transactions WHERE bank_account_id = ${id}::uuid) AS transactions,
        (SELECT count(*)::int FROM revenues WHERE bank_account_id = ${id}::uuid) AS revenues,
        (SELECT count(*)::int FROM expenses WHERE bank_account_id = ${id}::uuid) AS expenses`);
    return references!;
  });
  await remove(db.bankAccount, id);
  await remove(db.glAccount, bank.gl_account_id);
  return { id };
}
