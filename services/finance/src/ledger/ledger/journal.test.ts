import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { sql } from '@suite/chassis/database';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { type JournalEntryDraft, postEntry, reverseEntry } from './journal.ts';
import { toBaseCurrency, credit, debit, type JournalLine } from './journal.rules.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));

const EUR = { currency: 'EUR', rate: '1', base_currency: 'EUR' };
const entry = (sides: JournalLine[], more: Partial<JournalEntryDraft> = {}): JournalEntryDraft => ({
  date: '2026-03-01',
  scope: 'banking',
  source_type: 'test',
  source_id: randomUUID(),
  purpose: 'post',
  narration: 'A test',
  lines: toBaseCurrency(sides, EUR),
  ...more,
});
const rent = () => [debit('cash', '100.00'), credit('opening_equity', '100.00')];
const post = ({ transact }: Company, draft: JournalEntryDraft) => transact(({ db }) => postEntry(db, draft));

describe('an entry', () => {
  test('is numbered, chained to the previous one, and in the bank account', async () => {
    const ours = await company();
    expect(await post(ours, entry(rent()))).toMatchObject({ number: 'JE-000001' });
    expect(await post(ours, entry(rent()))).toMatchObject({ number: 'JE-000002' });
    const [first, second] = await serving.sql`
      SELECT prev_hash, hash FROM journal_entries WHERE workspace_id = ${ours.workspace} ORDER BY sequence`;
    expect(second!.prev_hash).toEqual(first!.hash);
    expect(
      await serving.sql`
      SELECT direction, amount, status FROM bank_transactions WHERE workspace_id = ${ours.workspace}`,
    ).toEqual([
      { direction: 'in', amount: '100.0000', status: 'unreconciled' },
      { direction: 'in', amount: '100.0000', status: 'unreconciled' },
    ]);
  });

  test.each([
    [
      'that does not balance',
      [debit('cash', '100.00'), credit('sales', '99.99')],
      'journal_entries_currency_balance_check',
    ],
    [
      'of two currencies that balance only in base currency',
      [debit('suspense', '100.00'), credit('sales', '120.00', { currency: 'USD', base: '100.00' })],
      'journal_entries_currency_balance_check',
    ],
    [
      'that touches what customers owe, but names no open item',
      [debit('receivable', '1.00'), credit('sales', '1.00')],
      'journal_lines_control_check',
    ],
    [
      'in a currency that its account does not have',
      [
        debit('cash', '1.00', { currency: 'USD', base: '1.00' }),
        credit('sales', '1.00', { currency: 'USD', base: '1.00' }),
      ],
      'journal_lines_account_currency_check',
    ],
  ])('is rejected by the database: %s', async (_, sides, constraint) => {
    const ours = await company();
    await expect(post(ours, entry(sides))).rejects.toMatchObject({ constraint });
    expect(await serving.sql`SELECT FROM journal_entries WHERE workspace_id = ${ours.workspace}`).toEqual([]);
  });

  test('is rejected by the database with one line or if it does not balance', async () => {
    const ours = await company();
    const line = (side: JournalLine) => ({
      ...side,
      base: side.amount,
      currency: 'EUR',
      rate: '1',
      base_currency: 'EUR',
    });
    const lines = [line(debit('cash', '100.00'))];
    await expect(post(ours, entry([], { lines }))).rejects.toMatchObject({
      constraint: 'journal_entries_line_count_check',
    });
    lines.push({ ...line(credit('sales', '100.00')), base: '99.99' });
    await expect(post(ours, entry([], { lines }))).rejects.toMatchObject({
      constraint: 'journal_entries_balance_check',
    });
  });

  test('is posted once for each purpose of its source', async () => {
    const ours = await company();
    const draft = entry(rent());
    await post(ours, draft);
    await expect(post(ours, draft)).rejects.toMatchObject({ status: 409, code: 'already_exists' });
  });

  test('cannot be changed, deleted or extended', async () => {
    const ours = await company();
    const { id } = await post(ours, entry(rent()));
    const expectRejection = (statement: Promise<unknown>) => expect(statement).rejects.toThrow();
    await expectRejection(
      ours.transact(({ db }) => db.rows(sql`UPDATE journal_entries SET narration = '' WHERE id = ${id}::uuid`)),
    );
    await expectRejection(
      ours.transact(({ db }) => db.rows(sql`DELETE FROM journal_lines WHERE entry_id = ${id}::uuid`)),
    );
    await expectRejection(serving.sql`UPDATE journal_lines SET debit = 5 WHERE entry_id = ${id} AND debit > 0`);
    await expectRejection(serving.sql`DELETE FROM journal_entries WHERE id = ${id}`);
    await expectRejection(
      serving.sql`INSERT INTO journal_lines (id, workspace_id, entry_id, position, line_count, date, account_id, debit, currency, amount)
        SELECT gen_random_uuid(), workspace_id, entry_id, 3, 2, date, account_id, 1, 'EUR', 1 FROM journal_lines WHERE entry_id = ${id} LIMIT 1`,
    );
  });

  test('is reversed once, by a second entry', async () => {
    const ours = await company();
    const { id } = await post(ours, entry(rent()));
    const reverse = () => ours.transact(({ db }) => reverseEntry(db, id, { narration: 'A mistake' }));
    const replies = await Promise.allSettled([reverse(), reverse(), reverse()]);
    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(reverse()).rejects.toMatchObject({ status: 409, code: 'already_reversed' });
    expect(
      await serving.sql`
      SELECT sum(debit - credit) AS balance FROM journal_lines WHERE workspace_id = ${ours.workspace} GROUP BY account_id`,
    ).toEqual([{ balance: '0.0000' }, { balance: '0.0000' }]);
  });

  test('is numbered without gaps in fifty concurrent postings', async () => {
    const ours = await company();
    const posted = await runConcurrently(50, () => post(ours, entry(rent())));
    const numbers = posted.map(({ number }) => number).toSorted();
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => `JE-${String(at + 1).padStart(6, '0')}`));
  });
});
