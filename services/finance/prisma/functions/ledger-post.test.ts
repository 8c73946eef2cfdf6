/**
 * Tests of ledger_post that src/ledger and src/periods do not cover: numbers under failures, wrong accounts, and bank
 * accounts.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../test/audit.ts';
import { booksFixture } from '../../test/books.ts';
import { type Company, openFinance } from '../../test/fixture.ts';
import { accountOf, journalEntry, journalLine, ledgerPost } from '../../test/journal.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));

let ours: Company;
let cash: string;
let equity: string;
beforeEach(async () => {
  ours = await company();
  [cash, equity] = [await accountOf(serving, ours, 'cash'), await accountOf(serving, ours, 'opening_equity')];
});
const rent = (more: object = {}) =>
  journalEntry([journalLine(cash, 'debit'), journalLine(equity, 'credit')], { ...more });
const entries = () => serving.sql`SELECT FROM journal_entries WHERE workspace_id = ${ours.workspace}`;

describe('ledger_post', () => {
  test('issues gapless numbers to eight concurrent posts, every third failing afterwards', async () => {
    const broken = () => {
      throw new Error('Something else failed.');
    };
    const posted: number[] = [];
    const failures: Error[] = [];
    await runConcurrently(8, async (caller) => {
      for (let round = 0; round < 6; round += 1) {
        const then = (caller + round) % 3 === 0 ? broken : undefined;
        await ledgerPost(ours, rent(), then).then(
          ({ sequence }) => posted.push(sequence!),
          (error: Error) => failures.push(error),
        );
      }
    });
    expect(failures.map(({ message }) => message)).toEqual(Array.from({ length: 16 }, () => 'Something else failed.'));
    const sorted = posted.toSorted((one, other) => one - other);
    expect(sorted).toEqual(Array.from({ length: 32 }, (_, at) => at + 1));
    expect(await ledgerPost(ours, rent())).toMatchObject({ sequence: 33, number: 'JE-000033' });
  });

  test('inserts a bank transaction for each bank line, in order, and no others', async () => {
    const { gl_account_id: second } = (await booksFixture(ours).bank({ account_name: 'Second' })) as {
      gl_account_id: string;
    };
    const lines = [journalLine(equity, 'debit'), journalLine(cash, 'credit'), journalLine(second, 'debit')];
    lines.push(journalLine(equity, 'credit'));
    const given = { counterparty: 'Northwind', reference: 'R-1' };
    const { id, sequence } = await ledgerPost(ours, journalEntry(lines, given));
    const written = await serving.sql`
      SELECT transaction.id, gl_account_id, sequence::int, position, direction, amount, date::text, counterparty, reference, status
      FROM bank_transactions AS transaction JOIN bank_accounts AS bank ON bank.id = bank_account_id
      WHERE journal_id = ${id} ORDER BY position`;
    const same = { sequence, amount: '100.0000', date: '2026-03-01', status: 'unreconciled', ...given };
    expect(written).toEqual([
      { ...same, id: lines[1]!['id'], gl_account_id: cash, position: 2, direction: 'out' },
      { ...same, id: lines[2]!['id'], gl_account_id: second, position: 3, direction: 'in' },
    ]);
  });

  test.each(['nobody', 'another workspace'])('rejects an account of %s', async (whose) => {
    const account = whose === 'nobody' ? randomUUID() : await accountOf(serving, await company(), 'opening_equity');
    const given = journalEntry([journalLine(cash, 'debit'), journalLine(account, 'credit')]);
    await expect(ledgerPost(ours, given)).rejects.toThrow('Record not found.');
    expect(await entries()).toEqual([]);
    expect(await ledgerPost(ours, rent())).toMatchObject({ sequence: 1 });
  });

  test('returns the lock of a locked day, and the table rejects a direct insert', async () => {
    const lock = { scope: 'banking', locked_through: '2026-03-31', reason: 'First quarter' };
    await ours.owner.post('/api/period-locks/create', lock);
    expect(await ledgerPost(ours, rent())).toEqual({ locked: lock });
    expect(await entries()).toEqual([]);
    const past = serving.sql`
      INSERT INTO journal_entries (id, workspace_id, sequence, number, date, scope, source_type, source_id, purpose, line_count, prev_hash, hash)
      VALUES (gen_random_uuid(), ${ours.workspace}, 1, 'JE-000001', '2026-03-31', 'banking', 'test', gen_random_uuid(), 'post', 2, '', '')`;
    await expect(past).rejects.toMatchObject({ constraint: 'journal_entries_period_check' });
    expect(await ledgerPost(ours, rent({ date: '2026-04-01' }))).toMatchObject({ sequence: 1 });
    // The cash account belongs to banking, regardless of the document.
    expect(await ledgerPost(ours, rent({ scope: 'sales' }))).toEqual({ locked: lock });
    const noBank = ['suspense', 'rounding'].map(async (role, at) =>
      journalLine(await accountOf(serving, ours, role), at === 0 ? 'debit' : 'credit'),
    );
    expect(await ledgerPost(ours, journalEntry(await Promise.all(noBank), { scope: 'sales' }))).toMatchObject({
      sequence: 2,
    });
  });

  test('computes the missing exchange rate of a line from its amounts', async () => {
    const dollars = { currency: 'USD', amount: '120' };
    const suspense = await accountOf(serving, ours, 'suspense');
    const lines = [journalLine(suspense, 'debit', dollars), journalLine(suspense, 'credit', dollars)];
    const { id } = await ledgerPost(ours, journalEntry([lines[0]!, { ...lines[1], rate: '0.83' }]));
    expect(await serving.sql`SELECT rate FROM journal_lines WHERE entry_id = ${id} ORDER BY position`).toEqual([
      { rate: '0.8333333333' },
      { rate: '0.8300000000' },
    ]);
  });

  test('rejects a workspace without books', async () => {
    const none = { ...ours, workspace: randomUUID() };
    none.transact = (does) =>
      serving.database.write(
        { workspace_id: none.workspace, caller: ours.owner.caller, operation: 'test', request_id: randomUUID() },
        (db, emit) => does({ db: db as never, caller: ours.owner.caller, emit }),
      );
    await expect(ledgerPost(none, rent())).rejects.toThrow('This workspace has no books.');
  });
});
