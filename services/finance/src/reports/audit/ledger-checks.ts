/** Invariants of the journal and of its totals. Each check selects the rows that violate it. */
import type { AuditCheck } from '@suite/auditor';
import { currenciesWith } from '@suite/money';

/** Amount of a line in its currency. Debits are positive. */
const signed = 'CASE WHEN line.credit > 0 THEN - line.amount ELSE line.amount END';

/** Amount of the opposite line. A line without a base value has its side in the sign of the amount. */
const OPPOSITE = 'CASE WHEN debit = credit THEN - amount ELSE amount END';

const quoted = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(', ');

/** Returns the SQL expression for the number of decimals of a currency. */
const minorUnitsOf = (currency: string): string =>
  `CASE WHEN ${currency} IN (${quoted(currenciesWith[0])}) THEN 0 WHEN ${currency} IN (${quoted(currenciesWith[3])}) THEN 3 ELSE 2 END`;

export const HASH_CHAIN = 'the hash chain is intact';

/** Checks the hashes of entries. @param range limits the entries by their sequence. Defaults to all entries */
export const hashChain = (range?: { first: number; last: number }): AuditCheck => {
  const within = range ? `entry.sequence BETWEEN ${range.first} AND ${range.last}` : 'TRUE';
  return {
    name: range ? `${HASH_CHAIN} (entries ${range.first} to ${range.last})` : HASH_CHAIN,
    sql: `WITH found AS (
        SELECT line.workspace_id, line.entry_id, string_agg(ledger_line_text(line), E'\\n' ORDER BY line.position) AS lines
        FROM journal_entries AS entry
        JOIN journal_lines AS line ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
        WHERE ${within} GROUP BY line.workspace_id, line.entry_id)
      SELECT entry.workspace_id, entry.number AS detail FROM journal_entries AS entry
      JOIN ledger_heads AS head ON head.workspace_id = entry.workspace_id
      LEFT JOIN journal_entries AS before ON before.workspace_id = entry.workspace_id AND before.sequence = entry.sequence - 1
      LEFT JOIN found ON found.workspace_id = entry.workspace_id AND found.entry_id = entry.id
      WHERE ${within} AND (ledger_hash(entry, found.lines) IS DISTINCT FROM entry.hash
        OR entry.prev_hash IS DISTINCT FROM coalesce(before.hash, '') OR entry.sequence = head.sequence AND head.hash <> entry.hash)`,
  };
};

const journal: readonly AuditCheck[] = [
  {
    name: 'every entry balances in base currency',
    sql: `SELECT workspace_id, entry_id::text AS detail FROM journal_lines
      GROUP BY workspace_id, entry_id HAVING sum(debit) <> sum(credit)`,
  },
  {
    name: 'every entry balances in each of its currencies',
    sql: `SELECT workspace_id, entry_id || ' ' || currency AS detail FROM journal_lines AS line
      GROUP BY workspace_id, entry_id, currency HAVING sum(${signed}) <> 0`,
  },
  {
    name: 'every entry has all of its lines, at least two',
    sql: `SELECT entry.workspace_id, entry.number AS detail FROM journal_entries AS entry
      LEFT JOIN journal_lines AS line ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
      GROUP BY entry.workspace_id, entry.id, entry.number, entry.line_count
      HAVING count(line.id) <> entry.line_count OR count(line.id) < 2`,
  },
  {
    name: 'every line has exactly one side',
    sql: `SELECT workspace_id, id::text AS detail FROM journal_lines
      WHERE debit < 0 OR credit < 0 OR debit > 0 AND credit > 0 OR debit = credit AND amount = 0 OR debit <> credit AND amount < 0`,
  },
  {
    name: 'the trial balance is zero',
    sql: `SELECT workspace_id, sum(debit - credit)::text AS detail FROM journal_lines
      GROUP BY workspace_id HAVING sum(debit) <> sum(credit)`,
  },
  {
    name: 'the journal is numbered 1, 2, 3 … without a gap',
    sql: `SELECT workspace_id, head.sequence || ' given, ' || count(entry.id) || ' there' AS detail
      FROM ledger_heads AS head LEFT JOIN journal_entries AS entry USING (workspace_id)
      GROUP BY workspace_id, head.sequence
      HAVING count(entry.id) <> head.sequence OR coalesce(max(entry.sequence), 0) <> head.sequence
        OR coalesce(min(entry.sequence), 1) <> 1`,
  },
  hashChain(),
  {
    name: 'a reversal is the exact opposite of the reversed entry',
    sql: `SELECT reversal.workspace_id, reversal.number AS detail FROM journal_entries AS reversal
      WHERE reversal.reversal_of IS NOT NULL AND EXISTS (
        (SELECT account_id, debit, credit, currency, amount, open_item_id FROM journal_lines
          WHERE workspace_id = reversal.workspace_id AND entry_id = reversal.id
        EXCEPT ALL SELECT account_id, credit, debit, currency, ${OPPOSITE}, open_item_id FROM journal_lines
          WHERE workspace_id = reversal.workspace_id AND entry_id = reversal.reversal_of)
        UNION ALL
        (SELECT account_id, credit, debit, currency, ${OPPOSITE}, open_item_id FROM journal_lines
          WHERE workspace_id = reversal.workspace_id AND entry_id = reversal.reversal_of
        EXCEPT ALL SELECT account_id, debit, credit, currency, amount, open_item_id FROM journal_lines
          WHERE workspace_id = reversal.workspace_id AND entry_id = reversal.id))`,
  },
  {
    name: 'no reversal is dated before its entry',
    sql: `SELECT reversal.workspace_id, reversal.number AS detail FROM journal_entries AS reversal
      JOIN journal_entries AS entry ON entry.workspace_id = reversal.workspace_id AND entry.id = reversal.reversal_of
      WHERE reversal.date < entry.date`,
  },
  {
    name: 'groups have no lines, and accounts only lines in their currency',
    sql: `SELECT line.workspace_id, line.id::text AS detail FROM journal_lines AS line
      JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
      WHERE account.is_group OR account.currency <> line.currency`,
  },
];

