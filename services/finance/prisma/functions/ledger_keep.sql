-- Refuses every change, deletion and truncation of entries and lines, also by the owner of the tables (triggers ledger_keep
-- and ledger_keep_all of journal_entries and journal_lines). It is SQL because the journal is evidence: rights alone would
-- not hold the owner.
CREATE OR REPLACE FUNCTION ledger_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The journal is never changed; reverse the entry.' USING ERRCODE = 'restrict_violation';
END
$$;
