/**
 * Balances and statements of customers and vendors on a day, from the journal lines on control accounts. The lines are
 * summed once, regardless of the planner's estimate of the number of parties.
 */
import { find, join, raw, type Sql, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { sum } from '@suite/money';
import type { Books } from '../../ledger/books/books.ts';
import { columnNamed, type Db, tableNamed } from '../../operations.ts';
import type { PartyKind } from '../../parties/party-kind.ts';
import { signedAmount } from '../../ledger/ledger/open-items.ts';

const BUCKETS = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90', 'credits', 'total'] as const;
type AgeingBuckets = Record<(typeof BUCKETS)[number], string>;
type AgedParty = {
  id: string;
  code: string;
  name: string;
  by_currency: ({ currency: string } & AgeingBuckets)[];
} & AgeingBuckets;

/** Returns SQL for the change of a party's balance: debits increase a customer's balance, credits a vendor's. */
const balanceChange = (kind: PartyKind) =>
  kind === 'customer' ? sql`line.debit - line.credit` : sql`line.credit - line.debit`;

/** Returns SQL for the same change in the currency of the line. */
const currencyBalanceChange = (kind: PartyKind) => (kind === 'customer' ? signedAmount : sql`- (${signedAmount})`);

/**
 * Returns the open amount in each bucket, and the credits as positive amounts. An invoice that was paid before its date
 * counts as a credit until then.
 */
function ageingBuckets(open: Sql, age: Sql): Sql {
  const claims = (days: Sql) => sql`coalesce(sum(${open}) FILTER (WHERE item.open > 0 AND ${age} ${days}), 0)`;
  return sql`${claims(sql`<= 0`)} AS not_due, ${claims(sql`BETWEEN 1 AND 30`)} AS days_1_30,
    ${claims(sql`BETWEEN 31 AND 60`)} AS days_31_60, ${claims(sql`BETWEEN 61 AND 90`)} AS days_61_90,
    ${claims(sql`> 90`)} AS days_over_90,
    coalesce(- sum(${open}) FILTER (WHERE item.open <= 0), 0) AS credits, sum(${open}) AS total`;
}

/** Returns SQL for the sums of all buckets of grouped rows, under the same names. */
const sums: Sql = join(BUCKETS.map((bucket) => sql`sum(${raw(bucket)}) AS ${raw(bucket)}`));

/** Returns SQL for the buckets of a row as text, since JSON would convert decimals to numbers. */
const textOf = (row: 'own' | 'party' | 'total'): Sql =>
  sql`jsonb_build_object(${join(BUCKETS.map((bucket) => sql`${bucket}::text, ${raw(`${row}.${bucket}`)}::text`))})`;

interface AgeingPage {
  party_count: number;
  totals: AgeingBuckets | null;
  parties: AgedParty[];
}

/**
 * Returns the ageing report on a day by due date, in base currency and in each item currency. The database adds up all
 * amounts, and a response contains one page of parties, so that its size does not depend on their number.
 */
export async function ageing(
  db: Db,
  { kind, page, per_page }: { kind: PartyKind; page: number; per_page: number },
  { base_currency: currency }: Books,
  as_of: string,
) {
  const age = sql`(${as_of}::date - item.due_date)`;
  const [found] = await db.rows<AgeingPage>(sql`
    WITH item AS MATERIALIZED (
      SELECT item.${columnNamed(`${kind}_id`)} AS party_id, item.currency, item.due_date,
        sum(${balanceChange(kind)}) AS base, sum(${currencyBalanceChange(kind)}) AS open
      FROM journal_lines AS line JOIN open_items AS item ON item.id = line.open_item_id
      WHERE line.date <= ${as_of}::date AND item.${columnNamed(`${kind}_id`)} IS NOT NULL
      GROUP BY item.id HAVING sum(line.debit) <> sum(line.credit) OR sum(${currencyBalanceChange(kind)}) <> 0),
    owing AS (SELECT party_id AS id, ${ageingBuckets(sql`item.base`, age)} FROM item GROUP BY party_id),
    party AS MATERIALIZED (
      SELECT owing.*, named.code, named.name FROM owing JOIN ${tableNamed(`${kind}s`)} AS named ON named.id = owing.id),
    total AS (SELECT ${sums} FROM party),
    paged AS MATERIALIZED (
      SELECT * FROM party ORDER BY name, id LIMIT ${per_page} OFFSET ${(page - 1) * per_page}),
    own AS MATERIALIZED (
      SELECT party_id, currency, ${ageingBuckets(sql`item.open`, age)} FROM item
      WHERE party_id IN (SELECT id FROM paged) GROUP BY party_id, currency),
    -- A subquery for each party would read all items again.
    listed AS MATERIALIZED (
      SELECT party_id, jsonb_agg(jsonb_build_object('currency', own.currency) || ${textOf('own')} ORDER BY own.currency) AS by_currency
      FROM own GROUP BY party_id)
    SELECT (SELECT count(*)::int FROM party) AS party_count,
      (SELECT ${textOf('total')} FROM total WHERE total.total IS NOT NULL) AS totals,
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', party.id, 'code', party.code, 'name', party.name,
        'by_currency', listed.by_currency) || ${textOf('party')} ORDER BY party.name, party.id)
        FROM paged AS party JOIN listed ON listed.party_id = party.id), '[]') AS parties`);
  const { party_count, totals, parties } = found!;
  const none = Object.fromEntries(BUCKETS.map((bucket) => [bucket, '0'])) as AgeingBuckets;
  return { kind, as_of, currency, party_count, page, per_page, parties, totals: totals ?? none };
}

interface StatementLine {
  date: string;
  number: string;
  source_type: string;
  source_id: string;
  narration: string;
  currency: string;
  debit: string;
  credit: string;
  balance: string;
  base_debit: string;
  base_credit: string;
  base_balance: string;
}

/** Returns SQL for a balance change as debit and credit: debits increase a customer's balance, credits a vendor's. */
function sides(kind: PartyKind, change: Sql, prefix: '' | 'base_'): Sql {
  const [grows, falls] = kind === 'customer' ? ['debit', 'credit'] : ['credit', 'debit'];
  return sql`greatest(${change}, 0) AS ${raw(prefix + grows)}, greatest(- ${change}, 0) AS ${raw(prefix + falls)}`;
}

/** The part of a statement that is read at a time: each of its lines costs all callers of the service some time. */
const STATEMENT_LINES_MAX = 2_000;

export const StatementTooLong = fault(
  422,
  'statement_too_long',
  `This statement has more than ${STATEMENT_LINES_MAX.toLocaleString('en')} lines. Choose a shorter period.`,
);

/** The party, side and days of a statement. */
interface Statement {
  kind: PartyKind;
  id: string;
  from: string;
  to: string;
}

/** Returns the balance changes of a party by entry and currency. Movements between its own items cancel out. */
const movements = ({ kind, id, from, to }: Statement): Sql => sql`
  WITH moved AS MATERIALIZED (
    SELECT line.entry_id, line.currency, sum(${balanceChange(kind)}) AS base, sum(${currencyBalanceChange(kind)}) AS amount
    FROM journal_lines AS line
    WHERE line.party_id = ${id}::uuid AND line.open_item_id IS NOT NULL AND line.date <= ${to}::date
    GROUP BY line.entry_id, line.currency
    HAVING sum(line.debit) <> sum(line.credit) OR sum(${currencyBalanceChange(kind)}) <> 0),
  movement AS (
    SELECT entry.date, entry.sequence, entry.number, entry.source_type, entry.source_id, entry.narration,
      entry.date < ${from}::date AS before, moved.currency, moved.amount, moved.base
    FROM moved JOIN journal_entries AS entry ON entry.id = moved.entry_id
    WHERE entry.source_type <> 'revaluation')`;

/** The lines of a statement with running balances. @throws StatementTooLong */
async function statementLines(db: Db, statement: Statement): Promise<StatementLine[]> {
  const { kind } = statement;
  const lines = await db.rows<StatementLine>(sql`
    ${movements(statement)}
    SELECT * FROM (
      SELECT date, sequence, number, source_type, source_id, narration, before,
        currency, ${sides(kind, sql`amount`, '')},
        sum(amount) OVER (PARTITION BY currency ORDER BY date, sequence) AS balance,
        ${sides(kind, sql`base`, 'base_')},
        sum(base) OVER (ORDER BY date, sequence, currency) AS base_balance
      FROM movement) AS line
    WHERE NOT before ORDER BY date, sequence, currency LIMIT ${STATEMENT_LINES_MAX + 1}`);
  if (lines.length > STATEMENT_LINES_MAX) throw StatementTooLong();
  return lines;
}

interface CurrencyBalances {
  currency: string;
  opening_balance: string;
  closing_balance: string;
  base_opening_balance: string;
  base_closing_balance: string;
}

/** The balances before and after the lines in each currency. */
const balancesBy = (db: Db, statement: Statement): Promise<CurrencyBalances[]> =>
  db.rows<CurrencyBalances>(sql`
    ${movements(statement)}
    SELECT currency, coalesce(sum(amount) FILTER (WHERE before), 0) AS opening_balance, sum(amount) AS closing_balance,
      coalesce(sum(base) FILTER (WHERE before), 0) AS base_opening_balance, sum(base) AS base_closing_balance
    FROM movement GROUP BY currency ORDER BY min(date), min(sequence), currency`);

/**
 * Returns the account of a customer or vendor: a line for each entry and currency, with its base value. Debits and
 * credits are the ones of the ledger: invoices of customers are debits, bills of vendors are credits. Balances are
 * positive for amounts payable by the party or to the vendor. Revaluations are not business with the party, and are
 * left out.
 * @throws StatementTooLong
 */
export async function statementOf(db: Db, kind: PartyKind, id: string, books: Books, from: string, to: string) {
  const party = await find(kind === 'customer' ? db.customer : (db.vendor as never as Db['customer']), id);
  const statement = { kind, id, from, to };
  const [moved, lines] = [await balancesBy(db, statement), await statementLines(db, statement)];
  const { base_currency } = books;
  const none = { opening_balance: '0', closing_balance: '0', base_opening_balance: '0', base_closing_balance: '0' };
  const own = moved.find((one) => one.currency === party.currency) ?? { currency: party.currency, ...none };
  const balances = [own, ...moved.filter((one) => one !== own)];
  const { currency, opening_balance, closing_balance } = own;
  const all = (column: 'base_opening_balance' | 'base_closing_balance') =>
    sum(
      balances.map((one) => one[column]),
      base_currency,
    );
  return {
    party: { id: party.id, code: party.code, name: party.name },
    from,
    to,
    currency,
    base_currency,
    opening_balance,
    closing_balance,
    balances,
    base_opening_balance: all('base_opening_balance'),
    base_closing_balance: all('base_closing_balance'),
    lines,
  };
}
