-- What every service's database stands on: who may see what, and what every change leaves behind.
-- Applied before a service's own migrations. Compatible with PostgreSQL 15 and later; safe to apply again.
-- suite_machinery_tables(), which comes with this file, names the tables that this file creates.

-- Nobody logs in as the owner of the tables. Requests log in as a role without any right, and run as one of these:
-- suite_confined works on what is true of one workspace, suite_viewer reads what its caller may see. The machinery (relay,
-- inbox, look-ups beyond one workspace) works as suite_everywhere, and so do migrations and functions of the owner.
-- Who runs PostgreSQL makes the roles: see docs/operating.md, "PostgreSQL".
DO $$
DECLARE
  missing text := (
    SELECT string_agg(name, ', ') FROM unnest(ARRAY['suite_confined', 'suite_viewer', 'suite_everywhere']) AS name
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name));
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'The role % is missing: a superuser makes it, see docs/operating.md, "PostgreSQL".', missing;
  END IF;
  IF NOT pg_has_role('suite_everywhere', 'USAGE') THEN
    RAISE EXCEPTION '% is no member of suite_everywhere: a superuser grants it, see docs/operating.md, "PostgreSQL".', current_user;
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO suite_confined, suite_viewer, suite_everywhere;

CREATE OR REPLACE FUNCTION suite_has_column(target oid, name text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = target AND attname = name AND NOT attisdropped)
$$;

-- The person behind the running transaction; null for work that the suite does by itself.
CREATE OR REPLACE FUNCTION suite_actor_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.actor_id', true), '')::uuid $$;

-- Events, written in the transaction of the change and published afterwards. Kept seven days after publication.
CREATE TABLE IF NOT EXISTS outbox (
  position          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id                uuid NOT NULL UNIQUE,
  workspace_id      uuid NOT NULL,
  type              text NOT NULL,
  schema_version    text NOT NULL,
  aggregate_id      uuid NOT NULL,
  aggregate_version integer NOT NULL,
  actor             jsonb,
  trace_id          text,
  data              jsonb NOT NULL,
  occurred_at       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  published_at      timestamptz(3)
);
CREATE INDEX IF NOT EXISTS outbox_waiting ON outbox (position) WHERE published_at IS NULL;
CREATE INDEX IF NOT EXISTS outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

-- How many events an aggregate has announced: the next one carries the next number, without a gap.
CREATE TABLE IF NOT EXISTS aggregate_versions (
  workspace_id uuid NOT NULL,
  aggregate_id uuid NOT NULL,
  version      integer NOT NULL,
  PRIMARY KEY (workspace_id, aggregate_id)
);

-- The events a consumer has taken in, written in the transaction of their effect.
CREATE TABLE IF NOT EXISTS inbox (
  consumer    text NOT NULL,
  event_id    uuid NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX IF NOT EXISTS inbox_received ON inbox (received_at);

-- Messages that a consumer could not take in, with the reason; kept until somebody replays them.
DO $$
BEGIN
  IF to_regclass('parked_messages') IS NOT NULL THEN
    ALTER TABLE parked_messages RENAME TO dead_letters;
    ALTER TABLE dead_letters RENAME COLUMN parked_at TO failed_at;
    ALTER TABLE dead_letters RENAME CONSTRAINT parked_messages_pkey TO dead_letters_pkey;
    ALTER INDEX IF EXISTS parked_messages_record RENAME TO dead_letters_record;
  END IF;
END
$$;
CREATE TABLE IF NOT EXISTS dead_letters (
  consumer    text NOT NULL,
  event_id    uuid NOT NULL,
  envelope    jsonb NOT NULL,
  reason      text NOT NULL,
  attempts    integer NOT NULL,
  failed_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  replayed_at timestamptz(3),
  PRIMARY KEY (consumer, event_id)
);

-- The answers to calls that carried an Idempotency-Key, kept 24 hours.
CREATE TABLE IF NOT EXISTS idempotency_keys (
  workspace_id uuid NOT NULL,
  caller_id    uuid NOT NULL,
  operation    text NOT NULL,
  key          text NOT NULL,
  body_hash    text NOT NULL,
  status       smallint NOT NULL,
  body         json NOT NULL, -- not jsonb: a replay is the same to the letter
  created_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, caller_id, operation, key)
);
CREATE INDEX IF NOT EXISTS idempotency_keys_created ON idempotency_keys (created_at);

