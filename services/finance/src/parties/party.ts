/**
 * Creation, update and deletion of customers and vendors. The code for both sides differs only in the tables and
 * accounts.
 */
import { randomUUIDv7 } from 'node:crypto';
import { change, find, remove, sql } from '@suite/chassis/database';
import { InUse, invalid, NotFound } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { assertExact } from '@suite/document-lines';
import { isZero } from '@suite/money';
import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { type Books, booksOf } from '../ledger/books/books.ts';
import { postEntry } from '../ledger/ledger/journal.ts';
import { openItem } from '../ledger/ledger/open-items.ts';
import { toBaseCurrency, credit, debit } from '../ledger/ledger/journal.rules.ts';
import { exchangeAmount, rateOf } from '../ledger/ledger/amount.rules.ts';
import { issueNumber } from '../ledger/books/document-number.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../operations.ts';
import { insertNumbered } from './rows.ts';
import { assertRoomForCustomer } from './customer-limit.ts';
import type { PartyKind } from './party-kind.ts';
import { announcePortalUser, linkPortalUser } from './portal-user.ts';
import type { PartyInput, PartyRow, VendorChanges, VendorInput } from './party.schema.ts';
import { rejectionReasons } from '../ledger/accounts/usable-accounts.ts';
import { newParty, type PartyColumns, partyColumns, readParty, tableOf } from './party.view.ts';

/** Returns the current day in the workspace of a command. */
const dayOf = ({ timezone }: Books) => today(timezone);

interface OpeningBalance {
  amount: string;
  date: string;
  rate: string;
  currency: string;
}

function openingOf(input: PartyInput, currency: string, books: Books): OpeningBalance | undefined {
  const { opening_balance: amount, opening_date, opening_rate } = input;
  if (amount === undefined || isZero(amount)) {
    const needless = opening_date ? 'opening_date' : opening_rate && 'opening_rate';
    if (needless) throw invalid(needless, 'There is no opening balance. Omit this field.');
    return undefined;
  }
  assertExact(amount, currency, 'opening_balance');
  const rate = rateOf(currency, opening_rate, 'opening_rate', books);
  return { amount, date: opening_date ?? dayOf(books), rate, currency };
}

/** Posts the opening balance against the opening balance account. */
async function postOpening(
  db: Db,
  kind: PartyKind,
  party: { id: string; code: string },
  opening: OpeningBalance,
  books: Books,
) {
  const { amount, date, rate, currency } = opening;
  const { base_currency } = books;
  const role = kind === 'customer' ? 'receivable' : 'payable';
  const owner = { kind, id: party.id };
  const base_amount = exchangeAmount(amount, rate, base_currency, 'opening_rate');
  const open_item_id = randomUUIDv7();
  await openItem(db, {
    id: open_item_id,
    kind: 'claim',
    party: owner,
    role,
    date,
    due_date: date,
    currency,
    rate,
    amount,
    number: party.code,
    document_type: 'opening_balance',
    document_id: open_item_id,
    base_amount,
  });
  const more = { open_item_id, party: owner };
  const sides =
    kind === 'customer'
      ? [debit(role, amount, more), credit('opening_equity', amount)]
      : [debit('opening_equity', amount), credit(role, amount, more)];
  await postEntry(db, {
    date,
    scope: kind === 'customer' ? 'sales' : 'purchases',
    source_type: 'opening_balance',
    source_id: open_item_id,
    purpose: 'post',
    narration: `Opening balance of ${party.code}`,
    lines: toBaseCurrency(sides, { currency, rate, base_currency }),
  });
}

/**
 * Creates a customer or vendor, with the next code of its series.
 * @throws PlanLimit; PeriodLocked for an opening balance; Forbidden, AccountLinked for a portal user
 */
