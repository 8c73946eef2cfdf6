/**
 * Open items: outstanding amounts of customers and vendors (claims), and credits (payments, credit and debit notes). A
 * journal line on a control account references its item. The open amount of an item on any day is the sum of its lines.
 * The columns of the item store the current amount, which is locked and checked.
 */
import { randomUUIDv7 } from 'node:crypto';
import { join, sql } from '@suite/chassis/database';
import { accountOfRole } from '../accounts/account.ts';
import type { NumberInStatement } from '@suite/numbering';
import type { Db } from '../../operations.ts';
import type { Party } from './journal.rules.ts';
import type { EarliestDay, OpenItem, Settlement } from './open-items.rules.ts';

/** SQL for the amount of a journal line in its currency. Debits are positive. Some lines have no value in base currency. */
export const signedAmount = sql`CASE WHEN line.credit > 0 THEN - line.amount ELSE line.amount END`;

/** Roles of the accounts whose lines reference an open item. */
export type ControlRole = 'receivable' | 'payable' | 'customer_advances' | 'vendor_advances';

/** Columns of a new open item. */
export interface NewOpenItem {
  /** Defaults to a new ID. */
  id?: string;
  kind: OpenItem['kind'];
  party: Party;
  document_type: string;
  document_id: string;
  /** Document number. A new number is assigned by the statement that inserts the item. */
  number: string | NumberInStatement;
  /** Control account of the item. */
  role: ControlRole;
  date: string;
  due_date: string;
  currency: string;
  rate: string;
  amount: string;
  base_amount: string;
}

/** Opens an item, before the entry whose lines reference it. Returns its ID, and the number of its document. */
export async function openItem(
  db: Db,
  { id = randomUUIDv7(), party, role, ...item }: NewOpenItem,
): Promise<{ id: string; number: string }> {
  const { kind, document_type, document_id, number, date, due_date, currency, rate, amount, base_amount } = item;
  const [customer_id, vendor_id] = party.kind === 'customer' ? [party.id, null] : [null, party.id];
  const counted = typeof number === 'string' ? { counter: sql`SELECT`, number: sql`${number}` } : number;
  const [opened] = await db.rows<{ number: string }>(sql`
    WITH counter AS (${counted.counter})
    INSERT INTO open_items (id, kind, customer_id, vendor_id, document_type, document_id, number, account_id, date,
      due_date, currency, rate, amount, base_amount)
    SELECT ${id}::uuid, ${kind}, ${customer_id}::uuid, ${vendor_id}::uuid, ${document_type}, ${document_id}::uuid,
      ${counted.number}, (${accountOfRole(role)}), ${date}::date, ${due_date}::date, ${currency}, ${rate}::numeric,
      ${amount}::numeric, ${base_amount}::numeric
    FROM counter RETURNING number`);
  return { id, number: opened!.number };
}

/** Locks items in the order of their IDs, to prevent deadlocks. */
export async function lockItems(db: Db, ids: readonly string[]): Promise<Map<string, OpenItem>> {
  const rows = await db.rows<OpenItem>(sql`
    SELECT id, kind, customer_id, vendor_id, document_type, document_id, number, account_id, date, due_date, currency,
      rate, amount, base_amount, settled, base_settled, voided
    FROM open_items WHERE id = ANY(${[...new Set(ids)]}::uuid[]) ORDER BY id FOR UPDATE`);
  return new Map(rows.map((item) => [item.id, item]));
}

/**
 * Returns the first day since which the requested amount of each item stays open. An undone allocation or payment
 * settles the item until the day of the reversal. The items must be locked. A payment that was fully allocated
 * immediately has no line on its item until part of it is open again.
 */
