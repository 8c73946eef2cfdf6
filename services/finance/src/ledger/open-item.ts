/**
 * Open items: what customers owe us and we owe vendors (claims), and what stands against it (credits: payments, credit
 * and debit notes). A line of the journal on a control account names its item, so that what is open of an item is the
 * sum of its lines, on any day; the columns of the item say the same for now, and are what is locked and checked.
 */
import { randomUUIDv7 } from 'node:crypto';
import { fault, invalid, join, sql } from '@suite/chassis';
import { compare, isOverPrecise, isZero, portion, subtract, sum, toBase } from '@suite/money';
import { accountsByRole } from '../accounts/account.ts';
import type { Db } from '../operations.ts';
import type { Party } from './journal.rules.ts';
import { figured } from './amount.rules.ts';

export const OverAllocated = fault(409, 'over_allocated', 'More would be settled than is open.');
export const CurrencyMismatch = fault(
  422,
  'currency_mismatch',
  'What is settled is in another currency than what settles it: say the rate.',
);

/** The accounts whose lines name an open item. */
export type ControlRole = 'receivable' | 'payable' | 'customer_advances' | 'vendor_advances';

export interface OpenItem {
  id: string;
  kind: 'claim' | 'credit';
  customer_id: string | null;
  vendor_id: string | null;
  document_type: string;
  document_id: string;
  number: string;
  account_id: string;
  date: string;
  due_date: string;
  currency: string;
  rate: string;
  amount: string;
  base_amount: string;
  settled: string;
  base_settled: string;
  voided: boolean;
}

/** What an item is opened with. */
export interface NewItem {
  kind: OpenItem['kind'];
  party: Party;
  document_type: string;
  document_id: string;
  number: string;
  /** The control account on which it stands. */
  role: ControlRole;
  date: string;
  due_date: string;
  currency: string;
  rate: string;
  amount: string;
  base_amount: string;
}

/** So much of a claim, at a rate where the credit is in another currency. */
export interface Part {
  /** In the currency of the claim. */
  amount: string;
  /** How much of the credit's currency one unit of the claim's costs; none within one currency. */
  rate?: string | null | undefined;
}

/** So much of a claim is to be settled. */
export interface Asked extends Part {
  open_item_id: string;
}

/** So much of a credit against a claim: what that takes from each, in its own currency and in base currency. */
export interface Settlement {
  claim: OpenItem;
  amount: string;
  credit_amount: string;
  rate: string | null;
  claim_base: string;
  credit_base: string;
  /** What the exchange between the two currencies is worth in base currency; null within one currency. */
  exchange_base: string | null;
}

/** Opens an item, before the entry whose lines name it. Returns its id. */
export async function openItem(db: Db, { party, role, ...item }: NewItem): Promise<string> {
  const account_id = (await accountsByRole(db, [role])).get(role)!;
  const id = randomUUIDv7();
  const { kind, document_type, document_id, number, date, due_date, currency, rate, amount, base_amount } = item;
  const [customer_id, vendor_id] = party.kind === 'customer' ? [party.id, null] : [null, party.id];
  await db.rows(sql`
    INSERT INTO open_items (id, kind, customer_id, vendor_id, document_type, document_id, number, account_id, date,
      due_date, currency, rate, amount, base_amount)
    VALUES (${id}::uuid, ${kind}, ${customer_id}::uuid, ${vendor_id}::uuid, ${document_type}, ${document_id}::uuid,
      ${number}, ${account_id}::uuid, ${date}::date, ${due_date}::date, ${currency}, ${rate}::numeric,
      ${amount}::numeric, ${base_amount}::numeric)`);
  return id;
}

/** Locks items, in the order of their ids: two who settle the same ones wait for each other and never in a circle. */
export async function lockItems(db: Db, ids: readonly string[]): Promise<Map<string, OpenItem>> {
  const rows = await db.rows<OpenItem>(sql`
    SELECT id, kind, customer_id, vendor_id, document_type, document_id, number, account_id, date, due_date, currency,
      rate, amount, base_amount, settled, base_settled, voided
    FROM open_items WHERE id = ANY(${[...new Set(ids)]}::uuid[]) ORDER BY id FOR UPDATE`);
  return new Map(rows.map((item) => [item.id, item]));
}

/** Locks the item of a document; nothing for one that has none. */
export async function lockItemOf(db: Db, document_type: string, document_id: string): Promise<OpenItem | undefined> {
  const [item] = await db.rows<{ id: string }>(sql`
    SELECT id FROM open_items WHERE document_type = ${document_type} AND document_id = ${document_id}::uuid`);
  return item && (await lockItems(db, [item.id])).get(item.id);
}

/** What is still open of an item, in its currency. */
export const openOf = ({ amount, settled, currency, voided }: OpenItem): string =>
  voided ? subtract('0', '0', currency) : subtract(amount, settled, currency);

/** In which currency both sides are. */
interface Currencies {
  claim: string;
  credit: string;
}

/**
 * What settling a part of a claim takes of a credit, in the credit's currency.
 * @param field where the part stands in the body, for messages
 * @throws CurrencyMismatch where a rate is missing; a 422 that names the field
 */
