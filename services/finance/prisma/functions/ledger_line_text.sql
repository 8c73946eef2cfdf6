-- Writes one journal line as text, the same before it is stored and ever after: the hash of its entry is computed from it. A
-- change of this text breaks the chain of every journal that exists. It is SQL because the database computes the hash when it
-- writes an entry, checks it at the commit, and the auditor computes it again over all entries.
CREATE OR REPLACE FUNCTION ledger_line_text(line "journal_lines") RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', line.position, line.date, line.account_id, line.debit, line.credit, line.currency, line.amount, line.rate,
    coalesce(line.party_kind, '-'), coalesce(line.party_id::text, '-'), coalesce(line.open_item_id::text, '-'),
    coalesce(line.tax_id::text, '-'), coalesce(line.product_id::text, '-'), coalesce(line.warehouse_id::text, '-'),
    coalesce(line.project_id::text, '-'), to_json(line.memo))
$$;
