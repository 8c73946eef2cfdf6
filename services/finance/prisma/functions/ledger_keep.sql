-- Rejects every update, deletion and truncation of entries, lines and tax lines, even by the owner of the tables. The
-- triggers are ledger_keep and ledger_keep_all of journal_entries, journal_lines and tax_lines. In SQL because the
-- journal is evidence, and database privileges alone do not restrict the owner.
CREATE OR REPLACE FUNCTION ledger_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Journal entries cannot be changed. Reverse the entry.' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER ledger_keep BEFORE UPDATE OR DELETE ON "tax_lines" FOR EACH ROW EXECUTE FUNCTION ledger_keep();
CREATE OR REPLACE TRIGGER ledger_keep_all BEFORE TRUNCATE ON "tax_lines" FOR EACH STATEMENT EXECUTE FUNCTION ledger_keep();