export function creditAmount({ amount, rate }: Part, { claim, credit }: Currencies, field: string): string {
  if (claim !== credit && !rate) throw CurrencyMismatch({ field: `${field}.rate`, currency: claim });
  if (claim === credit && rate) throw invalid(`${field}.rate`, `Both are in ${claim}: leave the rate out.`);
  if (isOverPrecise(amount, claim) || compare(amount, '0') <= 0) {
    throw invalid(`${field}.amount`, `Write an amount of ${claim} that is more than zero.`);
  }
  if (!rate) return amount;
  const taken = figured(
    () => toBase(amount, rate, credit),
    (name) => `${field}.${name}`,
  );
  if (isZero(taken)) throw invalid(`${field}.amount`, `At this rate it is less than the smallest unit of ${credit}.`);
  return taken;
}

/** What is left of the base amount when so much more is settled: in steps that add up to it exactly. */
const baseStep = (item: Pick<OpenItem, 'base_amount' | 'amount' | 'settled'>, now: string, base_currency: string) =>
  portion(item.base_amount, { whole: item.amount, before: item.settled, now }, base_currency);

/**
 * Works out what settling claims out of a credit takes from each. The claims must be locked.
 * @param credit what is spent; `settled` is what of it was spent before
 * @param field where the allocations stand in the body, for messages
 * @throws OverAllocated, CurrencyMismatch, a 422 for a claim that is none of this party
 */
export function planSettlements(
  credit: Pick<OpenItem, 'amount' | 'base_amount' | 'settled' | 'currency'> & { party: Party },
  claims: ReadonlyMap<string, OpenItem>,
  asked: readonly Asked[],
  { base_currency, field }: { base_currency: string; field: string },
): Settlement[] {
  let spent = credit.settled;
  return asked.map(({ open_item_id, ...part }, at) => {
    const { amount, rate = null } = part;
    if (asked.findIndex((other) => other.open_item_id === open_item_id) !== at) {
      throw invalid(`${field}.${at}`, 'This is named twice.');
    }
    const claim = claims.get(open_item_id);
    const owner = credit.party.kind === 'customer' ? claim?.customer_id : claim?.vendor_id;
    if (!claim || claim.kind !== 'claim' || owner !== credit.party.id) {
      throw invalid(`${field}.${at}`, 'There is nothing of this party to settle.');
    }
    const { currency } = credit;
    const credit_amount = creditAmount(part, { claim: claim.currency, credit: currency }, `${field}.${at}`);
    const left = subtract(credit.amount, spent, currency);
    if (compare(amount, openOf(claim)) > 0) throw OverAllocated({ open_item_id, open: openOf(claim) });
    if (compare(credit_amount, left) > 0) throw OverAllocated({ left });
    const claim_base = baseStep(claim, amount, base_currency);
    const credit_base = baseStep({ ...credit, settled: spent }, credit_amount, base_currency);
    spent = sum([spent, credit_amount], currency);
    // What is in base currency is worth just that; between two other currencies, the rate of the credit counts.
    const exchange_base = rate && (claim.currency === base_currency ? claim_base : credit_base);
    return { claim, amount, credit_amount, rate, claim_base, credit_base, exchange_base };
  });
}

/** Moves what is settled of locked items up, or down again (`undo`). The database refuses more than there is. */
async function move(db: Db, moves: { id: string; amount: string; base: string }[], direction: 1 | -1): Promise<void> {
  if (moves.length === 0) return;
  const values = moves.map(({ id, amount, base }) => sql`(${id}::uuid, ${amount}::numeric, ${base}::numeric)`);
  await db.rows(sql`
    UPDATE open_items AS item
    SET settled = item.settled + ${direction} * step.amount, base_settled = item.base_settled + ${direction} * step.base
    FROM (SELECT id, sum(amount) AS amount, sum(base) AS base FROM (VALUES ${join(values)}) AS one (id, amount, base) GROUP BY id) AS step
    WHERE item.id = step.id`);
}

const movesOf = (credit_id: string, settlements: readonly Settlement[]) =>
  settlements.flatMap(({ claim, amount, credit_amount, claim_base, credit_base }) => [
    { id: claim.id, amount, base: claim_base },
    { id: credit_id, amount: credit_amount, base: credit_base },
  ]);

/** Settles what was planned, on both sides, and notes it down. The entry that books it must be there. */
export async function settle(
  db: Db,
  {
    credit_id,
    settlements,
    date,
    journal_id,
  }: { credit_id: string; settlements: readonly Settlement[]; date: string; journal_id: string },
): Promise<void> {
  await move(db, movesOf(credit_id, settlements), 1);
  if (settlements.length === 0) return;
  const values = settlements.map(
    (one) => sql`(${randomUUIDv7()}::uuid, ${one.claim.id}::uuid, ${credit_id}::uuid, ${one.amount}::numeric,
      ${one.credit_amount}::numeric, ${one.rate}::numeric, ${one.claim_base}::numeric, ${one.credit_base}::numeric,
      ${date}::date, ${journal_id}::uuid)`,
  );
  await db.rows(sql`
    INSERT INTO allocations (id, claim_id, credit_id, amount, credit_amount, rate, claim_base, credit_base, date, journal_id)
    VALUES ${join(values)}`);
}