export async function createParty(context: CommandContext, kind: PartyKind, input: VendorInput): Promise<PartyRow> {
  const { db, caller } = context;
  if (kind === 'customer') await assertRoomForCustomer(db, caller);
  const books = await booksOf(db, caller);
  const { opening_balance: _, opening_date: __, opening_rate: ___, ...columns } = input;
  const currency = columns.currency ?? books.base_currency;
  const opening = openingOf(input, currency, books);
  const id = randomUUIDv7();
  if (columns.user_id) await linkPortalUser(context, { kind, id, before: null }, columns.user_id);
  await assertVendorAccount(db, columns.expense_account_id);
  const party = await insertNumbered<'customers' | 'vendors', PartyColumns>(
    db,
    tableOf(kind),
    { ...columns, id, currency },
    { column: 'code', number: issueNumber.inStatement(kind, dayOf(books)), shown: partyColumns(kind) },
  );
  if (!opening) return newParty(party);
  await postOpening(db, kind, party, opening, books);
  return await readParty(db, kind, id, caller?.timezone ?? books.timezone);
}

/**
 * Updates or archives a customer or vendor. Services that show customers receive the new name by an event. @throws
 * PlanLimit, AccountLinked
 */
export async function changeParty(
  context: CommandContext,
  kind: PartyKind,
  id: string,
  { version: _, expense_account_id, ...patch }: VendorChanges,
  expect: number | undefined,
): Promise<void> {
  const { db, emit, caller } = context;
  if (patch.currency !== undefined) await assertCurrencyFree(db, kind, id, patch.currency);
  if (patch.user_id !== undefined) {
    const [party] = await db.rows<{ user_id: string | null }>(sql`
      SELECT user_id FROM ${tableNamed(tableOf(kind))} WHERE id = ${id}::uuid FOR UPDATE`);
    await linkPortalUser(context, { kind, id, before: party?.user_id ?? null }, patch.user_id);
  }
  if (kind === 'vendor') {
    await assertVendorAccount(db, expense_account_id);
    return void (await change(db.vendor, id, { ...patch, expense_account_id }, expect));
  }
  if (patch.active) await assertRoomForCustomer(db, caller, id);
  const { name, active, user_id, version } = await change(db.customer, id, patch, expect);
  const isTold = [patch.name, patch.active, patch.user_id].some((value) => value !== undefined);
  if (isTold) emit(CustomerUpdated, { customer_id: id, name, active, user_id: user_id ?? '', version });
}

/** Checks that bills can be posted to the account of a vendor. @throws a 422 that names the field */
async function assertVendorAccount(db: Db, account_id: string | null | undefined): Promise<void> {
  if (!account_id) return;
  const [reason] = await rejectionReasons(db, [{ account_id, use: 'bill' }]);
  if (reason) throw invalid('expense_account_id', reason);
}

/**
 * Checks that the currency can change. Chosen: an amount is never shown in another currency, so the currency is fixed
 * after the first open item.
 */
async function assertCurrencyFree(db: Db, kind: PartyKind, id: string, currency: string): Promise<void> {
  const [party] = await db.rows<{ currency: string; used: boolean }>(sql`
    SELECT currency, EXISTS (SELECT FROM open_items WHERE ${columnNamed(`${kind}_id`)} = ${id}::uuid) AS used
    FROM ${tableNamed(tableOf(kind))} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!party) throw NotFound();
  if (party.used && party.currency !== currency) throw InUse();
}

/**
 * Deletes a customer or vendor without postings. Others can only be archived by an update.
 * @throws InUse with the number of references
 */
export async function removeParty(
  { db, emit }: Pick<CommandContext, 'db' | 'emit'>,
  kind: PartyKind,
  id: string,
): Promise<{ id: string }> {
  const column = columnNamed(`${kind}_id`);
  const { user_id } = await find(kind === 'customer' ? db.customer : (db.vendor as never), id);
  const cash = tableNamed(kind === 'customer' ? 'revenues' : 'expenses');
  const count = async () => {
    const [references] = await db.rows<{ open_items: number; payments: number; cash: number }>(sql`
    SELECT (SELECT count(*)::int FROM open_items WHERE ${column} = ${id}::uuid) AS open_items,
      (SELECT count(*)::int FROM payments WHERE ${column} = ${id}::uuid) AS payments,
      (SELECT count(*)::int FROM ${cash} WHERE ${column} = ${id}::uuid) AS cash`);
    const { cash: documents, ...rest } = references!;
    return { ...rest, [kind === 'customer' ? 'revenues' : 'expenses']: documents };
  };
  await assertUnused(count);
  if (user_id) announcePortalUser(emit, kind, id, null);
  return await remove(kind === 'customer' ? db.customer : (db.vendor as never), id);
}
