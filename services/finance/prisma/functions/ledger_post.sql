-- Posts an entry with its lines, its tax lines and the transactions of its bank accounts. Returns the ID, number and
-- sequence of the entry. A line that changes only the base value creates no bank transaction. A line
-- without a base value has the sign of its side in its amount. Locks the head of the
-- workspace's journal until the end of the transaction. Therefore numbers have no gaps. Locking a period waits for the
-- same row, so that no entry is added to that period afterwards. Rejects a workspace without books. Returns the lock
-- instead of posting if the period is locked for the kind of document, or for the scope of any of its accounts. The
-- trigger ledger_check and the table constraints reject every other fault of an entry. In SQL so that one statement
-- numbers, chains and writes the entry: no client round trip extends the lock.
CREATE OR REPLACE FUNCTION ledger_post(given jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  head "ledger_heads";
  entry "journal_entries";
  closing "period_locks";
  lines "journal_lines"[];
BEGIN
  SELECT * INTO head FROM "ledger_heads" WHERE workspace_id = current_setting('suite.workspace_id')::uuid FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'This workspace has no books.'; END IF;
  entry := jsonb_populate_record(NULL::"journal_entries", given - 'lines');
  SELECT * INTO closing FROM period_lock_covering(head.workspace_id, entry.date, entry.scope || ledger_scopes(head.workspace_id,
    ARRAY(SELECT (line ->> 'account_id')::uuid FROM jsonb_array_elements(given -> 'lines') AS line)));
  IF FOUND THEN
    RETURN jsonb_build_object('locked', jsonb_build_object('scope', closing.scope, 'locked_through', closing.locked_through, 'reason', closing.reason));
  END IF;
  entry.workspace_id := head.workspace_id;
  entry.sequence := head.sequence + 1;
  entry.number := 'JE-' || lpad(entry.sequence::text, greatest(6, length(entry.sequence::text)), '0');
  entry.line_count := jsonb_array_length(given -> 'lines');
  entry.prev_hash := head.hash;
  entry.created_by := suite_actor_id();
  entry.created_at := clock_timestamp();
  SELECT array_agg(jsonb_populate_record(NULL::"journal_lines", jsonb_build_object('rate', CASE WHEN (line.value ->> 'amount')::numeric = 0 THEN 1 ELSE
      greatest(round(((line.value ->> 'debit')::numeric + (line.value ->> 'credit')::numeric) / (line.value ->> 'amount')::numeric, 10), 0.0000000001) END) || line.value || jsonb_build_object(
      'workspace_id', entry.workspace_id, 'entry_id', entry.id, 'date', entry.date, 'position', line.ordinality, 'line_count', entry.line_count)) ORDER BY line.ordinality)
    INTO lines FROM jsonb_array_elements(given -> 'lines') WITH ORDINALITY AS line;
  entry.hash := ledger_hash(entry, (SELECT string_agg(ledger_line_text(line), E'\n' ORDER BY line.position) FROM unnest(lines) AS line));
  INSERT INTO "journal_entries" SELECT entry.*;
  INSERT INTO "journal_lines" SELECT * FROM unnest(lines);
  INSERT INTO "bank_transactions" (id, workspace_id, bank_account_id, journal_id, sequence, position, date, direction, amount, counterparty, reference, source_type, source_id)
    SELECT line.id, line.workspace_id, bank.id, entry.id, entry.sequence, line.position, line.date,
      CASE WHEN line.credit > 0 OR line.amount < 0 THEN 'out' ELSE 'in' END, abs(line.amount), given ->> 'counterparty', given ->> 'reference', entry.source_type, entry.source_id
    FROM unnest(lines) AS line JOIN "bank_accounts" AS bank ON bank.workspace_id = line.workspace_id AND bank.gl_account_id = line.account_id
    WHERE line.amount <> 0;
  -- Amounts on a tax account without a base (manual adjustments) are also included in the tax report.
  WITH given_taxes AS (
    SELECT * FROM jsonb_to_recordset(coalesce(given -> 'taxes', '[]')) AS tax (side text, tax_id uuid, name text, kind text, rate numeric, base numeric, tax numeric)),
  booked AS (
    SELECT role.side, line.tax_id, sum(CASE role.side WHEN 'output' THEN line.credit - line.debit ELSE line.debit - line.credit END) AS tax
    FROM unnest(lines) AS line JOIN "gl_accounts" AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
      JOIN (VALUES ('tax_output', 'output'), ('tax_input', 'input')) AS role (name, side) ON role.name = account.system_role
    GROUP BY role.side, line.tax_id),
  rest AS (
    SELECT booked.side, booked.tax_id, booked.tax - coalesce((SELECT sum(own.tax) FROM given_taxes AS own
      WHERE own.side = booked.side AND own.tax_id IS NOT DISTINCT FROM booked.tax_id), 0) AS tax FROM booked)
  INSERT INTO "tax_lines" (workspace_id, entry_id, date, side, tax_id, name, kind, rate, base, tax)
    SELECT entry.workspace_id, entry.id, entry.date, own.side, own.tax_id, own.name, own.kind, own.rate, own.base, own.tax FROM given_taxes AS own
    UNION ALL SELECT entry.workspace_id, entry.id, entry.date, rest.side, rest.tax_id, NULL, NULL, NULL, 0, rest.tax FROM rest WHERE rest.tax <> 0;
  UPDATE "ledger_heads" SET sequence = entry.sequence, hash = entry.hash WHERE workspace_id = entry.workspace_id;
  RETURN jsonb_build_object('id', entry.id, 'number', entry.number, 'sequence', entry.sequence);
END
$$;
