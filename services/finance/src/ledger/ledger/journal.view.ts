/** View of journal entries. An entry is reversed if another entry reverses it. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { BaseMoneyOut, choice, Id, MoneyOut, Day, Timestamp } from '@suite/chassis/fields';
import { list, many } from '@suite/chassis/lists';
import { z } from 'zod';
import type { Db } from '../../operations.ts';
import { Purpose, SourceType } from './journal.rules.ts';

const JournalLine = z
  .object({
    id: Id,
    account: z.object({ id: Id, code: z.string(), name: z.string() }),
    debit: BaseMoneyOut.describe('Debit amount in base currency.'),
    credit: BaseMoneyOut.describe('Credit amount in base currency.'),
    currency: z.string(),
    amount: MoneyOut.describe(
      'Amount in the currency of the line. If `debit` and `credit` round to zero, the amount of a credit is negative.',
    ),
    rate: z.string(),
    party_kind: z.string().nullable(),
    party_id: Id.nullable(),
    tax_id: Id.nullable(),
    product_id: Id.nullable(),
    project_id: Id.nullable(),
    memo: z.string(),
  })
  .meta({ id: 'JournalLine' });

/** Journal entry with its lines. */
export const JournalEntry = z
  .object({
    id: Id,
    number: z.string(),
    date: Day,
    source_type: z.string(),
    source_id: Id,
    purpose: z.string(),
    narration: z.string(),
    reversal_of: Id.nullable(),
    reversed_by: Id.nullable(),
    status: choice('posted', 'reversed'),
    created_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp.describe('Identical to `created_at`, because entries never change.'),
    lines: z.array(JournalLine).optional(),
  })
  .meta({ id: 'JournalEntry' });

export const JournalFilter = list(JournalEntry, {
  filter: ['number', 'date', 'source_type', 'source_id', 'purpose', 'reversal_of', 'created_by', 'created_at'],
  values: { source_type: SourceType, purpose: Purpose },
  sort: ['created_at', 'date'],
  search: { texts: ['number', 'narration'] },
  expand: ['lines'],
});

// Scalar subquery, evaluated only for displayed rows. For EXISTS, the planner would first read all entries.
const reversing = sql`SELECT id FROM journal_entries AS other WHERE other.reversal_of = journal_entries.id`;

const lines = sql`
  SELECT line.entry_id, line.id, json_build_object('id', account.id, 'code', account.code, 'name', account.name) AS account,
    line.debit, line.credit, line.currency, line.amount, line.rate, line.party_kind, line.party_id, line.tax_id,
    line.product_id, line.project_id, line.memo
  FROM journal_lines AS line JOIN gl_accounts AS account ON account.id = line.account_id`;

const linesOf = (db: Db, ids: readonly string[]) =>
  db.rows(sql`${lines} WHERE line.entry_id = ANY(${ids}::uuid[]) ORDER BY line.entry_id, line.position`);

/**
 * Returns the journal lines of a document: of its own entry, and of the commission that it accrued or reversed. The IDs
 * form an array, which is evaluated once. For a subquery after IN, the planner may search the entries again for each line
 * of the workspace.
 */
export const journalLinesFor = (db: Db, journal_id: string | null, document: { type: string; id: string }) =>
  db.rows<z.input<typeof JournalLine>>(sql`
    ${lines} WHERE line.entry_id = ANY (ARRAY(
      SELECT ${journal_id}::uuid UNION ALL
      SELECT id FROM journal_entries
      WHERE source_type = ${document.type} AND source_id = ${document.id}::uuid AND purpose = 'commission'))
    ORDER BY line.entry_id IS DISTINCT FROM ${journal_id}::uuid, line.position`);

/** Returns the view of journal entries. */
export const journalView = (db: Db) => ({
  table: 'journal_entries',
  compute: {
    updated_at: sql`journal_entries.created_at`,
    reversed_by: reversing,
    status: sql`CASE WHEN (${reversing}) IS NULL THEN 'posted' ELSE 'reversed' END`,
  },
  expand: { lines: many('entry_id', (ids) => linesOf(db, ids)) },
});

/** Returns an entry with its lines. */
export async function readEntry(db: Db, id: string): Promise<z.input<typeof JournalEntry>> {
  const [entry] = await db.rows<z.input<typeof JournalEntry>>(sql`
    SELECT id, number, date, source_type, source_id, purpose, narration, reversal_of, created_by, created_at,
      created_at AS updated_at, (${reversing}) AS reversed_by,
      CASE WHEN (${reversing}) IS NULL THEN 'posted' ELSE 'reversed' END AS status
    FROM journal_entries WHERE id = ${id}::uuid`);
  if (!entry) throw NotFound();
  return { ...entry, lines: (await linesOf(db, [id])) as never };
}
