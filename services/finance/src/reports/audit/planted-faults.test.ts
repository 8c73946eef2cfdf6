/** Tests that each audit rule finds a fault that violates it. Agreements and commissions have separate tests. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { createOneOfEach } from '../../../test/create-one-of-each.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { brokenBy } from '../../../test/tampering.ts';
import { agreementChecks } from './agreement-checks.ts';
import { checks } from './audit.ts';
import { commissionChecks } from './commission-checks.ts';
import { hashChain } from './ledger-checks.ts';

const fixture = await openFinance();
let ours: Company;
beforeAll(async () => {
  ours = await fixture.company();
  await createOneOfEach(ours, fixture);
  const [account] = (await ours.owner.get('/api/bank-transfers')).body.data;
  await ours.owner.post(`/api/bank-transfers/reverse/${account.id}`);
});

/** SQL for a goods saga of the first posted sales invoice, or of no document. */
const saga = (document: string, state: string, since = 'now()') => `
  INSERT INTO stock_sagas (id, workspace_id, document_type, document_id, attempt, direction, state, asked_by, since)
  SELECT gen_random_uuid(), workspace_id, 'sales_invoice', ${document}, 9, 'issue', '${state}', id, ${since}
  FROM sales_invoices WHERE status <> 'draft' LIMIT 1`;

const more = (table: string, column: string, where = 'TRUE') =>
  `UPDATE ${table} SET ${column} = ${column} + 1 WHERE ${where}`;

/** Faults by rule, without the rules that apply to several tables. */
const FAULTS: Record<string, string> = {
  'every entry balances in base currency': more('journal_lines', 'debit', 'debit > 0'),
  'every entry balances in each of its currencies': more('journal_lines', 'amount', 'debit > 0'),
  'every entry has all of its lines, at least two': more('journal_entries', 'line_count'),
  'every line has exactly one side': 'UPDATE journal_lines SET credit = debit',
  'the trial balance is zero': more('journal_lines', 'credit', 'credit > 0'),
  'the journal is numbered 1, 2, 3 … without a gap': more('ledger_heads', 'sequence'),
  'the hash chain is intact': "UPDATE journal_lines SET memo = 'x'",
  'a reversal is the exact opposite of the reversed entry': `UPDATE journal_lines SET account_id = gen_random_uuid()
    WHERE entry_id IN (SELECT id FROM journal_entries WHERE reversal_of IS NOT NULL)`,
  'no reversal is dated before its entry': `UPDATE journal_entries SET date = date - 1 WHERE reversal_of IS NOT NULL`,
  'groups have no lines, and accounts only lines in their currency': 'UPDATE gl_accounts SET is_group = TRUE',
  'open amounts of items match the journal, in their currency and base currency': more('open_items', 'settled'),
  'no item is settled beyond its amount on any day': `UPDATE journal_lines AS line SET date = line.date - 400
    FROM open_items AS item WHERE item.id = line.open_item_id AND item.settled > 0 AND (line.credit > 0) = (item.kind = 'claim')`,
  'control accounts are the sum of their open items': 'UPDATE open_items SET voided = TRUE',
  'the settled amount of an item is the sum of its allocations': 'DELETE FROM allocations',
  'allocations connect a claim and a credit of one party, at a rate, within both': 'UPDATE allocations SET rate = 2',
  'the tax report matches the tax accounts, entry by entry': more('tax_lines', 'tax'),
  'an empty bank account has no value in base currency':
    'UPDATE journal_lines SET amount = 0 WHERE account_id IN (SELECT gl_account_id FROM bank_accounts)',
  'a bank account is the sum of its transactions': more('bank_transactions', 'amount'),
  'a revaluation is posted on its day, and its opposite on the next day': more('revaluations', 'gain'),
  'currency exchanges leave no balance': `UPDATE journal_lines AS line SET account_id = account.id FROM gl_accounts AS account
    WHERE account.workspace_id = line.workspace_id AND account.system_role = 'currency_exchange' AND line.debit > 0`,
  'returned quantities do not exceed the invoiced quantity': 'UPDATE return_lines SET qty = 100',
  'refunds are settled by their notes and payments': more('refunds', 'amount'),
  'the goods of a cancelled invoice are returned or in progress': `${saga('id', 'settled')};
    UPDATE sales_invoices SET status = 'cancelled'`,
  'no goods of a document are in transit for more than a minute': saga(
    'id',
    'requested',
    "now() - interval '2 minutes'",
  ),
  'goods are settled for official documents only': saga('gen_random_uuid()', 'settled'),
};

/** Returns the fault for a rule that exists for several tables, from the name of the rule. */
function faultOf(name: string): string {
  const [, numbered, kind] = /^numbers of (\w+?)s?(?: \((\w+)\))? have no gap$/.exec(name) ?? [];
  if (numbered) return more('number_counters', 'last', `type = '${kind ?? numbered}'`);
  const [, summed] = /^(\w+) are the sum of their lines$/.exec(name) ?? [];
  if (summed) return more(summed, 'net_total');
  const [, posted] = /^posted (\w+) have their /.exec(name) ?? [];
  if (posted) return more(posted, posted.endsWith('invoices') ? 'total' : 'amount');
  return FAULTS[name] ?? '';
}

const testedElsewhere = new Set([...agreementChecks, ...commissionChecks].map(({ name }) => name));
const names = checks.map(({ name }) => name).filter((name) => !testedElsewhere.has(name));

describe('the auditor', () => {
  test.each(names)('finds a violation of the rule: %s', async (name) => {
    expect(faultOf(name)).not.toBe('');
    expect(await brokenBy(fixture.serving, ours.workspace, faultOf(name))).toContain(name);
  });

  test('finds nothing without a fault', async () => {
    expect(await brokenBy(fixture.serving, ours.workspace, 'SELECT 1')).toEqual([]);
    // All faults have been repaired.
    expect(await audit(fixture.serving.database_url, checks, ours.workspace)).toEqual([]);
  });

  test('finds changed lines, hashes and ends in each part of the hash chain', async () => {
    const [first, second] = [hashChain({ first: 1, last: 1 }), hashChain({ first: 2, last: 1_000_000 })];
    const violatedRules = (statement: string) => brokenBy(fixture.serving, ours.workspace, statement, [first, second]);
    const where = (sequence: number) =>
      `WHERE entry_id IN (SELECT id FROM journal_entries WHERE sequence = ${sequence} AND workspace_id = '${ours.workspace}')`;
    expect(await violatedRules('SELECT 1')).toEqual([]);
    expect(await violatedRules(`UPDATE journal_lines SET memo = 'x' ${where(1)}`)).toEqual([first.name]);
    expect(await violatedRules(`UPDATE journal_lines SET memo = 'x' ${where(2)}`)).toEqual([second.name]);
    expect(await violatedRules(`UPDATE journal_entries SET hash = 'x' WHERE sequence = 1`)).toEqual([
      first.name,
      second.name,
    ]);
    expect(await violatedRules(`UPDATE ledger_heads SET hash = 'x'`)).toEqual([second.name]);
  });
});