const CONTROL = `('receivable', 'payable', 'customer_advances', 'vendor_advances')`;

const items: readonly AuditCheck[] = [
  {
    name: 'open amounts of items match the journal, in their currency and base currency',
    sql: `SELECT item.workspace_id, item.document_type || ' ' || item.number AS detail FROM open_items AS item
      LEFT JOIN journal_lines AS line ON line.workspace_id = item.workspace_id AND line.open_item_id = item.id
      GROUP BY item.workspace_id, item.id
      HAVING abs(coalesce(sum(${signed}), 0)) <> CASE WHEN item.voided THEN 0 ELSE item.amount - item.settled END
        OR abs(coalesce(sum(line.debit - line.credit), 0)) <> CASE WHEN item.voided THEN 0 ELSE item.base_amount - item.base_settled END`,
  },
  {
    name: 'no item is settled beyond its amount on any day',
    sql: `WITH moved AS (
        SELECT workspace_id, open_item_id, date, sum(${signed}) AS value FROM journal_lines AS line
        WHERE open_item_id IS NOT NULL AND amount <> 0 GROUP BY workspace_id, open_item_id, date),
      run AS (
        SELECT workspace_id, open_item_id, date, sum(value) OVER (PARTITION BY workspace_id, open_item_id ORDER BY date) AS open FROM moved)
      SELECT run.workspace_id, item.document_type || ' ' || item.number || ' on ' || run.date AS detail FROM run
      JOIN open_items AS item ON item.workspace_id = run.workspace_id AND item.id = run.open_item_id
      WHERE run.open * CASE WHEN (item.kind = 'claim') = (item.customer_id IS NOT NULL) THEN 1 ELSE -1 END NOT BETWEEN 0 AND item.amount`,
  },
  {
    name: 'control accounts are the sum of their open items',
    sql: `WITH open AS (
        SELECT workspace_id, account_id, sum(CASE WHEN voided THEN 0
          WHEN (kind = 'claim') = (customer_id IS NOT NULL) THEN base_amount - base_settled ELSE base_settled - base_amount END) AS value
        FROM open_items GROUP BY workspace_id, account_id),
      booked AS (SELECT workspace_id, account_id, sum(debit - credit) AS value FROM journal_lines GROUP BY workspace_id, account_id)
      SELECT account.workspace_id, account.system_role || ': ' || coalesce(booked.value, 0) || ' booked, ' || coalesce(open.value, 0) || ' open' AS detail
      FROM gl_accounts AS account
        LEFT JOIN open ON open.workspace_id = account.workspace_id AND open.account_id = account.id
        LEFT JOIN booked ON booked.workspace_id = account.workspace_id AND booked.account_id = account.id
      WHERE account.system_role IN ${CONTROL} AND coalesce(booked.value, 0) <> coalesce(open.value, 0)`,
  },
  {
    name: 'the settled amount of an item is the sum of its allocations',
    sql: `SELECT item.workspace_id, item.document_type || ' ' || item.number AS detail FROM open_items AS item
      LEFT JOIN allocations AS part ON part.workspace_id = item.workspace_id AND item.id IN (part.claim_id, part.credit_id)
      GROUP BY item.workspace_id, item.id
      HAVING coalesce(sum(CASE WHEN part.claim_id = item.id THEN part.amount ELSE part.credit_amount END), 0) <> item.settled
        OR coalesce(sum(CASE WHEN part.claim_id = item.id THEN part.claim_base ELSE part.credit_base END), 0) <> item.base_settled`,
  },
  {
    name: 'allocations connect a claim and a credit of one party, at a rate, within both',
    sql: `SELECT part.workspace_id, part.id::text AS detail FROM allocations AS part
      JOIN open_items AS claim ON claim.workspace_id = part.workspace_id AND claim.id = part.claim_id
      JOIN open_items AS credit ON credit.workspace_id = part.workspace_id AND credit.id = part.credit_id
      WHERE claim.kind <> 'claim' OR credit.kind <> 'credit'
        OR (claim.currency <> credit.currency) <> (part.rate IS NOT NULL)
        OR part.credit_amount <> round(part.amount * coalesce(part.rate, 1), ${minorUnitsOf('credit.currency')})
        OR claim.customer_id IS DISTINCT FROM credit.customer_id OR claim.vendor_id IS DISTINCT FROM credit.vendor_id
        OR claim.settled > claim.amount OR credit.settled > credit.amount`,
  },
];