export async function openSince(
  db: Db,
  requested: readonly { id: string; amount: string }[],
): Promise<Map<string, EarliestDay>> {
  if (requested.length === 0) return new Map();
  const [ids, amounts] = [requested.map(({ id }) => id), requested.map(({ amount }) => amount)];
  const rows = await db.rows<EarliestDay & { id: string }>(sql`
    WITH run AS (
      SELECT open_item_id AS id, date,
        abs(sum(sum(${signedAmount})) OVER (PARTITION BY open_item_id ORDER BY date)) AS open
      FROM journal_lines AS line WHERE open_item_id = ANY(${ids}::uuid[]) GROUP BY open_item_id, date),
    short AS (
      SELECT asked.id, max(run.date) AS date FROM unnest(${ids}::uuid[], ${amounts}::numeric[]) AS asked (id, amount)
        JOIN run ON run.id = asked.id AND run.open < asked.amount GROUP BY asked.id)
    SELECT item.id, item.number, greatest(item.date, later.date)::text AS date, later.date > item.date AS is_settled_until
    FROM open_items AS item LEFT JOIN short ON short.id = item.id LEFT JOIN LATERAL (
      SELECT min(run.date) AS date FROM run
      WHERE run.id = item.id AND run.date > coalesce(short.date, '-infinity')) AS later ON TRUE
    WHERE item.id = ANY(${ids}::uuid[])`);
  return new Map(rows.map(({ id, ...first }) => [id, first]));
}

/** Locks the item of a document. Returns undefined if there is none. */
export async function lockItemOf(db: Db, document_type: string, document_id: string): Promise<OpenItem | undefined> {
  const [item] = await db.rows<{ id: string }>(sql`
    SELECT id FROM open_items WHERE document_type = ${document_type} AND document_id = ${document_id}::uuid`);
  return item && (await lockItems(db, [item.id])).get(item.id);
}

/**
 * Increases the settled amounts of locked items, or decreases them (`undo`). The database rejects amounts beyond the
 * item.
 */
async function changeSettled(
  db: Db,
  moves: { id: string; amount: string; base: string }[],
  direction: 1 | -1,
): Promise<void> {
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

/** Applies planned settlements on both sides, and records them. Their entry must exist. */
export async function settleOpenItem(
  db: Db,
  {
    credit_id,
    settlements,
    date,
    journal_id,
  }: { credit_id: string; settlements: readonly Settlement[]; date: string; journal_id: string },
): Promise<void> {
  await changeSettled(db, movesOf(credit_id, settlements), 1);
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

/** Undone settlement, with its stored amounts. */
export interface UndoneSettlement {
  id: string;
  claim_id: string;
  credit_id: string;
  amount: string;
  credit_amount: string;
  rate: string | null;
  claim_base: string;
  credit_base: string;
  date: string;
  journal_id: string;
}

/** Undoes settlements on both sides. Their items must be locked. The caller posts the opposite entries. */
export async function undoSettlements(db: Db, ids: readonly string[]): Promise<UndoneSettlement[]> {
  const undone = await db.rows<UndoneSettlement>(sql`
    DELETE FROM allocations WHERE id = ANY(${ids}::uuid[])
    RETURNING id, claim_id, credit_id, amount, credit_amount, rate, claim_base, credit_base, date, journal_id`);
  const moves = undone.flatMap(({ claim_id, credit_id, amount, credit_amount, claim_base, credit_base }) => [
    { id: claim_id, amount, base: claim_base },
    { id: credit_id, amount: credit_amount, base: credit_base },
  ]);
  await changeSettled(db, moves, -1);
  return undone;
}

/**
 * Undoes all allocations of a credit. The credit and its open items must be locked. Returns the IDs of the open items.
 */
export async function unsettle(db: Db, credit_id: string): Promise<string[]> {
  const removed = await db.rows<{ claim_id: string; amount: string; claim_base: string }>(sql`
    DELETE FROM allocations WHERE credit_id = ${credit_id}::uuid RETURNING claim_id, amount, claim_base`);
  if (removed.length === 0) return [];
  const values = removed.map(
    ({ claim_id, amount, claim_base }) => sql`(${claim_id}::uuid, ${amount}::numeric, ${claim_base}::numeric)`,
  );
  await db.rows(sql`
    UPDATE open_items AS item SET settled = item.settled - step.amount, base_settled = item.base_settled - step.base
    FROM (SELECT id, sum(amount) AS amount, sum(base) AS base FROM (VALUES ${join(values)}) AS one (id, amount, base) GROUP BY id) AS step
    WHERE item.id = step.id`);
  await db.rows(sql`UPDATE open_items SET settled = 0, base_settled = 0 WHERE id = ${credit_id}::uuid`);
  return [...new Set(removed.map(({ claim_id }) => claim_id))];
}
