-- ---------------------------------------------------------------------------------------------------------------------
-- Journal: one row for each command, with the rows that it changed and its events. Rows are never updated, except for the
-- erasure of a deleted user. A command with many changes has several rows.

-- Positions of journal rows. The events of a row have the positions after it, so that every event has a position of its own.
CREATE SEQUENCE IF NOT EXISTS journal_positions INCREMENT BY 1000 START WITH 1000;

CREATE TABLE IF NOT EXISTS journal (
  position       bigint NOT NULL DEFAULT nextval('journal_positions'),
  -- The relay publishes the events of transactions that have ended, so it never skips a row that commits late.
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  workspace_id   uuid NOT NULL,
  at             timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  actor          jsonb,
  operation      text,
  request_id     text,
  trace_id       text,
  -- Changed rows: table, id, and the old and new values of the changed columns.
  changes        json,
  -- Events: id, type, schema_version, aggregate_id and data.
  events         json,
  -- IDs of the changed records, and of the users to whom they belong.
  records        uuid[] NOT NULL DEFAULT '{}'
) PARTITION BY RANGE (at);
CREATE INDEX IF NOT EXISTS journal_events_by_position ON journal (position) WHERE events IS NOT NULL;
CREATE INDEX IF NOT EXISTS journal_records ON journal USING gin (records);
CREATE INDEX IF NOT EXISTS journal_by_workspace ON journal (workspace_id, position) WHERE changes IS NOT NULL;

-- Creates the partition of a month, if it does not exist. Attaching a table blocks no writes, unlike creating it as a partition.
CREATE OR REPLACE FUNCTION suite_journal_partition(month date) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  name text := to_char(month, '"_journal_"YYYY_MM');
BEGIN
  IF to_regclass(name) IS NULL THEN
    EXECUTE format('CREATE TABLE %I (LIKE journal INCLUDING ALL)', name);
    PERFORM suite_force_policies(name::regclass);
    EXECUTE format('ALTER TABLE journal ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, month::timestamptz,
      month::timestamptz + interval '1 month');
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_journal_partition(date) FROM PUBLIC;

-- Writes the partition of a month again, without events and without the rows that had events only. The copy is made before the
-- journal is locked.
CREATE OR REPLACE FUNCTION suite_compact_journal(month date) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  name text := to_char(month, '"_journal_"YYYY_MM');
  first_moment timestamptz := month::timestamptz;
  end_moment timestamptz := month::timestamptz + interval '1 month';