const taxes: readonly AuditCheck[] = [
  {
    name: 'the tax report matches the tax accounts, entry by entry',
    sql: `WITH reported AS (
        SELECT workspace_id, entry_id, side, sum(tax) AS tax FROM tax_lines GROUP BY workspace_id, entry_id, side),
      booked AS (
        SELECT line.workspace_id, line.entry_id, CASE account.system_role WHEN 'tax_output' THEN 'output' ELSE 'input' END AS side,
          sum(CASE account.system_role WHEN 'tax_output' THEN line.credit - line.debit ELSE line.debit - line.credit END) AS tax
        FROM journal_lines AS line JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
        WHERE account.system_role IN ('tax_output', 'tax_input') GROUP BY 1, 2, 3)
      SELECT workspace_id, side || ' of ' || entry_id || ': ' || coalesce(reported.tax, 0) || ' reported, ' || coalesce(booked.tax, 0) || ' booked' AS detail
      FROM reported FULL JOIN booked USING (workspace_id, entry_id, side)
      WHERE coalesce(reported.tax, 0) <> coalesce(booked.tax, 0)`,
  },
];

const banks: readonly AuditCheck[] = [
  {
    name: 'an empty bank account has no value in base currency',
    sql: `SELECT bank.workspace_id, bank.account_name || ': ' || sum(line.debit - line.credit) AS detail
      FROM bank_accounts AS bank JOIN journal_lines AS line ON line.workspace_id = bank.workspace_id AND line.account_id = bank.gl_account_id
      GROUP BY bank.workspace_id, bank.id, bank.account_name
      HAVING sum(${signed}) = 0 AND sum(line.debit - line.credit) <> 0`,
  },
  {
    name: 'a bank account is the sum of its transactions',
    sql: `WITH booked AS (
        SELECT workspace_id, account_id, sum(${signed}) AS value FROM journal_lines AS line GROUP BY workspace_id, account_id),
      moved AS (
        SELECT workspace_id, bank_account_id, sum(CASE direction WHEN 'in' THEN amount ELSE - amount END) AS value
        FROM bank_transactions GROUP BY workspace_id, bank_account_id)
      SELECT bank.workspace_id, bank.account_name || ': ' || coalesce(booked.value, 0) || ' booked, ' || coalesce(moved.value, 0) || ' moved' AS detail
      FROM bank_accounts AS bank
        LEFT JOIN booked ON booked.workspace_id = bank.workspace_id AND booked.account_id = bank.gl_account_id
        LEFT JOIN moved ON moved.workspace_id = bank.workspace_id AND moved.bank_account_id = bank.id
      WHERE coalesce(booked.value, 0) <> coalesce(moved.value, 0)`,
  },
  {
    name: 'a revaluation is posted on its day, and its opposite on the next day',
    sql: `WITH moved AS (
        SELECT entry.workspace_id, entry.source_id, entry.date, line.account_id, line.open_item_id, sum(line.debit - line.credit) AS value
        FROM journal_entries AS entry JOIN journal_lines AS line ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
        WHERE entry.source_type = 'revaluation' GROUP BY 1, 2, 3, 4, 5),
      account AS (
        SELECT workspace_id, source_id, sum(value) AS left_over, bool_or(value <> 0) AS has_effect, min(date) AS first, max(date) AS last
        FROM moved GROUP BY workspace_id, source_id, account_id, open_item_id),
      entry AS (
        SELECT workspace_id, source_id, bool_or(left_over <> 0) AS has_rest, bool_or(has_effect) AS has_effect, min(first) AS first, max(last) AS last
        FROM account GROUP BY workspace_id, source_id),
      line AS (
        SELECT workspace_id, revaluation_id, sum(greatest(base_after - base_before, 0)) AS gain, sum(greatest(base_before - base_after, 0)) AS loss
        FROM revaluation_lines GROUP BY workspace_id, revaluation_id)
      SELECT run.workspace_id, run.date::text AS detail FROM revaluations AS run
      LEFT JOIN entry ON entry.workspace_id = run.workspace_id AND entry.source_id = run.id
      LEFT JOIN line ON line.workspace_id = run.workspace_id AND line.revaluation_id = run.id
      WHERE coalesce(entry.has_rest, FALSE) OR coalesce(entry.has_effect, FALSE) <> (run.status = 'posted' AND run.gain + run.loss > 0)
        OR entry.first <> run.date OR entry.last <> run.date + 1
        OR run.gain <> coalesce(line.gain, 0) OR run.loss <> coalesce(line.loss, 0)`,
  },
  {
    name: 'currency exchanges leave no balance',
    sql: `SELECT account.workspace_id, sum(line.debit - line.credit)::text AS detail FROM gl_accounts AS account
      JOIN journal_lines AS line ON line.workspace_id = account.workspace_id AND line.account_id = account.id
      WHERE account.system_role = 'currency_exchange' GROUP BY account.workspace_id HAVING sum(line.debit) <> sum(line.credit)`,
  },
];

