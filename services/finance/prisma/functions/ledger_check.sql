-- Checks every entry at the end of its transaction, regardless of how it was written (constraint trigger ledger_check
-- of journal_entries). Rejects an entry that lacks a line, or that does not balance in the base currency and in each of
-- its currencies. Rejects a line on a group, on an archived account (unless the entry is a reversal) or on an account
-- of another currency. Rejects a line on a control account without an open item, and an open item on any other account.
-- Rejects an entry in a period that is closed for one of its accounts, and an entry that does not continue the hash
-- chain. In SQL because no code path may bypass the check. All lines of the entry exist only at the commit.
CREATE OR REPLACE FUNCTION ledger_check() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refused text;
  lines text;
  before bytea;
BEGIN
  SELECT string_agg(ledger_line_text(line), E'\n' ORDER BY line.position),
    CASE
      WHEN count(line.id) <> NEW.line_count THEN 'journal_entries_line_count_check'
      WHEN sum(line.debit) <> sum(line.credit) THEN 'journal_entries_balance_check'
      WHEN EXISTS (
        SELECT FROM "journal_lines" AS one WHERE one.workspace_id = NEW.workspace_id AND one.entry_id = NEW.id
        GROUP BY one.currency HAVING sum(CASE WHEN one.credit > 0 THEN - one.amount ELSE one.amount END) <> 0)
        THEN 'journal_entries_currency_balance_check'
      WHEN bool_or(account.is_group) THEN 'journal_lines_group_check'
      WHEN NOT bool_and(account.active) AND NEW.reversal_of IS NULL THEN 'journal_lines_archived_check'
      WHEN bool_or(account.currency <> line.currency) THEN 'journal_lines_account_currency_check'
      WHEN bool_or((coalesce(account.system_role, '') IN ('receivable', 'payable', 'customer_advances', 'vendor_advances')) <> (line.open_item_id IS NOT NULL))
        THEN 'journal_lines_control_check'
      WHEN EXISTS (SELECT FROM period_lock_covering(NEW.workspace_id, NEW.date, ledger_scopes(NEW.workspace_id, array_agg(line.account_id))))
        THEN 'journal_entries_period_check'
    END
    INTO lines, refused
    FROM "journal_lines" AS line JOIN "gl_accounts" AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
    WHERE line.workspace_id = NEW.workspace_id AND line.entry_id = NEW.id;
  SELECT hash INTO before FROM "journal_entries" WHERE workspace_id = NEW.workspace_id AND sequence = NEW.sequence - 1;
  IF refused IS NULL AND (NEW.hash <> ledger_hash(NEW, lines) OR NEW.prev_hash <> coalesce(before, '\x') OR (before IS NULL) <> (NEW.sequence = 1)) THEN
    refused := 'journal_entries_hash_check';
  END IF;
  IF refused IS NOT NULL THEN
    RAISE EXCEPTION 'The journal entry % is rejected: %.', NEW.number, refused USING ERRCODE = 'check_violation', CONSTRAINT = refused, TABLE = 'journal_entries';
  END IF;
  RETURN NULL;
END
$$;