-- The keys of calls between services, each written in the transaction of its effect. They stay: another service may repeat
-- a call however late, and an effect that was undone must not happen again. A service deletes the keys of what it deletes.
CREATE TABLE IF NOT EXISTS rpc_keys (
  workspace_id uuid NOT NULL,
  method       text NOT NULL,
  key          text NOT NULL,
  caller       text NOT NULL, -- the service that called
  fingerprint  text, -- of what was asked for; null where that is not known
  answer       jsonb, -- null for what was undone before it was asked for
  subject      text, -- the record that the effect belongs to, for finding its keys
  undone_at    timestamptz(3),
  created_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, method, key, caller)
);
CREATE INDEX IF NOT EXISTS rpc_keys_subject ON rpc_keys (workspace_id, method, subject) WHERE subject IS NOT NULL;

-- Records that are being deleted, here or in the service that owns them: nothing may refer to them any more. A fence ends with
-- its time, so that a deletion that crashed blocks nobody for long.
CREATE TABLE IF NOT EXISTS deletion_fences (
  workspace_id uuid NOT NULL,
  noun         text NOT NULL, -- the kind of record, such as finance.customer
  record_id    uuid NOT NULL,
  deletion_id  uuid NOT NULL, -- the attempt that the fence belongs to
  until        timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, noun, record_id)
);

