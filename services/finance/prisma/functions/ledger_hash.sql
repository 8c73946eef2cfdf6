-- Computes the hash of an entry from the previous entry's hash, its own fields and the text of its lines
-- (ledger_line_text). Rejects nothing. A change of this text breaks the hash chain of every existing journal. In SQL
-- because the database computes the hash on writing and checks it at the commit. The auditor computes it again over all
-- entries.
CREATE OR REPLACE FUNCTION ledger_hash(entry "journal_entries", lines text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(concat_ws('|', entry.workspace_id, entry.id, entry.sequence, entry.date, entry.scope,
    entry.source_type, entry.source_id, entry.purpose, to_json(entry.narration), coalesce(entry.reversal_of::text, '-'),
    entry.line_count, coalesce(entry.created_by::text, '-')) || E'\n' || lines, 'UTF8'))
$$;
