/**
 * Rejections of ledger_check that src/ledger/ledger/journal.test.ts (balance, currencies, open items) and src/audit do not
 * test.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../test/audit.ts';
import { type Company, openFinance } from '../../test/fixture.ts';
import { accountOf, journalEntry, journalLine, ledgerPost } from '../../test/journal.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));

let ours: Company;
let cash: string;
let sales: string;
beforeEach(async () => {
  ours = await company();
  [cash, sales] = [await accountOf(serving, ours, 'cash'), await accountOf(serving, ours, 'sales')];
});
const sale = () => journalEntry([journalLine(cash, 'debit'), journalLine(sales, 'credit')]);

/** SQL that continues a journal of one entry, with the same lines and a correct hash. */
const CONTINUE = `
  CREATE TEMP TABLE made ON COMMIT DROP AS
    SELECT * FROM journal_entries WHERE workspace_id = current_setting('suite.workspace_id')::uuid;
  CREATE TEMP TABLE lines ON COMMIT DROP AS
    SELECT * FROM journal_lines WHERE workspace_id = current_setting('suite.workspace_id')::uuid;
  UPDATE made SET id = gen_random_uuid(), source_id = gen_random_uuid(), sequence = 2, number = 'JE-000002', prev_hash = hash;
  UPDATE lines SET id = gen_random_uuid(), entry_id = made.id FROM made;
  UPDATE made SET hash = ledger_hash(ROW (made.*)::journal_entries,
    (SELECT string_agg(ledger_line_text(ROW (lines.*)::journal_lines), E'\\n' ORDER BY position) FROM lines))`;

/** Inserts a modified entry without ledger_post, and rolls back. */
async function writtenByHand(change: string): Promise<void> {
  const client = await serving.admin.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL suite.workspace_id = '${ours.workspace}'`);
    await client.query(CONTINUE);
    await client.query(change);
    await client.query('INSERT INTO journal_entries SELECT * FROM made; INSERT INTO journal_lines SELECT * FROM lines');
    await client.query('SET CONSTRAINTS ledger_check IMMEDIATE');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('ledger_check', () => {
  test('rejects a group account', async () => {
    await serving.sql`UPDATE gl_accounts SET is_group = TRUE, system_role = NULL WHERE id = ${sales}`;
    await expect(ledgerPost(ours, sale())).rejects.toMatchObject({ constraint: 'journal_lines_group_check' });
  });

  test('rejects a day locked for one of its accounts, even without ledger_post', async () => {
    await ledgerPost(
      ours,
      journalEntry([journalLine(cash, 'debit'), journalLine(sales, 'credit')], { scope: 'purchases' }),
    );
    const lock = { scope: 'banking', locked_through: '2026-03-31', reason: 'First quarter' };
    await ours.owner.post('/api/period-locks/create', lock);
    await expect(writtenByHand('SELECT 1')).rejects.toMatchObject({ constraint: 'journal_entries_period_check' });
  });

  test('rejects an archived account, except for a reversal', async () => {
    const { id } = await ledgerPost(ours, sale());
    await serving.sql`UPDATE gl_accounts SET active = FALSE WHERE id = ${sales}`;
    await expect(ledgerPost(ours, sale())).rejects.toMatchObject({ constraint: 'journal_lines_archived_check' });
    const reversalLines = [journalLine(cash, 'credit'), journalLine(sales, 'debit')];
    const reversal = { reversal_of: id, purpose: 'reversal of post' };
    expect(await ledgerPost(ours, journalEntry(reversalLines, reversal))).toMatchObject({ sequence: 2 });
  });

  test('accepts an entry that continues the chain without ledger_post', async () => {
    await ledgerPost(ours, sale());
    await expect(writtenByHand('SELECT')).resolves.toBeUndefined();
  });

  test.each([
    ["UPDATE made SET narration = 'Another'", 'journal_entries_hash_check'],
    ["UPDATE lines SET memo = 'Another' WHERE position = 1", 'journal_entries_hash_check'],
    ["UPDATE made SET prev_hash = sha256('nothing')", 'journal_entries_hash_check'],
    ["UPDATE made SET sequence = 3, number = 'JE-000003'", 'journal_entries_hash_check'],
    ['DELETE FROM lines WHERE position = 2', 'journal_entries_line_count_check'],
  ])('rejects an entry after %s', async (change, constraint) => {
    await ledgerPost(ours, sale());
    await expect(writtenByHand(change)).rejects.toMatchObject({ constraint });
  });
});

/** Returns the columns of a table that can change without changing the result of `hashed`. */
async function unhashed(table: string, hashed: (row: string) => string): Promise<string[]> {
  const row = `jsonb_populate_record(one, jsonb_build_object(column_name, CASE udt_name WHEN 'uuid' THEN gen_random_uuid()::text
    WHEN 'date' THEN '2001-02-03' WHEN 'timestamptz' THEN '2001-02-03' WHEN 'bytea' THEN '\\x77' ELSE '77' END))`;
  const { rows } = await serving.admin.query<{ name: string }>(`
    SELECT column_name AS name FROM ${table} AS one, information_schema.columns
    WHERE table_name = '${table}' AND one.workspace_id = '${ours.workspace}'
    GROUP BY column_name HAVING bool_or(${hashed('one')} = ${hashed(row)})`);
  return rows.map(({ name }) => name).toSorted();
}

test('the hash covers each field of an entry and its lines', async () => {
  await ledgerPost(ours, sale());
  const ofLines = await unhashed('journal_lines', (row) => `ledger_line_text(${row})`);
  // The entry stores these fields for all its lines.
  expect(ofLines).toEqual(['entry_id', 'id', 'line_count', 'workspace_id']);
  const ofEntries = await unhashed('journal_entries', (row) => `ledger_hash(${row}, 'lines')`);
  // The number is derived from the sequence. The creation time does not belong to the content.
  expect(ofEntries).toEqual(['created_at', 'hash', 'number']);
});
