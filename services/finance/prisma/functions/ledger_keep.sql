-- Refuses every change, deletion and truncation of entries, lines and tax lines, also by the owner of the tables (triggers ledger_keep
-- and ledger_keep_all of journal_entries, journal_lines and tax_lines). It is SQL because the journal is evidence: rights alone would
-- not hold the owner.
CREATE OR REPLACE FUNCTION ledger_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The journal is never changed; reverse the entry.' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER ledger_keep BEFORE UPDATE OR DELETE ON "tax_lines" FOR EACH ROW EXECUTE FUNCTION ledger_keep();
CREATE OR REPLACE TRIGGER ledger_keep_all BEFORE TRUNCATE ON "tax_lines" FOR EACH STATEMENT EXECUTE FUNCTION ledger_keep();
