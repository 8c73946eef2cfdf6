-- Returns one journal line as text, identical before and after it is stored. Rejects nothing. The hash of the entry is
-- computed from this text. A change of the text breaks the hash chain of every existing journal. In SQL because the
-- database computes the hash on writing and checks it at the commit. The auditor computes it again over all entries.
CREATE OR REPLACE FUNCTION ledger_line_text(line "journal_lines") RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', line.position, line.date, line.account_id, line.debit, line.credit, line.currency, line.amount, line.rate,
    coalesce(line.party_kind, '-'), coalesce(line.party_id::text, '-'), coalesce(line.open_item_id::text, '-'),
    coalesce(line.tax_id::text, '-'), coalesce(line.product_id::text, '-'), coalesce(line.warehouse_id::text, '-'),
    coalesce(line.project_id::text, '-'), to_json(line.memo))
$$;