-- One row for every changed row: who, through which key, in which request, what it was and what it became; of an update, the
-- columns that changed.
CREATE TABLE IF NOT EXISTS audit_log (
  position     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  table_name   text NOT NULL,
  record_id    text NOT NULL,
  action       text NOT NULL CHECK (action IN ('insert', 'update', 'delete')),
  before       jsonb,
  after        jsonb,
  actor        jsonb,
  operation    text,
  request_id   text,
  at           timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS audit_log_record ON audit_log (workspace_id, table_name, record_id);

-- Lets the machinery at all rows of a table, and nobody else past its policies: not even its owner.
CREATE OR REPLACE FUNCTION suite_force_policies(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('DROP POLICY IF EXISTS suite_everywhere ON %s', target);
  EXECUTE format('CREATE POLICY suite_everywhere ON %s TO suite_everywhere USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO suite_everywhere', target);
END
$$;

-- Confinement, for a table: only rows of the workspace that the transaction was opened for exist. A transaction that
-- names no workspace gets an error, never all rows.
CREATE OR REPLACE FUNCTION suite_confine(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_force_policies(target);
  EXECUTE format('DROP POLICY IF EXISTS suite_workspace ON %s', target);
  EXECUTE format(
    'CREATE POLICY suite_workspace ON %s TO suite_confined
       USING (workspace_id = current_setting(''suite.workspace_id'')::uuid)
       WITH CHECK (workspace_id = current_setting(''suite.workspace_id'')::uuid)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO suite_confined', target);
END
$$;

-- Notes the stored object of a row that is deleted, or that names another one now, for removal (fileRemoval). The argument is the
-- column that holds its key. It is SQL because files also go by cascade, with what they belong to, and no code sees those deletions.
-- A service that uses it has the table discarded_files.
CREATE OR REPLACE FUNCTION suite_discard_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  column_name text := TG_ARGV[0];
  discarded text := to_jsonb(OLD) ->> column_name;
BEGIN
  IF discarded IS NULL OR (TG_OP = 'UPDATE' AND discarded = to_jsonb(NEW) ->> column_name) THEN
    RETURN NULL;
  END IF;
  INSERT INTO discarded_files (workspace_id, key) VALUES (OLD.workspace_id, discarded) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

-- Who changed a record last, and how often it has changed. A value that is encrypted again is the same to every reader, and a
-- card whose column is reordered has the same place.
CREATE OR REPLACE FUNCTION suite_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('suite.encrypts_anew', true) = 'on' OR current_setting('suite.reorders', true) = 'on' THEN
    RETURN NEW;
  END IF;
  NEW.created_by := OLD.created_by;
  NEW.created_at := OLD.created_at;
  NEW.updated_by := coalesce(suite_actor_id(), OLD.updated_by);
  NEW.updated_at := clock_timestamp();
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;

-- A row without the columns that must never be written down, and with a word in place of those that are sealed.
CREATE OR REPLACE FUNCTION suite_logged(logged jsonb, arguments text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (logged - arguments) || coalesce((
  SELECT jsonb_object_agg(name, '[sealed]') FROM (SELECT substr(argument, 8) AS name FROM unnest(arguments) AS argument WHERE argument LIKE 'sealed:%') AS sealed
  WHERE jsonb_typeof(logged -> name) = 'string'), '{}') $$;

-- Write the audit rows of a statement, all of them at once. Arguments: columns that must never be written down (secrets,
-- search vectors), and `sealed:column` for those of which only a change is written down, not the value. They run as the
-- owner, since nobody else may write to the log except through them. A row that belongs to no workspace belongs to the
-- white-label instance that it names. Of a row that was inserted or deleted they keep all of
-- it, of a row that was updated the columns that changed. Their plans suit any number of rows, and would be made for each
-- number anew without being told so.
CREATE OR REPLACE FUNCTION suite_audit_insert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_sealed boolean := TG_ARGV::text LIKE '%sealed:%';
BEGIN
  INSERT INTO audit_log (workspace_id, table_name, record_id, action, after, actor, operation, request_id)
  SELECT coalesce(now ->> 'workspace_id', now ->> 'wl_instance_id')::uuid, TG_TABLE_NAME, coalesce(now ->> 'id', ''), 'insert', now,
    (SELECT nullif(current_setting('suite.actor', true), '')::jsonb),
    nullif(current_setting('suite.operation', true), ''), nullif(current_setting('suite.request_id', true), '')
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
  INSERT INTO audit_log (workspace_id, table_name, record_id, action, before, actor, operation, request_id)
  SELECT coalesce(was ->> 'workspace_id', was ->> 'wl_instance_id')::uuid, TG_TABLE_NAME, coalesce(was ->> 'id', ''), 'delete', was,
    (SELECT nullif(current_setting('suite.actor', true), '')::jsonb),
    nullif(current_setting('suite.operation', true), ''), nullif(current_setting('suite.request_id', true), '')
  FROM (
    SELECT CASE WHEN is_sealed THEN suite_logged(to_jsonb(old_rows), TG_ARGV) ELSE to_jsonb(old_rows) - TG_ARGV END AS was
    FROM old_rows OFFSET 0) AS deleted;
  RETURN NULL;
END
$$;

-- The old and the new rows come in the same order.
CREATE OR REPLACE FUNCTION suite_audit_update() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_sealed boolean := TG_ARGV::text LIKE '%sealed:%';
BEGIN
  INSERT INTO audit_log (workspace_id, table_name, record_id, action, before, after, actor, operation, request_id)
  SELECT coalesce(now ->> 'workspace_id', now ->> 'wl_instance_id')::uuid, TG_TABLE_NAME, coalesce(now ->> 'id', ''), 'update',
    CASE WHEN is_sealed THEN suite_logged(changed.before, TG_ARGV) ELSE changed.before END,
    CASE WHEN is_sealed THEN suite_logged(changed.after, TG_ARGV) ELSE changed.after END,
    (SELECT nullif(current_setting('suite.actor', true), '')::jsonb),
    nullif(current_setting('suite.operation', true), ''), nullif(current_setting('suite.request_id', true), '')
  FROM unnest(ARRAY(SELECT to_jsonb(old_rows) FROM old_rows), ARRAY(SELECT to_jsonb(new_rows) FROM new_rows)) AS pair (was, now)
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_object_agg(key, was -> key), '{}') AS before, coalesce(jsonb_object_agg(key, value), '{}') AS after
      FROM jsonb_each(now) WHERE value <> was -> key AND key <> ALL (TG_ARGV)) AS changed;
  RETURN NULL;
END
$$;

-- Audits a table. A trigger that is told the rows of its statement is about one kind of statement.
CREATE OR REPLACE FUNCTION suite_audited(target regclass, VARIADIC hidden text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  arguments text := (SELECT string_agg(quote_literal(name), ', ') FROM unnest(hidden || '{search}'::text[]) AS name);
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER suite_audit_insert AFTER INSERT ON %s
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION suite_audit_insert(%s)', target, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER suite_audit_update AFTER UPDATE ON %s
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION suite_audit_update(%s)', target, arguments);
  EXECUTE format('CREATE OR REPLACE TRIGGER suite_audit_delete AFTER DELETE ON %s
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION suite_audit_delete(%s)', target, arguments);
END
$$;

-- Databases of earlier releases have one trigger per row, which writes two whole rows for each that is updated.
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

-- A business record: confined, versioned, audited. `hidden` names columns that the audit log must not hold; of `sealed:column`
-- it holds that it changed.
CREATE OR REPLACE FUNCTION suite_record(target regclass, VARIADIC hidden text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_member(target, VARIADIC hidden);
  EXECUTE format('CREATE OR REPLACE TRIGGER suite_touch BEFORE UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION suite_touch()', target);
END
$$;

-- A row that belongs to a record and has no version of its own (a label on a lead): confined and audited.
CREATE OR REPLACE FUNCTION suite_member(target regclass, VARIADIC hidden text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_confine(target);
  PERFORM suite_audited(target, VARIADIC hidden);
END
$$;

-- The white-label instance that the transaction was opened for, and the mode of its token; null for everybody else.
CREATE OR REPLACE FUNCTION suite_instance_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.wl_instance_id', true), '')::uuid $$;
CREATE OR REPLACE FUNCTION suite_instance_mode() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.wl_mode', true), '') $$;

-- Confinement of rows that belong to white-label instances, in a table that may have rows of workspaces, too. A column
-- `provider_mode` keeps what is done with a test token apart from what is done with a live one.
CREATE OR REPLACE FUNCTION suite_confine_to_instance(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own text := 'wl_instance_id = suite_instance_id()';
BEGIN
  IF suite_has_column(target, 'provider_mode') THEN
    own := own || ' AND provider_mode = suite_instance_mode()';
  END IF;
  PERFORM suite_force_policies(target);
  EXECUTE format('DROP POLICY IF EXISTS suite_instance ON %s', target);
  EXECUTE format('CREATE POLICY suite_instance ON %s TO suite_confined USING (%s) WITH CHECK (%s)', target, own, own);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO suite_confined', target);
END
$$;

-- Rows that are written once and never changed by the application.
CREATE OR REPLACE FUNCTION suite_append_only(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('REVOKE UPDATE, DELETE ON %s FROM suite_confined', target);
END
$$;

SELECT suite_confine('outbox'), suite_confine('aggregate_versions'), suite_confine('idempotency_keys'), suite_confine('rpc_keys'),
  suite_confine('deletion_fences'), suite_confine('audit_log');
SELECT suite_append_only('outbox');
REVOKE INSERT, UPDATE, DELETE ON audit_log FROM suite_confined;
GRANT SELECT, INSERT ON inbox TO suite_confined;

-- The lock between those who refer to a record and those who delete it.
CREATE OR REPLACE FUNCTION suite_reference_lock(noun text, workspace uuid, record uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(noun || workspace || record, 0) $$;

-- Refuses references to records that are being deleted. Runs in the transaction that writes the references: either it sees the
-- fence, or the deletion waits for its end and counts what it wrote. Reads as the owner, whatever the role may see.
CREATE OR REPLACE FUNCTION suite_refer(noun text, field text, workspace uuid, records uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  record uuid;
BEGIN
  FOR record IN SELECT DISTINCT named FROM unnest(records) AS named WHERE named IS NOT NULL ORDER BY named LOOP
    PERFORM pg_advisory_xact_lock_shared(suite_reference_lock(noun, workspace, record));
    IF EXISTS (SELECT FROM deletion_fences AS fence WHERE fence.workspace_id = workspace AND fence.noun = suite_refer.noun
        AND fence.record_id = record AND fence.until > clock_timestamp()) THEN
      RAISE EXCEPTION 'The record % (%) is being deleted.', record, noun USING ERRCODE = 'SUDEL', COLUMN = field;
    END IF;
  END LOOP;
END
$$;

-- Raises the fence of a deletion, after the transactions that are just writing references to the record. It replaces the fence of
-- an earlier attempt.
CREATE OR REPLACE FUNCTION suite_fence(noun text, record uuid, deletion uuid, hold_ms int) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '1500ms' AS $$
DECLARE
  workspace uuid := current_setting('suite.workspace_id')::uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(suite_reference_lock(noun, workspace, record));
  INSERT INTO deletion_fences (workspace_id, noun, record_id, deletion_id, until)
  VALUES (workspace, noun, record, deletion, clock_timestamp() + hold_ms * interval '1 millisecond')
  ON CONFLICT ON CONSTRAINT deletion_fences_pkey DO UPDATE SET deletion_id = excluded.deletion_id, until = excluded.until;
END
$$;

-- Has a table refuse references to records that are being deleted. `records` is an SQL expression over the row `given`.
CREATE OR REPLACE FUNCTION suite_refers(target regclass, field text, noun text, records text) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  label text := 'suite_refers_' || md5(concat_ws(' ', target, field, noun, records));
BEGIN
  EXECUTE format($f$CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM suite_refer(%L, %L, workspace_id, array_agg(named)) FROM (
        SELECT given.workspace_id, named FROM new_rows AS given CROSS JOIN LATERAL unnest(%s) AS named
        WHERE named IS NOT NULL) AS referred GROUP BY workspace_id;
      RETURN NULL;
    END $$$f$, label || '_new', noun, field, records);
  EXECUTE format($f$CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM suite_refer(%L, %L, NEW.workspace_id, %s);
      RETURN NEW;
    END $$$f$, label || '_changed', noun, field, replace(records, 'given.', 'NEW.'));
  EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %I()',
    label || '_new', target, label || '_new');
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OF %I ON %s FOR EACH ROW WHEN (NEW.%I IS DISTINCT FROM OLD.%I) EXECUTE FUNCTION %I()',
    label || '_changed', field, target, field, field, label || '_changed');
END
$body$;

-- Drops what suite_refers has made: the declared references are made again, all of them.
CREATE OR REPLACE FUNCTION suite_refers_no_more() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made regprocedure;
BEGIN
  FOR made IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname ~ '^suite_refers_[0-9a-f]{32}_' LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', made);
  END LOOP;
END
$$;

-- Text without accents: "Müller" is found by "muller", and the other way round. It needs no extension and is immutable, so that
-- stored columns and indexes can use it. Text in ASCII is returned unchanged, at the cost of counting its bytes. Long text is
-- normalised in parts, because PostgreSQL sorts a sequence of marks in quadratic time: 80,000 marks took two minutes.
CREATE OR REPLACE FUNCTION suite_unaccented(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN octet_length(given) = char_length(given) THEN given ELSE translate(
    replace(replace(replace(replace(replace(
      CASE WHEN char_length(given) <= 200
        THEN normalize(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]+', '', 'g'), NFC)
        ELSE (
          SELECT string_agg(
            normalize(regexp_replace(normalize(part[1], NFKD), '[\u0300-\u036f]+', '', 'g'), NFC), '' ORDER BY number)
          FROM regexp_matches(given, '[\s\S]{1,200}', 'g') WITH ORDINALITY AS parts (part, number)) END,
      'ß', 'ss'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'),
    'øØłŁđĐðÐħĦŧŦıŀĿ', 'oOlLdDdDhHtTilL') END;

-- The domains of e-mail addresses in a text, and each of their parts.
CREATE OR REPLACE FUNCTION suite_address_words(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT coalesce(string_agg(' ' || part[1] || ' ' || part[2] || ' ' || translate(part[1] || ' ' || part[2], '.+_-', '    '), ''), '')
    FROM regexp_matches(suite_unaccented(given), '([^[:space:]@]+)@([^[:space:]@]+)', 'g') AS part);

-- Text as a search document. E-mail addresses are found by their domain and by each of their parts, too. Each written row
-- pays for it, so text in ASCII without an address runs no other SQL function: that takes a third of the time.
CREATE OR REPLACE FUNCTION suite_document(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig,
    CASE WHEN octet_length(given) = char_length(given) THEN given ELSE suite_unaccented(given) END
    || CASE WHEN position('@' IN given) = 0 THEN '' ELSE suite_address_words(given) END);

-- Typed text as a search: each word matches as a beginning.
CREATE OR REPLACE FUNCTION suite_query(typed text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_tsquery('simple', coalesce(string_agg(quote_literal(word) || ':*', ' & '), ''))
  FROM regexp_split_to_table(lower(suite_unaccented(typed)), '[^[:alnum:]@.+_-]+') AS word WHERE word <> '' $$;

-- Makes the `search` columns of all tables hold search documents: migrations write them with to_tsvector('simple', …), which
-- keeps accents and whole e-mail addresses. Their indexes are built again with them.
CREATE OR REPLACE FUNCTION suite_unaccent_search() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT class.oid::regclass AS target, pg_get_expr(stored.adbin, stored.adrelid) AS expression
    FROM pg_attribute AS own JOIN pg_class AS class ON class.oid = own.attrelid
      JOIN pg_attrdef AS stored ON stored.adrelid = own.attrelid AND stored.adnum = own.attnum
    WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p') AND NOT class.relispartition
      AND own.attname = 'search' AND own.attgenerated = 's' AND NOT own.attisdropped
      AND pg_get_expr(stored.adbin, stored.adrelid) LIKE '%to_tsvector(''simple''::regconfig, %'
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN search SET EXPRESSION AS (%s)', kept.target,
      replace(kept.expression, 'to_tsvector(''simple''::regconfig, ', 'suite_document('));
  END LOOP;
END
$$;

-- The newest 10 001 records of the workspace whose `search` column matches what somebody typed. It runs as the owner:
-- row-level security would keep the planner from using the search index.
CREATE OR REPLACE FUNCTION suite_search(target regclass, typed text) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT %I($1)', 'suite_search_' || target) USING typed;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_search(regclass, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_search(regclass, text) TO suite_confined, suite_viewer;

-- The newest of these records, at most as many as requested.
CREATE OR REPLACE FUNCTION suite_search_newest(target regclass, typed text, most int) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT %I($1, $2)', 'suite_search_' || target) USING typed, most;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_search_newest(regclass, text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_search_newest(regclass, text, int) TO suite_confined, suite_viewer;

-- All of these records, or a single null if there are more than requested.
CREATE OR REPLACE FUNCTION suite_search_few(target regclass, typed text, most int) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 10 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT %I($1, $2)', 'suite_search_few_' || target) USING typed, most;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_search_few(regclass, text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_search_few(regclass, text, int) TO suite_confined, suite_viewer;

-- The search of one table: a function of its own, whose plans are kept; planning costs more than finding. The search index
-- looks a beginning up in all workspaces before it looks at one, so a small one is read instead. One plan serves all
-- workspaces, whatever their size: it reads no table from its beginning to its end.
CREATE OR REPLACE FUNCTION suite_searchable(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'suite_search_' || target;
  few text := 'suite_search_few_' || target;
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION %I(typed text) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $search$
    DECLARE
      of_workspace uuid := current_setting(''suite.workspace_id'')::uuid;
      wanted tsquery := suite_query(typed);
    BEGIN
      IF EXISTS (SELECT FROM %s WHERE workspace_id = of_workspace OFFSET 500) THEN
        RETURN QUERY SELECT id FROM %2$s WHERE workspace_id = of_workspace AND search @@ wanted ORDER BY id DESC LIMIT 10001;
      ELSE
        RETURN QUERY SELECT id FROM (SELECT id, search FROM %2$s WHERE workspace_id = of_workspace OFFSET 0) AS own
          WHERE search @@ wanted ORDER BY id DESC;
      END IF;
    END
    $search$', name, target);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %I(text) FROM PUBLIC', name);
  -- The search index finds up to ten times the requested matches, and sorting their IDs costs less than reading the words of
  -- other rows. A more frequent word is found in the newest rows: the index would first collect all its matches.
  EXECUTE format('CREATE OR REPLACE FUNCTION %I(typed text, most int) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $search$
    DECLARE
      of_workspace uuid := current_setting(''suite.workspace_id'')::uuid;
      wanted tsquery := suite_query(typed);
      matches uuid[];
    BEGIN
      matches := ARRAY(SELECT id FROM %s WHERE workspace_id = of_workspace AND search @@ wanted LIMIT 10 * most + 1);
      IF cardinality(matches) > 10 * most THEN
        matches := ARRAY(SELECT id FROM (
            SELECT id, search FROM %2$s WHERE workspace_id = of_workspace ORDER BY id DESC LIMIT 10 * most) AS newest
          WHERE search @@ wanted ORDER BY id DESC LIMIT most);
        IF cardinality(matches) < most THEN
          matches := ARRAY(SELECT id FROM %2$s WHERE workspace_id = of_workspace AND search @@ wanted ORDER BY id DESC LIMIT most);
        END IF;
      ELSIF cardinality(matches) > most THEN
        matches := ARRAY(SELECT id FROM unnest(matches) AS id ORDER BY id DESC LIMIT most);
      END IF;
      RETURN QUERY SELECT unnest(matches);
    END
    $search$', name, target);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %I(text, int) FROM PUBLIC', name);
  -- With a limit, PostgreSQL expects to find enough matches early among the rows of the workspace, and reads all if they are rare.
  -- Without plain index scans it uses the search index.
  EXECUTE format('CREATE OR REPLACE FUNCTION %I(typed text, most int) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 10
    SET enable_seqscan = off SET enable_indexscan = off SET plan_cache_mode = force_generic_plan AS $search$
    DECLARE
      of_workspace uuid := current_setting(''suite.workspace_id'')::uuid;
      wanted tsquery := suite_query(typed);
      matches uuid[];
    BEGIN
      matches := ARRAY(SELECT id FROM %s WHERE workspace_id = of_workspace AND search @@ wanted LIMIT most + 1);
      IF cardinality(matches) <= most THEN
        RETURN QUERY SELECT unnest(matches);
      ELSE
        RETURN NEXT NULL;
      END IF;
    END
    $search$', few, target);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %I(text, int) FROM PUBLIC', few);
END
$$;

-- Makes the searches of all tables that have a `search` column; after a migration, those that are missing.
CREATE OR REPLACE FUNCTION suite_make_searchable(again boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_unaccent_search();
  PERFORM suite_searchable(oid) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND suite_has_column(oid, 'search')
    AND (again OR to_regprocedure(format('suite_search_few_%s(text,int)', relname)) IS NULL);
END
$$;
SELECT suite_make_searchable(again => true);

-- ---------------------------------------------------------------------------------------------------------------------
-- Messaging: events on their way to consumers, and turns that replicas take.

-- The request that an event comes from, so that the log lines of its consumers name it.
ALTER TABLE outbox ADD COLUMN IF NOT EXISTS request_id text;

-- How far each consumer has read its stream. `stream_created` tells a stream from a later one of the same name.
CREATE TABLE IF NOT EXISTS event_positions (
  consumer       text PRIMARY KEY,
  stream_created text NOT NULL,
  position       bigint NOT NULL
);

-- Events that were read and have not taken effect yet, by the order in which they were read. A lane is taken in one
-- event after the other: `slot` is the same for all events of a record, and each workspace has four lanes of its own.
CREATE TABLE IF NOT EXISTS received_events (
  place        bigint GENERATED ALWAYS AS IDENTITY,
  consumer     text NOT NULL,
  event_id     uuid NOT NULL,
  workspace_id uuid NOT NULL,
  slot         smallint NOT NULL,
  envelope     jsonb NOT NULL,
  attempts     integer NOT NULL DEFAULT 0,
  received_at  timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX IF NOT EXISTS received_events_lane ON received_events (consumer, workspace_id, slot, place);

-- Which of the lanes of a workspace an event of this record is put into.
CREATE OR REPLACE FUNCTION suite_slot(aggregate_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (get_byte(uuid_send(aggregate_id), 15) % 4)::smallint $$;

-- The lanes that have events. Whoever takes one moves `due_at` into the future and keeps it there until he is done; when
-- he dies it comes by itself. `received` counts what was put into the lane, so that none is removed that has just got more.
CREATE TABLE IF NOT EXISTS event_lanes (
  consumer     text NOT NULL,
  workspace_id uuid NOT NULL,
  slot         smallint NOT NULL,
  received     bigint NOT NULL DEFAULT 1,
  due_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  outages      integer NOT NULL DEFAULT 0,
  taken_by     uuid,
  PRIMARY KEY (consumer, workspace_id, slot)
);
CREATE INDEX IF NOT EXISTS event_lanes_due ON event_lanes (due_at);

-- The dead letters of one record: what follows them waits for them.
CREATE INDEX IF NOT EXISTS dead_letters_record ON dead_letters (consumer, (envelope ->> 'aggregate_id'))
  WHERE replayed_at IS NULL;

-- Work that one replica does for all: until when it is taken, and when it is due again.
CREATE TABLE IF NOT EXISTS turns (
  name     text PRIMARY KEY,
  due_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken_by uuid
);

-- Due work of schedules that has failed: how often, why, and when it is tried again. `subject` is a record, or empty for all
-- that is due in the workspace.
CREATE TABLE IF NOT EXISTS postponed_work (
  schedule     text NOT NULL,
  workspace_id uuid NOT NULL,
  subject      text NOT NULL,
  attempts     integer NOT NULL DEFAULT 1,
  reason       text NOT NULL,
  failed_at    timestamptz NOT NULL,
  due_at       timestamptz NOT NULL,
  PRIMARY KEY (schedule, workspace_id, subject)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Stored files: how much of them each workspace has, which plans limit.

-- The stored objects of workspaces, with their sizes. A row goes with its object.
CREATE TABLE IF NOT EXISTS stored_objects (
  workspace_id uuid NOT NULL,
  key          text NOT NULL,
  bytes        bigint NOT NULL,
  PRIMARY KEY (workspace_id, key)
);

-- The sum of a workspace's stored objects in this service: of it the service reports each change, and is answered what others
-- store and how many MiB the plan allows (null for no limit, or as long as nobody has answered).
CREATE TABLE IF NOT EXISTS storage_use (
  workspace_id    uuid PRIMARY KEY,
  bytes           bigint NOT NULL DEFAULT 0,
  reported_bytes  bigint NOT NULL DEFAULT 0,
  elsewhere_bytes bigint NOT NULL DEFAULT 0,
  allowed_mb      integer,
  -- Whether files of earlier releases are in the sum, too.
  is_complete     boolean NOT NULL DEFAULT false
);
-- When it was reported last: of those that are reported again and again, the one that has waited longest comes first.
ALTER TABLE storage_use ADD COLUMN IF NOT EXISTS reported_at timestamptz(3);
-- A workspace that is within a fifth of its limit is reported again and again: what others delete gives it room. So is one
-- without a plan, which may have one again.
DROP INDEX IF EXISTS storage_use_due;
CREATE INDEX IF NOT EXISTS storage_use_reports ON storage_use (reported_at)
  WHERE bytes <> reported_bytes OR (bytes + elsewhere_bytes) * 5 >= allowed_mb::bigint * 4194304;
SELECT suite_confine('stored_objects'), suite_confine('storage_use');

-- ---------------------------------------------------------------------------------------------------------------------
-- Visibility inside a workspace. Queries read as suite_viewer; for it each table has a policy that is made from the declared
-- visibility of the table (prisma/visibility.sql). Rules go on working as suite_confined, on all that is true.

-- What the caller sees of a kind of record: all, own, team, none, client or vendor.
CREATE OR REPLACE FUNCTION suite_reach(noun text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(nullif(current_setting('suite.reach', true), '')::jsonb ->> noun, 'none') $$;

-- The users whose records of a kind the caller sees: himself, or his team.
CREATE OR REPLACE FUNCTION suite_people(noun text) RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT CASE suite_reach(noun) WHEN 'team' THEN nullif(current_setting('suite.team', true), '')::uuid[] ELSE '{}' END || suite_actor_id() $$;

-- What the caller is to the workspace: owner, staff, client or vendor.
CREATE OR REPLACE FUNCTION suite_kind() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.kind', true), '') $$;

-- Whether the caller works here: owners and staff, not clients and vendors.
CREATE OR REPLACE FUNCTION suite_is_staff() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(suite_kind() IN ('owner', 'staff'), false) $$;

-- The records that a table of links ties to people. It runs as the owner, past the visibility of the links, which follow
-- the record: a policy that asks them through their own policy would ask itself.
CREATE OR REPLACE FUNCTION suite_linked(links regclass, record text, person text, people uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT %I FROM %s WHERE workspace_id = current_setting(''suite.workspace_id'')::uuid AND %I = ANY($1)', record, links, person)
    USING people;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_linked(regclass, text, text, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_linked(regclass, text, text, uuid[]) TO suite_viewer;

CREATE OR REPLACE FUNCTION suite_visible(target regclass, condition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS suite_visible ON %s', target);
  EXECUTE format(
    'CREATE POLICY suite_visible ON %s FOR SELECT TO suite_viewer
       USING (workspace_id = (SELECT current_setting(''suite.workspace_id'')::uuid) AND (%s))', target, condition);
  EXECUTE format('GRANT SELECT ON %s TO suite_viewer', target);
END
$$;

CREATE OR REPLACE FUNCTION suite_visible_to_nobody(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS suite_visible ON %s', target);
  EXECUTE format('REVOKE ALL ON %s FROM suite_viewer', target);
END
$$;

-- Puts every table under its policies, after each migration. A table of workspaces that nobody has confined is there for
-- the machinery alone; of a table without workspaces, the rights that are granted on it say who may read and write it.
CREATE OR REPLACE FUNCTION suite_force_all_policies() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  target regclass;
  has_workspace boolean;
BEGIN
  FOR target, has_workspace IN
    SELECT oid, suite_has_column(oid, 'workspace_id') FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT (relrowsecurity AND relforcerowsecurity
        AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = 'suite_everywhere'))
  LOOP
    PERFORM suite_force_policies(target);
    IF NOT has_workspace AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = target AND polname = 'suite_shared') THEN
      EXECUTE format('CREATE POLICY suite_shared ON %s USING (true) WITH CHECK (true)', target);
    END IF;
  END LOOP;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO suite_everywhere;
END
$$;

-- No caller sees the tables of the machinery.
DO $$
DECLARE
  own text;
BEGIN
  FOREACH own IN ARRAY suite_machinery_tables() LOOP
    EXECUTE format('REVOKE ALL ON %I FROM suite_viewer', own);
  END LOOP;
END
$$;

-- Refuses a database that has a table of which nobody declared who may see its rows, or one that is not confined.
CREATE OR REPLACE FUNCTION suite_assert_visibility(declared text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing text := (
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      AND NOT starts_with(relname, '_') AND relname <> ALL (declared || suite_machinery_tables()));
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'Nothing says who may see the rows of %.', missing
      USING HINT = 'Declare the visibility of the table in the service, and run "npm run generate".';
  END IF;
  missing := (
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY (declared)
      AND suite_has_column(oid, 'workspace_id')
      AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = 'suite_workspace'));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'Nothing confines % to workspaces.', missing
      USING HINT = 'Say SELECT suite_record(''<table>'') in the migration that makes the table; suite_member where a row has no version.';
  END IF;
  missing := (
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY (declared)
      AND suite_has_column(oid, 'workspace_id') AND suite_has_column(oid, 'version') AND suite_has_column(oid, 'updated_by')
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'suite_touch'));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'Nothing counts the versions of the rows of %.', missing
      USING HINT = 'Say SELECT suite_record(''<table>'') in the migration that makes the table.';
  END IF;
END
$$;