/**
 * Checks that the official numbers of a series run from 1 to the last issued number, in each year.
 * @param where the condition for the rows of the series
 */
export const dense = (type: string, table: string, where = 'TRUE'): AuditCheck => ({
  name: `numbers of ${table}${where === 'TRUE' ? '' : ` (${type})`} have no gap`,
  sql: `WITH given AS (
      SELECT workspace_id, split_part(number, '-', 2)::int AS year, count(*) AS count, max(split_part(number, '-', 3)::int) AS last
      FROM ${table} WHERE number IS NOT NULL AND ${where} GROUP BY 1, 2),
    counted AS (SELECT workspace_id, year, last FROM number_counters WHERE type = '${type}')
    SELECT workspace_id, year || ': ' || coalesce(counted.last, 0) || ' given, ' || coalesce(given.count, 0) || ' there' AS detail
    FROM given FULL JOIN counted USING (workspace_id, year)
    WHERE given.count IS DISTINCT FROM counted.last OR given.last IS DISTINCT FROM counted.last`,
});

/** Checks that posted documents have a number, an entry, and their amount in the bank. */
const posted = (table: string): AuditCheck => ({
  name: `posted ${table} have their number, their entry and their amount in the bank`,
  sql: `SELECT document.workspace_id, document.id::text AS detail FROM ${table} AS document
    WHERE (document.status IN ('posted', 'reversed')) <> (document.number IS NOT NULL AND document.journal_id IS NOT NULL)
      OR document.status = 'posted' AND document.amount <> (
        SELECT coalesce(sum(moved.amount), 0) FROM bank_transactions AS moved
        WHERE moved.workspace_id = document.workspace_id AND moved.journal_id = document.journal_id
          AND moved.bank_account_id = document.bank_account_id)`,
});

export const ledgerChecks: readonly AuditCheck[] = [
  ...journal,
  ...items,
  ...taxes,
  ...banks,
  dense('revenue', 'revenues'),
  dense('expense', 'expenses'),
  dense('bank_transfer', 'bank_transfers'),
  dense('customer_payment', 'payments', "kind = 'customer'"),
  dense('vendor_payment', 'payments', "kind = 'vendor'"),
  posted('revenues'),
  posted('expenses'),
];