BEGIN
  EXECUTE format('CREATE TABLE _journal_compact (LIKE journal INCLUDING ALL, CONSTRAINT month CHECK (at >= %L AND at < %L))', first_moment, end_moment);
  PERFORM suite_force_policies('_journal_compact');
  EXECUTE format('INSERT INTO _journal_compact SELECT (jsonb_populate_record(old_row, ''{"events": null}'')).* FROM %I AS old_row
    WHERE changes IS NOT NULL', name);
  EXECUTE format('ALTER TABLE journal DETACH PARTITION %I', name);
  EXECUTE format('DROP TABLE %I', name);
  EXECUTE format('ALTER TABLE _journal_compact RENAME TO %I', name);
  EXECUTE format('ALTER TABLE journal ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first_moment, end_moment);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', name);
END
$$;
REVOKE EXECUTE ON FUNCTION suite_compact_journal(date) FROM PUBLIC;

-- Creates the partitions of the next months, and removes what is older than its retention: whole months of changes, and the
-- events of whole months. Processes one month at a time. Returns true if there may be another one.
CREATE OR REPLACE FUNCTION suite_maintain_journal(changes_days integer, events_days integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  this_month date := date_trunc('month', now())::date;
  month date;
  has_events boolean;
BEGIN
  PERFORM suite_journal_partition((this_month + months * interval '1 month')::date) FROM generate_series(-1, 2) AS months;
  FOR month IN
    SELECT to_date(relname, '"_journal_"YYYY_MM') AS month FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'journal'::regclass ORDER BY month
  LOOP
    IF month + interval '1 month' < now() - make_interval(days => changes_days) THEN
      EXECUTE format('ALTER TABLE journal DETACH PARTITION %I', to_char(month, '"_journal_"YYYY_MM'));
      EXECUTE format('DROP TABLE %I', to_char(month, '"_journal_"YYYY_MM'));
      RETURN true;
    END IF;
    IF month + interval '1 month' < now() - make_interval(days => events_days) THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE events IS NOT NULL)', to_char(month, '"_journal_"YYYY_MM')) INTO has_events;
      IF has_events AND NOT EXISTS (SELECT FROM journal_waiting) THEN
        PERFORM suite_compact_journal(month);
        RETURN true;
      END IF;
    END IF;
  END LOOP;
  IF to_regclass('outbox') IS NOT NULL THEN
    DELETE FROM outbox WHERE published_at < now() - interval '7 days';
  END IF;
  RETURN false;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_maintain_journal(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_maintain_journal(integer, integer) TO suite_everywhere;
SELECT suite_journal_partition((date_trunc('month', now()) + months * interval '1 month')::date) FROM generate_series(-1, 2) AS months;

-- The relay's place in the journal: all events of the transactions before `settled` are published. While it publishes a long
-- backlog, `until` is the end of these transactions, and `resume` the last published position. All events that are not published
-- have positions after `floor`. `next_floor` takes its place as soon as the transactions before `next_settled` are settled.
CREATE TABLE IF NOT EXISTS journal_relay (
  is_only      boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  settled      xid8 NOT NULL,
  settled_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  until        xid8,
  resume       bigint,
  floor        bigint NOT NULL DEFAULT 0,
  next_floor   bigint NOT NULL DEFAULT 0,
  next_settled xid8 NOT NULL DEFAULT '0'
);
-- The number of the database's history, which a restore increases. A process whose database has another epoch than its streams
-- neither reads nor publishes events, and its consumers reject events of another epoch.
ALTER TABLE journal_relay ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 1;
INSERT INTO journal_relay (settled) VALUES (pg_snapshot_xmin(pg_current_snapshot())) ON CONFLICT DO NOTHING;

-- Writes the journal row of the transaction, up to now: the collected changes, with events. Returns its position, or null if
-- there is nothing to write. Runs as the owner, because no other role can write to the journal.
CREATE OR REPLACE FUNCTION suite_write_journal(trace text, events json) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  changed text := nullif(current_setting('suite.changes', true), '');
  transaction xid8;
  written bigint;
BEGIN
  IF changed IS NULL AND events IS NULL THEN
    RETURN NULL;
  END IF;
  -- Before the position: the relay assumes that later transactions have higher positions than those taken before them.
  transaction := pg_current_xact_id();
  INSERT INTO journal (transaction_id, workspace_id, actor, operation, request_id, trace_id, changes, events, records)
  VALUES (transaction, current_setting('suite.workspace_id')::uuid, nullif(current_setting('suite.actor', true), '')::jsonb,
    nullif(current_setting('suite.operation', true), ''), nullif(current_setting('suite.request_id', true), ''), trace,
    ('[' || changed || ']')::json, events,
    CASE WHEN changed IS NULL THEN '{}' ELSE ('{' || current_setting('suite.changed_records', true) || '}')::uuid[] END)
  RETURNING position INTO written;
  IF changed IS NOT NULL THEN
    PERFORM set_config('suite.changes', '', true), set_config('suite.changed_records', '', true);
  END IF;
  RETURN written;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_write_journal(text, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_write_journal(text, json) TO suite_confined, suite_everywhere;

-- Collects changes for the journal row of the transaction. A statement of an operator, a migration or another program has no
-- such row, and a change of another workspace does not belong to it. Both get a row immediately.
CREATE OR REPLACE FUNCTION suite_collect_changes(workspaces text[], ids text[], users text[], entries text[]) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  changes text;
BEGIN
  IF entries IS NULL THEN
    RETURN;
  END IF;
  IF current_setting('suite.journal', true) = 'on' AND current_setting('suite.workspace_id', true) = ALL (workspaces) THEN
    changes := concat_ws(',', nullif(current_setting('suite.changes', true), ''), array_to_string(entries, ','));
    PERFORM set_config('suite.changes', changes, true);
    PERFORM set_config('suite.changed_records',
      concat_ws(',', nullif(current_setting('suite.changed_records', true), ''), nullif(array_to_string(ids || users, ','), '')), true);
    IF length(changes) > 262144 THEN
      PERFORM suite_write_journal(NULL, NULL);
    END IF;
  ELSE
    INSERT INTO journal (workspace_id, actor, operation, request_id, changes, records)
    SELECT workspace::uuid, nullif(current_setting('suite.actor', true), '')::jsonb, nullif(current_setting('suite.operation', true), ''),
      nullif(current_setting('suite.request_id', true), ''), ('[' || string_agg(entry, ',' ORDER BY place) || ']')::json,
      array_remove((array_agg(id) || array_agg(user_id))::uuid[], NULL)
    FROM unnest(workspaces, ids, users, entries) WITH ORDINALITY AS changed (workspace, id, user_id, entry, place) GROUP BY workspace;
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_collect_changes(text[], text[], text[], text[]) FROM PUBLIC;

-- Collect the changes of a statement. Arguments: columns to exclude (secrets, search vectors), and `sealed:column` for columns
-- whose changes are recorded without the values. They run as the owner. A row without a workspace belongs to its white-label
-- instance. The journal has all columns of an inserted or deleted row, and the changed columns of an updated row. A generic
-- plan suits any number of rows. Without the setting, PostgreSQL would plan again for each number of rows.
CREATE OR REPLACE FUNCTION suite_audit_insert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_sealed boolean := TG_ARGV::text LIKE '%sealed:%';
BEGIN
  PERFORM suite_collect_changes(
    array_agg(coalesce(now ->> 'workspace_id', now ->> 'wl_instance_id')), array_agg(now ->> 'id'), array_agg(now ->> 'user_id'),
    array_agg(json_build_object('table', TG_TABLE_NAME, 'id', now ->> 'id', 'new', now)::text))
  FROM (
    SELECT CASE WHEN is_sealed THEN suite_logged(to_jsonb(new_rows), TG_ARGV) ELSE to_jsonb(new_rows) - TG_ARGV END AS now
    FROM new_rows OFFSET 0) AS inserted;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION suite_audit_delete() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_sealed boolean := TG_ARGV::text LIKE '%sealed:%';
BEGIN
  PERFORM suite_collect_changes(
    array_agg(coalesce(was ->> 'workspace_id', was ->> 'wl_instance_id')), array_agg(was ->> 'id'), array_agg(was ->> 'user_id'),
    array_agg(json_build_object('table', TG_TABLE_NAME, 'id', was ->> 'id', 'old', was)::text))
  FROM (
    SELECT CASE WHEN is_sealed THEN suite_logged(to_jsonb(old_rows), TG_ARGV) ELSE to_jsonb(old_rows) - TG_ARGV END AS was
    FROM old_rows OFFSET 0) AS deleted;
  RETURN NULL;
END
$$;

-- Old and new rows are in the same order.
CREATE OR REPLACE FUNCTION suite_audit_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_sealed boolean := TG_ARGV::text LIKE '%sealed:%';
BEGIN
  PERFORM suite_collect_changes(
    array_agg(coalesce(now ->> 'workspace_id', now ->> 'wl_instance_id')), array_agg(now ->> 'id'), array_agg(now ->> 'user_id'),
    array_agg(json_build_object('table', TG_TABLE_NAME, 'id', now ->> 'id',
      'old', CASE WHEN is_sealed THEN suite_logged(before, TG_ARGV) ELSE before END,
      'new', CASE WHEN is_sealed THEN suite_logged(after, TG_ARGV) ELSE after END)::text))
  FROM unnest(ARRAY(SELECT to_jsonb(old_rows) FROM old_rows), ARRAY(SELECT to_jsonb(new_rows) FROM new_rows)) AS pair (was, now)
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(key, was -> key) AS before, jsonb_object_agg(key, value) AS after
      FROM jsonb_each(now) WHERE value <> was -> key AND key <> ALL (TG_ARGV)) AS changed
  WHERE after IS NOT NULL;
  RETURN NULL;
END
$$;

SELECT suite_confine('journal'), suite_force_policies('journal_relay');
REVOKE INSERT, UPDATE, DELETE ON journal FROM suite_confined;
GRANT SELECT ON SEQUENCE journal_positions TO suite_everywhere; -- the relay reads the last position

-- Databases of earlier releases have one trigger per row, which writes two whole rows for each updated row.
DO $$
DECLARE
  target regclass;
  arguments text[];
BEGIN
  FOR target, arguments IN
    SELECT tgrelid, string_to_array(encode(tgargs, 'escape'), '\000') FROM pg_trigger
    WHERE tgname = 'suite_audit' AND tgfoid = to_regprocedure('suite_audit()')
  LOOP
    EXECUTE format('DROP TRIGGER suite_audit ON %s', target);
    PERFORM suite_audited(target, VARIADIC array_remove(array_remove(arguments, ''), 'search'));
  END LOOP;
END
$$;
DROP FUNCTION IF EXISTS suite_audit();

-- The previous release wrote events and changes to tables of their own. Its processes may still run: their events are written to
-- the journal instead, and unpublished events are moved to it. The recorded changes remain in audit_log.
CREATE OR REPLACE FUNCTION suite_journal_from_outbox() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO journal (workspace_id, actor, request_id, trace_id, events)
  VALUES (NEW.workspace_id, NEW.actor, NEW.request_id, NEW.trace_id, json_build_array(json_build_object(
    'id', NEW.id, 'type', NEW.type, 'schema_version', NEW.schema_version, 'aggregate_id', NEW.aggregate_id, 'data', NEW.data)));
  RETURN NULL;
END
$$;
DO $$
DECLARE
  waiting record;
BEGIN
  IF to_regclass('outbox') IS NULL OR EXISTS (SELECT FROM pg_trigger WHERE tgname = 'suite_journal_from_outbox') THEN
    RETURN;
  END IF;
  ALTER TABLE outbox ADD COLUMN IF NOT EXISTS request_id text;
  -- Positions continue after the versions of all records, so that consumers recognise newer events.
  PERFORM setval('journal_positions', 1000 * (1 + greatest(
    (SELECT coalesce(max(position), 0) FROM outbox), (SELECT coalesce(max(version), 0) FROM aggregate_versions)) / 1000));
  CREATE TRIGGER suite_journal_from_outbox BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION suite_journal_from_outbox();
  FOR waiting IN SELECT * FROM outbox WHERE published_at IS NULL ORDER BY position LOOP
    INSERT INTO journal (workspace_id, actor, request_id, trace_id, events)
    VALUES (waiting.workspace_id, waiting.actor, waiting.request_id, waiting.trace_id, json_build_array(json_build_object(
      'id', waiting.id, 'type', waiting.type, 'schema_version', waiting.schema_version, 'aggregate_id', waiting.aggregate_id,
      'data', waiting.data)));
  END LOOP;
  UPDATE outbox SET published_at = clock_timestamp() WHERE published_at IS NULL;
END
$$;

-- Events of the journal, one row for each.
CREATE OR REPLACE VIEW journal_events WITH (security_invoker = true) AS
SELECT journal.position + event.number AS position, (event.value ->> 'id')::uuid AS id, journal.workspace_id, event.value ->> 'type' AS type,
  event.value ->> 'schema_version' AS schema_version, (event.value ->> 'aggregate_id')::uuid AS aggregate_id,
  (event.value -> 'data')::jsonb AS data, journal.actor, journal.operation, journal.request_id, journal.trace_id, journal.at AS occurred_at,
  journal.transaction_id
FROM journal CROSS JOIN LATERAL json_array_elements(journal.events) WITH ORDINALITY AS event (value, number);

-- Events that are not published yet.
CREATE OR REPLACE VIEW journal_waiting WITH (security_invoker = true) AS
SELECT (event.value ->> 'id')::uuid AS id, event.value ->> 'type' AS type, journal.at AS occurred_at
FROM journal_relay JOIN journal ON journal.events IS NOT NULL AND journal.position > journal_relay.floor
    AND journal.transaction_id >= journal_relay.settled
    AND journal.at > least(journal_relay.settled_at, clock_timestamp()) - interval '40 days'
    AND (journal_relay.until IS NULL OR journal.transaction_id >= journal_relay.until OR journal.position > journal_relay.resume)
  CROSS JOIN LATERAL json_array_elements(journal.events) AS event;

-- Begins an epoch after a restore, on an empty bus: the relay publishes the events of the seven days before the newest one again.
-- Consumers recognise repeated events for 14 days after receipt. Returns the number of the events' journal rows. For the owner.
CREATE OR REPLACE FUNCTION suite_begin_epoch(new_epoch bigint) RETURNS bigint LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  current bigint := (SELECT epoch FROM journal_relay);
  newest timestamptz := coalesce(
    (SELECT max(at) FROM (SELECT at FROM journal WHERE events IS NOT NULL ORDER BY position DESC LIMIT 1000) AS latest), now());
  since timestamptz := newest - interval '7 days';
  republished bigint;
  first_position bigint;
  first_transaction xid8;
BEGIN
  IF new_epoch <= current THEN
    RAISE EXCEPTION 'The new epoch must be higher than the current one, %.', current;
  END IF;
  -- In a database restored by pg_restore, the journal has transaction IDs of another server.
  UPDATE journal SET transaction_id = pg_current_xact_id()
  WHERE events IS NOT NULL AND at > since - interval '40 days' AND transaction_id > pg_current_xact_id();
  SELECT count(*), min(journal.position), min(journal.transaction_id) INTO republished, first_position, first_transaction
  FROM journal, journal_relay AS relay
  WHERE journal.events IS NOT NULL AND journal.at > since - interval '40 days'
    AND (journal.at > since OR journal.position > relay.floor AND journal.transaction_id >= relay.settled);
  UPDATE journal_relay SET epoch = new_epoch, settled = coalesce(first_transaction, pg_current_xact_id()), settled_at = since,
    until = NULL, resume = NULL, floor = coalesce(first_position - 1, 0), next_floor = coalesce(first_position - 1, 0),
    next_settled = pg_current_xact_id();
  -- The inbox of an old backup would be deleted before its consumers have recognised the events in it.
  UPDATE inbox SET received_at = received_at + (now() - newest) WHERE newest < now() - interval '1 day';
  RETURN republished;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_begin_epoch(bigint) FROM PUBLIC;

-- The epoch, for requests.
CREATE OR REPLACE FUNCTION suite_epoch() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS 'SELECT epoch FROM journal_relay';
REVOKE EXECUTE ON FUNCTION suite_epoch() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_epoch() TO suite_confined, suite_everywhere;

-- Changed rows of the journal and of earlier releases, one row for each. The condition lets a search use journal_by_workspace.
DO $$
BEGIN
  EXECUTE format($view$
    CREATE OR REPLACE VIEW journal_changes WITH (security_invoker = true) AS
    SELECT journal.position, change.number, journal.workspace_id, change.value ->> 'table' AS table_name,
      coalesce(change.value ->> 'id', '') AS record_id,
      CASE WHEN change.value -> 'old' IS NULL THEN 'insert' WHEN change.value -> 'new' IS NULL THEN 'delete' ELSE 'update' END AS action,
      (change.value -> 'old')::jsonb AS before, (change.value -> 'new')::jsonb AS after,
      journal.actor, journal.operation, journal.request_id, journal.at, journal.records
    FROM journal CROSS JOIN LATERAL json_array_elements(journal.changes) WITH ORDINALITY AS change (value, number)
    WHERE journal.changes IS NOT NULL%s$view$,
    CASE WHEN to_regclass('audit_log') IS NULL THEN '' ELSE '
    UNION ALL SELECT 0, position, workspace_id, table_name, record_id, action, before, after, actor, operation, request_id, at,
      CASE WHEN record_id ~ ''^[0-9a-f-]{36}$'' THEN ARRAY[record_id::uuid] END
    FROM audit_log' END);
END
$$;
REVOKE ALL ON journal_events, journal_waiting, journal_changes FROM PUBLIC;
GRANT SELECT ON journal_events, journal_changes TO suite_confined, suite_everywhere;
GRANT SELECT ON journal_waiting TO suite_everywhere;

-- Removes columns from the recorded changes of some records, for the erasure of personal data.
CREATE OR REPLACE FUNCTION suite_erase_from_journal(workspace uuid, target text, ids text[], columns text[]) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM suite_write_journal(NULL, NULL); -- The changes of this transaction may have the data, too.
  UPDATE journal SET changes = (
    SELECT json_agg(CASE
      WHEN change ->> 'table' <> target OR NOT change ->> 'id' = ANY (ids) THEN change
      WHEN change -> 'old' IS NULL THEN change || jsonb_build_object('new', (change -> 'new') - columns)
      WHEN change -> 'new' IS NULL THEN change || jsonb_build_object('old', (change -> 'old') - columns)
      ELSE change || jsonb_build_object('old', (change -> 'old') - columns, 'new', (change -> 'new') - columns) END ORDER BY number)
    FROM jsonb_array_elements(changes::jsonb) WITH ORDINALITY AS element (change, number))
  WHERE workspace_id = workspace AND records && ids::uuid[] AND changes IS NOT NULL;
  IF to_regclass('audit_log') IS NOT NULL THEN
    UPDATE audit_log SET before = before - columns, after = after - columns
    WHERE workspace_id = workspace AND table_name = target AND record_id = ANY (ids);
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_erase_from_journal(uuid, text, text[], text[]) FROM PUBLIC;
