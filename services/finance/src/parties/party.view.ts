/** View of customers and vendors. Balances come from their open items. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import { type ListRequest, type Page, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { type Column, columnNamed, type Db, tableNamed } from '../operations.ts';
import type { PartyKind } from './party-kind.ts';
import { Customer, type PartyRow, Vendor } from './party.schema.ts';

/** Returns the schema of customers or vendors. */
const schemaOf = (kind: PartyKind) => (kind === 'customer' ? Customer : Vendor);

export const tableOf = (kind: PartyKind) => `${kind}s` as const;

/** Returns SQL for the open amount of an item. A credit is negative. */
const openAmount = (whole: Column<'open_items'>, settled: Column<'open_items'>): Sql =>
  sql`CASE item.kind WHEN 'claim' THEN 1 ELSE -1 END * (item.${columnNamed(whole)} - item.${columnNamed(settled)})`;

/**
 * Returns SQL for the open items of a party by currency: outstanding and overdue amounts, with their value in base currency.
 */
const openOf = (kind: PartyKind, day: string): Sql => {
  const overdue = sql`item.kind = 'claim' AND item.due_date < ${day}::date`;
  return sql`SELECT item.currency, sum(${openAmount('amount', 'settled')}) AS balance,
      coalesce(sum(item.amount - item.settled) FILTER (WHERE ${overdue}), 0) AS overdue_balance,
      sum(${openAmount('base_amount', 'base_settled')}) AS base_balance,
      coalesce(sum(item.base_amount - item.base_settled) FILTER (WHERE ${overdue}), 0) AS base_overdue_balance
    FROM open_items AS item
    WHERE item.${columnNamed(`${kind}_id`)} = ${tableNamed(tableOf(kind))}.id AND NOT item.voided AND item.settled < item.amount
    GROUP BY item.currency`;
};

const AMOUNTS = ['balance', 'overdue_balance', 'base_balance', 'base_overdue_balance'] as const;
const jsonPairs = (text: (name: (typeof AMOUNTS)[number]) => Sql): Sql =>
  join(AMOUNTS.map((name) => sql`${name}::text, (${text(name)})::text`));

/** Computes all amounts of a party from its open items, in one pass. Decimals are returned as text. */
const amountsOf = (kind: PartyKind, day: string): Sql => {
  const own = sql`${tableNamed(tableOf(kind))}.currency`;
  const total = (name: (typeof AMOUNTS)[number]) => sql`coalesce(sum(open.${raw(name)}), 0)`;
  return sql`SELECT jsonb_build_object(
      ${jsonPairs((name) => (name.startsWith('base_') ? total(name) : sql`coalesce(sum(open.${raw(name)}) FILTER (WHERE open.currency = ${own}), 0)`))},
      'credit_available', (${tableNamed(tableOf(kind))}.credit_limit - ${total('base_balance')})::text,
      'balances', coalesce(jsonb_agg(jsonb_build_object('currency', open.currency,
        ${jsonPairs((name) => sql`open.${raw(name)}`)}) ORDER BY open.currency), '[]'))
    FROM (${openOf(kind, day)}) AS open`;
};

/** Returns SQL for the opening balance of a party, at most one. */
const openingOf = (
  kind: PartyKind,
  column: Column<'open_items'>,
): Sql => sql`SELECT ${columnNamed(column)} FROM open_items AS item
  WHERE item.document_type = 'opening_balance' AND item.${columnNamed(`${kind}_id`)} = ${tableNamed(tableOf(kind))}.id LIMIT 1`;

/** Returns the view of parties. `balances` contains all amounts; `withAmounts` copies them to their fields. */
const view = (kind: PartyKind, timezone: string) => ({
  table: tableOf(kind),
  compute: {
    opening_balance: openingOf(kind, 'amount'),
    opening_date: openingOf(kind, 'date'),
    opening_rate: sql`SELECT trim_scale((${openingOf(kind, 'rate')}))`,
    opening_balance_id: openingOf(kind, 'document_id'),
    balances: amountsOf(kind, today(timezone)),
    ...Object.fromEntries([...AMOUNTS, 'credit_available'].map((name) => [name, sql`NULL`])),
  },
});

const withAmounts = <R extends object>(row: R): R => ({ ...row, ...(row as { balances?: object }).balances });

/** Returns a page of parties with their amounts. */
export async function listParties(db: Db, kind: PartyKind, request: ListRequest, timezone: string): Promise<Page> {
  const { fields } = request;
  const isFigure = [...AMOUNTS, 'credit_available'].some((name) => fields?.has(name));
  const read = isFigure ? { ...request, fields: new Set([...fields!, 'balances']) } : request;
  const found = await paginate(db, read, view(kind, timezone));
  return { ...found, rows: found.rows.map(withAmounts) };
}

const COMPUTED = [
  ...AMOUNTS,
  ...(['opening_balance', 'opening_date', 'opening_rate', 'opening_balance_id'] as const),
  ...(['balances', 'credit_available', 'allowed_actions'] as const),
] as const;
const isComputed = (name: string): boolean => COMPUTED.some((computed) => computed === name);

/** Returns the columns of a party, for the statement that inserts it. */
export const partyColumns = (kind: PartyKind): Sql =>
  raw(
    Object.keys(schemaOf(kind).shape)
      .filter((name) => !isComputed(name))
      .join(', '),
  );

/** Stored columns of a party. */
export type PartyColumns = Omit<PartyRow, (typeof COMPUTED)[number]>;

/** Returns a new party without open items, in the form that `readParty` returns. */
export const newParty = (row: PartyColumns): PartyRow => ({
  ...row,
  opening_balance: null,
  opening_date: null,
  opening_rate: null,
  opening_balance_id: null,
  balance: '0',
  overdue_balance: '0',
  base_balance: '0',
  base_overdue_balance: '0',
  balances: [],
  credit_available: row.credit_limit,
});

/** Returns a party with its amounts. */
export const readParty = async (db: Db, kind: PartyKind, id: string, timezone: string): Promise<PartyRow> =>
  withAmounts((await readOne(db, schemaOf(kind), id, view(kind, timezone))) as PartyRow);
