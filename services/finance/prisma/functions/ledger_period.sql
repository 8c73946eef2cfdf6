-- Rejects an entry in a locked period, even if ledger_post did not write it (trigger ledger_period of journal_entries).
-- In SQL because no code path may bypass the check.
CREATE OR REPLACE FUNCTION ledger_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM period_lock_of(NEW.workspace_id, NEW.date, NEW.scope)) THEN
    RAISE EXCEPTION 'The period is locked.' USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entries_period_check', TABLE = 'journal_entries';
  END IF;
  RETURN NEW;
END
$$;
