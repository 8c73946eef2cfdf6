/**
 * What customers and vendors owed on a day, and how it came about: from the lines of the journal on control accounts.
 * The lines are summed once, whatever the planner thinks of how many parties there are.
 */
import { find, raw, sql } from '@suite/chassis';
import { sum } from '@suite/money';
import type { Books } from '../accounts/books.ts';
import type { Db } from '../operations.ts';
import type { PartyKind } from '../parties/party.ts';

const BUCKETS = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90', 'credits', 'total'] as const;
type Aged = { id: string; code: string; name: string } & Record<(typeof BUCKETS)[number], string>;

/** On which side what a party owes grows: customers owe by debits, we owe vendors by credits. */
const owed = (kind: PartyKind) => raw(kind === 'customer' ? 'line.debit - line.credit' : 'line.credit - line.debit');

/** How old what is owed is on a day, by the due date of each item. */
export async function ageing(db: Db, kind: PartyKind, { base_currency: currency }: Books, as_of: string) {
  const age = sql`(${as_of}::date - item.due_date)`;
  const parties = await db.rows<Aged>(sql`
    WITH item AS MATERIALIZED (
      SELECT item.${raw(`${kind}_id`)} AS party_id, item.kind, item.due_date, sum(${owed(kind)}) AS open
      FROM journal_lines AS line JOIN open_items AS item ON item.id = line.open_item_id
      WHERE line.date <= ${as_of}::date AND item.${raw(`${kind}_id`)} IS NOT NULL
      GROUP BY item.id HAVING sum(line.debit) <> sum(line.credit))
    SELECT party.id, party.code, party.name,
      coalesce(sum(item.open) FILTER (WHERE item.kind = 'claim' AND ${age} <= 0), 0) AS not_due,
      coalesce(sum(item.open) FILTER (WHERE item.kind = 'claim' AND ${age} BETWEEN 1 AND 30), 0) AS days_1_30,
      coalesce(sum(item.open) FILTER (WHERE item.kind = 'claim' AND ${age} BETWEEN 31 AND 60), 0) AS days_31_60,
      coalesce(sum(item.open) FILTER (WHERE item.kind = 'claim' AND ${age} BETWEEN 61 AND 90), 0) AS days_61_90,
      coalesce(sum(item.open) FILTER (WHERE item.kind = 'claim' AND ${age} > 90), 0) AS days_over_90,
      coalesce(- sum(item.open) FILTER (WHERE item.kind = 'credit'), 0) AS credits,
      sum(item.open) AS total
    FROM item JOIN ${raw(`${kind}s`)} AS party ON party.id = item.party_id
    GROUP BY party.id ORDER BY party.name, party.id`);
  const totals = Object.fromEntries(
    BUCKETS.map((bucket) => [
      bucket,
      sum(
        parties.map((party) => party[bucket]),
        currency,
      ),
    ]),
  ) as Record<(typeof BUCKETS)[number], string>;
  return { kind, as_of, currency, parties, totals };
}

interface StatementLine {
  date: string;
  number: string;
  source_type: string;
  source_id: string;
  narration: string;
  debit: string;
  credit: string;
  balance: string;
}

/**
 * The account of a customer or vendor. An entry is one line of it; what only moves between items of the party is none.
 * Debits are on the side on which what is owed grows.
 */
export async function statementOf(db: Db, kind: PartyKind, id: string, books: Books, from: string, to: string) {
  const party = await find(kind === 'customer' ? db.customer : (db.vendor as never as Db['customer']), id);
  const rows = await db.rows<StatementLine & { before: boolean }>(sql`
    WITH moved AS MATERIALIZED (
      SELECT line.entry_id, sum(${owed(kind)}) AS amount FROM journal_lines AS line
      WHERE line.party_id = ${id}::uuid AND line.open_item_id IS NOT NULL AND line.date <= ${to}::date
      GROUP BY line.entry_id HAVING sum(line.debit) <> sum(line.credit))
    SELECT entry.date, entry.number, entry.source_type, entry.source_id, entry.narration, entry.date < ${from}::date AS before,
      greatest(moved.amount, 0) AS debit, greatest(- moved.amount, 0) AS credit,
      sum(moved.amount) OVER (ORDER BY entry.date, entry.sequence) AS balance
    FROM moved JOIN journal_entries AS entry ON entry.id = moved.entry_id
    ORDER BY entry.date, entry.sequence`);
  const lines = rows.filter(({ before }) => !before);
  const opening = rows.filter(({ before }) => before).at(-1)?.balance ?? '0';
  const { base_currency: currency } = books;
  return {
    party: { id: party.id, code: party.code, name: party.name },
    ...{ from, to, currency, opening_balance: opening, lines, closing_balance: lines.at(-1)?.balance ?? opening },
  };
}
