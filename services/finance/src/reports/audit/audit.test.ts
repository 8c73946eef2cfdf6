import { beforeEach, describe, expect, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { booksFixture } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { brokenBy } from '../../../test/tampering.ts';
import { checks } from './audit.ts';

const { serving, company } = await openFinance();
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

describe('the auditor', () => {
  test.each([
    ["UPDATE journal_lines SET memo = 'x'", ['the hash chain is intact']],
    [
      'UPDATE journal_lines SET debit = debit + 1, amount = amount + 1 WHERE debit > 0 AND open_item_id IS NOT NULL',
      [
        'every entry balances in base currency',
        'every entry balances in each of its currencies',
        'the trial balance is zero',
        'the hash chain is intact',
        'open amounts of items match the journal, in their currency and base currency',
        'no item is settled beyond its amount on any day',
        'control accounts are the sum of their open items',
      ],
    ],
    ['UPDATE ledger_heads SET sequence = sequence + 1', ['the journal is numbered 1, 2, 3 … without a gap']],
    [
      'UPDATE open_items SET voided = TRUE',
      [
        'open amounts of items match the journal, in their currency and base currency',
        'control accounts are the sum of their open items',
      ],
    ],
    ['UPDATE bank_transactions SET amount = amount + 1', ['a bank account is the sum of its transactions']],
    [
      "UPDATE number_counters SET last = last + 1 WHERE type = 'bank_transfer'",
      ['numbers of bank_transfers have no gap'],
    ],
    ['SELECT 1', []],
  ])('finds %s', async (tampering, rules) => {
    const office = booksFixture(ours);
    await office.customer({ opening_balance: '10.00', opening_date: '2026-01-01' });
    const from_account_id = (await office.bank({ opening_balance: '5.00', opening_date: '2026-01-01' })).id;
    const to_account_id = (await office.bank({ account_name: 'Second' })).id;
    const moved = { from_account_id, to_account_id, amount: '1.00', date: '2026-01-02' };
    await ours.owner.post('/api/bank-transfers/create', moved);
    expect(await brokenBy(serving, ours.workspace, tampering)).toEqual(rules);
    expect(await audit(serving.database_url, checks, ours.workspace)).toEqual([]);
  });
});
