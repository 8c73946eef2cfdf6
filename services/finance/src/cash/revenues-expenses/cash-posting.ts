/** Posting of revenues and expenses: a number, the entry, and the payment if invoices or bills are settled. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { ExpensePosted, RevenuePosted } from '@suite/proto/finance/v1/events';
import { toBase } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { assertPeriodOpen, postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import { postedTaxes, untaxedBase } from '../../ledger/accounts/tax-bases.rules.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import { type CommandContext, type Db, tableNamed } from '../../operations.ts';
import { expenseLines, revenueLines } from './cash.rules.ts';
import { lockIncomeOrExpense } from './cash.ts';
import { CASH, type CashDocument, type CashKind, cashParty } from './cash-kind.ts';
import { recordPayment } from '../../payments/payments/payment.ts';

const scopeOf = (kind: CashKind) => (kind === 'revenue' ? 'sales' : 'purchases');

interface PostingAccounts {
  bank: { id: string; gl_account_id: string };
  category: { name: string; gl_account_id: string };
}

/** Returns the accounts of the document. Rejects accounts that have since been archived. */
async function findAccounts(db: Db, kind: CashKind, document: CashDocument): Promise<PostingAccounts> {
  const { bank_account_id, category_id } = document;
  const [bank] = await db.rows<PostingAccounts['bank'] & { active: boolean }>(sql`
    SELECT id, gl_account_id, active FROM bank_accounts WHERE id = ${bank_account_id}::uuid`);
  const [category] = await db.rows<PostingAccounts['category'] & { active: boolean }>(sql`
    SELECT name, gl_account_id, active FROM ${tableNamed(`${kind}_categories`)} WHERE id = ${category_id}::uuid`);
  if (!bank?.active) throw invalid('bank_account_id', 'This bank account is archived. Choose another one.');
  if (!category?.active) throw invalid('category_id', 'This category is archived. Choose another category.');
  return { bank, category };
}

/** Posts the document to its category, with its tax. */
async function postToCategory(
  db: Db,
  kind: CashKind,
  document: CashDocument,
  places: PostingAccounts,
  number: string,
  books: Books,
) {
  const { id, date, currency, rate, amount, net, tax_amount, tax, party_id, project_id, reference } = document;
  const accounts = { bank: { id: places.bank.gl_account_id }, category: { id: places.category.gl_account_id } };
  const figures = { amount, net, tax_amount, tax_id: tax?.id ?? null };
  const party = cashParty(kind, party_id);
  const sides =
    kind === 'revenue'
      ? revenueLines(accounts, figures, party)
      : expenseLines(accounts, figures, { party, project_id });
  const taxed = tax
    ? { tax_id: tax.id, name: tax.name, kind: tax.kind, rate: tax.rate, base: net, tax: tax_amount }
    : untaxedBase(net);
  const terms = { currency, rate, base_currency: books.base_currency };
  return await postEntry(db, {
    date,
    scope: scopeOf(kind),
    source_type: kind,
    source_id: id,
    purpose: 'post',
    reference,
    narration: `${number}: ${document.description ?? places.category.name}`.slice(0, 500),
    counterparty: await nameOf(db, kind, party_id),
    lines: toBaseCurrency(sides, terms),
    taxes: postedTaxes([taxed], kind === 'revenue' ? 'output' : 'input', 1, terms),
  });
}

async function nameOf(db: Db, kind: CashKind, party_id: string | null): Promise<string | null> {
  if (!party_id) return null;
  const [party] = await db.rows<{ name: string }>(sql`
    SELECT name FROM ${tableNamed(`${CASH[kind].party}s`)} WHERE id = ${party_id}::uuid`);
  return party?.name ?? null;
}

/** Posts the document as a payment of its invoices. */
async function postPayment(
  context: CommandContext,
  kind: CashKind,
  document: CashDocument,
  places: PostingAccounts,
  number: string,
  books: Books,
) {
  const { id, date, method, amount, currency, rate, reference, allocations, party_id } = document;
  return await recordPayment(
    context,
    {
      party: cashParty(kind, party_id)!,
      date,
      bank: places.bank,
      method,
      amount,
      currency,
      rate,
      reference,
      source: kind,
      source_id: id,
      allocations,
      field: CASH[kind].allocations,
      narration: `${number}: ${document.description ?? 'Payment'}`.slice(0, 500),
    },
    books,
  );
}

/**
 * Posts an approved document. Repeating the request changes nothing. @throws InvalidTransition, PeriodLocked,
 * OverAllocated
 */
export async function postIncomeOrExpense(context: CommandContext, kind: CashKind, id: string): Promise<void> {
  const { db, caller, emit } = context;
  const books = await booksOf(db, caller);
  const { states, table } = CASH[kind];
  const model = (kind === 'revenue' ? db.revenue : db.expense) as Db['revenue'];
  const posted = { posted_by: caller?.user_id ?? null, posted_at: clock.now() };
  const moved = await states.move(model, id, 'post', posted, caller);
  if (!moved) return;
  const document = await lockIncomeOrExpense(db, kind, id);
  await assertPeriodOpen(db, document.date, scopeOf(kind));
  const places = await findAccounts(db, kind, document);
  const { number } = await issueNumber(db, kind, document.date);
  const payment =
    document.kind === 'payment' ? await postPayment(context, kind, document, places, number, books) : undefined;
  const journal_id = payment?.journal_id ?? (await postToCategory(db, kind, document, places, number, books)).id;
  await db.rows(sql`
    UPDATE ${tableNamed(table)} SET number = ${number}, journal_id = ${journal_id}::uuid, payment_id = ${payment?.id ?? null}::uuid
    WHERE id = ${id}::uuid`);
  const { amount, currency } = document;
  if (kind === 'revenue') emit(RevenuePosted, { revenue_id: id, number, amount, currency });
  else emit(ExpensePosted, toExpenseEvent({ ...document, number }, books));
}

/** Returns an expense as its event describes it, including the fields for project costs. */
export function toExpenseEvent(
  { id, number, project_id, ...document }: CashDocument & { number: string },
  { base_currency }: Books,
) {
  const { date, amount, net, currency, rate } = document;
  const base = { rate, base_net: toBase(net, rate, base_currency), base_currency };
  return { expense_id: id, number, amount, currency, project_id: project_id ?? '', date, net, ...base };
}
