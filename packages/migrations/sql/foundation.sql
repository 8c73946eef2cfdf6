-- Foundation of every service's database: access to rows, journal, schedules and search.
-- Applied before a service's own migrations. Compatible with PostgreSQL 16 and later. Can be applied again.
-- suite_machinery_tables(), which is generated with this file, returns the tables that this file creates.

-- The owner of the tables is a role without login. Requests log in as a role without privileges of its own, and run as
-- suite_confined, which accesses all data of one workspace, or as suite_viewer, which reads the rows that its caller sees.
-- Internal work across workspaces (relay, inbox, look-ups) runs as suite_everywhere, and so do migrations and functions of
-- the owner. A superuser creates the roles: see docs/operating.md, "PostgreSQL".
DO $$
DECLARE
  missing text := (
    SELECT string_agg(name, ', ') FROM unnest(ARRAY['suite_confined', 'suite_viewer', 'suite_everywhere']) AS name
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name));
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'The role % is missing: create it as a superuser, see docs/operating.md, "PostgreSQL".', missing;
  END IF;
  IF NOT pg_has_role('suite_everywhere', 'USAGE') THEN
    RAISE EXCEPTION '% is not a member of suite_everywhere: grant it as a superuser, see docs/operating.md, "PostgreSQL".', current_user;
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO suite_confined, suite_viewer, suite_everywhere;

CREATE OR REPLACE FUNCTION suite_has_column(target oid, name text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = target AND attname = name AND NOT attisdropped)
$$;

-- User of the running transaction. Null for automatic work.
CREATE OR REPLACE FUNCTION suite_actor_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.actor_id', true), '')::uuid $$;

-- Processed events of each consumer, written in the transaction of their effect.
CREATE TABLE IF NOT EXISTS inbox (
  consumer    text NOT NULL,
  event_id    uuid NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX IF NOT EXISTS inbox_received ON inbox (received_at);

-- Events whose processing failed for good, with the reason. Stored until they are replayed.
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

-- Responses to requests with an Idempotency-Key, stored for 24 hours.
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

-- Keys of calls between services, each written in the transaction of its effect. Keys have no expiry: another service may
-- repeat a call after any delay, and an undone effect must not happen again. A service deletes the keys of deleted records.
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

-- Repairs of remote steps after databases were restored to different times (npm run reconcile). The schedule of the step makes
-- the request again, or has it undone, and deletes the row.
CREATE TABLE IF NOT EXISTS step_repairs (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL,
  step         text NOT NULL,
  key          text NOT NULL, -- the idempotency key of the attempt
  action       text NOT NULL CHECK (action IN ('repeat', 'undo')),
  attempt      integer NOT NULL,
  columns      jsonb NOT NULL, -- of the attempt, by name
  asked_by     uuid NOT NULL, -- the user for whom the other service is called
  requested_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (workspace_id, step, key)
);

-- Records that are being deleted, in this service or in the service that owns them. New references to them are rejected.
-- A fence expires, so that a crashed deletion does not block references for long.
CREATE TABLE IF NOT EXISTS deletion_fences (
  workspace_id uuid NOT NULL,
  noun         text NOT NULL, -- the kind of record, such as finance.customer
  record_id    uuid NOT NULL,
  deletion_id  uuid NOT NULL, -- the attempt that the fence belongs to
  until        timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, noun, record_id)
);

-- Grants suite_everywhere access to all rows of a table. All other roles need a policy, the owner included.
CREATE OR REPLACE FUNCTION suite_force_policies(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('DROP POLICY IF EXISTS suite_everywhere ON %s', target);
  EXECUTE format('CREATE POLICY suite_everywhere ON %s TO suite_everywhere USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO suite_everywhere', target);
END
$$;

-- Confines a table to the workspace of the transaction. A transaction without a workspace fails instead of returning all
-- rows.
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

-- Records the stored object of a row for removal (fileRemoval), if the row is deleted or refers to another object. The argument
-- is the column with its key. This is SQL because cascades also delete files, and no code runs for these deletions.
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

-- Sets the user and time of the last change, and counts the changes. Encrypting a value again or reordering a column is no
-- change for readers.
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

-- Returns a row without the excluded columns. A placeholder replaces each encrypted value.
CREATE OR REPLACE FUNCTION suite_logged(logged jsonb, arguments text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (logged - arguments) || coalesce((
  SELECT jsonb_object_agg(name, '[sealed]') FROM (SELECT substr(argument, 8) AS name FROM unnest(arguments) AS argument WHERE argument LIKE 'sealed:%') AS sealed
  WHERE jsonb_typeof(logged -> name) = 'string'), '{}') $$;

-- Audits a table. A trigger with transition tables supports one kind of statement, so there are three.
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

-- Business record: confined, versioned and audited. `hidden` names columns that the journal excludes. For `sealed:column`,
-- the journal has the change without the value.
CREATE OR REPLACE FUNCTION suite_record(target regclass, VARIADIC hidden text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_member(target, VARIADIC hidden);
  EXECUTE format('CREATE OR REPLACE TRIGGER suite_touch BEFORE UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION suite_touch()', target);
END
$$;

-- Row of a record without a version of its own, such as a label of a lead: confined and audited.
CREATE OR REPLACE FUNCTION suite_member(target regclass, VARIADIC hidden text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_confine(target);
  PERFORM suite_audited(target, VARIADIC hidden);
END
$$;

-- White-label instance of the transaction and the mode of its token. Null for other callers.
CREATE OR REPLACE FUNCTION suite_instance_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.wl_instance_id', true), '')::uuid $$;
CREATE OR REPLACE FUNCTION suite_instance_mode() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.wl_mode', true), '') $$;

-- Confines rows of white-label instances, in a table that may have rows of workspaces as well. The column `provider_mode`
-- separates changes with a test token from changes with a live token.
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

-- Rows that the application inserts and never changes.
CREATE OR REPLACE FUNCTION suite_append_only(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('REVOKE UPDATE, DELETE ON %s FROM suite_confined', target);
END
$$;

SELECT suite_confine('idempotency_keys'), suite_confine('rpc_keys'), suite_confine('step_repairs'), suite_confine('deletion_fences');
GRANT SELECT, INSERT ON inbox TO suite_confined;

-- Lock between transactions that refer to a record and transactions that delete it.
CREATE OR REPLACE FUNCTION suite_reference_lock(noun text, workspace uuid, record uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended(noun || workspace || record, 0) $$;

-- Rejects references to records that are being deleted. Runs in the transaction that writes the references: either it reads
-- the fence, or the deletion waits for its end and counts its references. Reads as the owner, regardless of the role.
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

-- Creates the fence of a deletion, after the transactions that are currently writing references to the record. Replaces the
-- fence of an earlier attempt.
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

-- Makes a table reject references to records that are being deleted. `records` is an SQL expression over the row `given`.
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

-- Drops everything that suite_refers has created. All declared references are then created again.
CREATE OR REPLACE FUNCTION suite_refers_no_more() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made regprocedure;
BEGIN
  FOR made IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname ~ '^suite_refers_[0-9a-f]{32}_' LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', made);
  END LOOP;
END
$$;

-- Text without accents: "Müller" is found by "muller", and vice versa. Needs no extension and is immutable, so that stored
-- columns and indexes can use it. ASCII text is returned unchanged, at the cost of counting its bytes. Long text is
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

-- Domains of e-mail addresses in a text, and each of their parts.
CREATE OR REPLACE FUNCTION suite_address_words(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT coalesce(string_agg(' ' || part[1] || ' ' || part[2] || ' ' || translate(part[1] || ' ' || part[2], '.+_-', '    '), ''), '')
    FROM regexp_matches(suite_unaccented(given), '([^[:space:]@]+)@([^[:space:]@]+)', 'g') AS part);

-- Text as a search document. E-mail addresses are also found by their domain and by each of their parts. Every written row
-- runs it, so ASCII text without an address runs no other SQL function. That takes a third of the time.
CREATE OR REPLACE FUNCTION suite_document(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig,
    CASE WHEN octet_length(given) = char_length(given) THEN given ELSE suite_unaccented(given) END
    || CASE WHEN position('@' IN given) = 0 THEN '' ELSE suite_address_words(given) END);

-- Search input as a query: each word matches as a prefix.
CREATE OR REPLACE FUNCTION suite_query(typed text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_tsquery('simple', coalesce(string_agg(quote_literal(word) || ':*', ' & '), ''))
  FROM regexp_split_to_table(lower(suite_unaccented(typed)), '[^[:alnum:]@.+_-]+') AS word WHERE word <> '' $$;

-- Makes the `search` columns of all tables contain search documents. Migrations write them with to_tsvector('simple', …),
-- which preserves accents and whole e-mail addresses. Their indexes are created again.
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

-- Newest 10,001 records of the workspace whose `search` column matches the input. Runs as the owner, because row-level
-- security would prevent the planner from using the search index.
CREATE OR REPLACE FUNCTION suite_search(target regclass, typed text) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT %I($1)', 'suite_search_' || target) USING typed;
END
$$;
REVOKE EXECUTE ON FUNCTION suite_search(regclass, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION suite_search(regclass, text) TO suite_confined, suite_viewer;

-- Newest of these records, at most the requested number.
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

-- The search document of a table: its `search` column, or the expression of its search index. An index needs no rewrite of a
-- filled table, so later migrations add one instead of a column.
CREATE OR REPLACE FUNCTION suite_search_words_of(target regclass) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN suite_has_column(target, 'search') THEN 'search' ELSE (
    SELECT pg_get_indexdef(indexrelid, 2, true) FROM pg_index
    WHERE indrelid = target AND indkey[1] = 0 AND pg_get_indexdef(indexrelid, 2, true) LIKE 'suite_document(%'
    ORDER BY indexrelid LIMIT 1) END $$;

-- Search of one table. Each table has its own function, whose plans are cached, because planning costs more than finding. The
-- search index looks up a prefix in all workspaces first, so a small workspace is read directly. One plan serves workspaces of
-- any size, because it never reads a whole table.
CREATE OR REPLACE FUNCTION suite_searchable(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'suite_search_' || target;
  few text := 'suite_search_few_' || target;
  words text := suite_search_words_of(target);
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION %I(typed text) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $search$
    DECLARE
      of_workspace uuid := current_setting(''suite.workspace_id'')::uuid;
      wanted tsquery := suite_query(typed);
    BEGIN
      IF EXISTS (SELECT FROM %s WHERE workspace_id = of_workspace OFFSET 500) THEN
        RETURN QUERY SELECT id FROM %2$s WHERE workspace_id = of_workspace AND %3$s @@ wanted ORDER BY id DESC LIMIT 10001;
      ELSE
        RETURN QUERY SELECT id FROM (SELECT id, %3$s AS search FROM %2$s WHERE workspace_id = of_workspace OFFSET 0) AS own
          WHERE search @@ wanted ORDER BY id DESC;
      END IF;
    END
    $search$', name, target, words);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %I(text) FROM PUBLIC', name);
  -- The search index finds up to ten times the requested matches, and sorting their IDs costs less than reading the words of
  -- other rows. A more frequent word is found in the newest rows, because the index would first collect all its matches.
  EXECUTE format('CREATE OR REPLACE FUNCTION %I(typed text, most int) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $search$
    DECLARE
      of_workspace uuid := current_setting(''suite.workspace_id'')::uuid;
      wanted tsquery := suite_query(typed);
      matches uuid[];
    BEGIN
      matches := ARRAY(SELECT id FROM %s WHERE workspace_id = of_workspace AND %3$s @@ wanted LIMIT 10 * most + 1);
      IF cardinality(matches) > 10 * most THEN
        matches := ARRAY(SELECT id FROM (
            SELECT id, %3$s AS search FROM %2$s WHERE workspace_id = of_workspace ORDER BY id DESC LIMIT 10 * most) AS newest
          WHERE search @@ wanted ORDER BY id DESC LIMIT most);
        IF cardinality(matches) < most THEN
          matches := ARRAY(SELECT id FROM %2$s WHERE workspace_id = of_workspace AND %3$s @@ wanted ORDER BY id DESC LIMIT most);
        END IF;
      ELSIF cardinality(matches) > most THEN
        matches := ARRAY(SELECT id FROM unnest(matches) AS id ORDER BY id DESC LIMIT most);
      END IF;
      RETURN QUERY SELECT unnest(matches);
    END
    $search$', name, target, words);
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
      matches := ARRAY(SELECT id FROM %s WHERE workspace_id = of_workspace AND %3$s @@ wanted LIMIT most + 1);
      IF cardinality(matches) <= most THEN
        RETURN QUERY SELECT unnest(matches);
      ELSE
        RETURN NEXT NULL;
      END IF;
    END
    $search$', few, target, words);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %I(text, int) FROM PUBLIC', few);
END
$$;

-- Creates the search functions of all tables with a `search` column. After a migration, creates the missing ones.
CREATE OR REPLACE FUNCTION suite_make_searchable(again boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM suite_unaccent_search();
  PERFORM suite_searchable(oid) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND suite_search_words_of(oid) IS NOT NULL
    AND (again OR to_regprocedure(format('suite_search_few_%s(text,int)', relname)) IS NULL);
END
$$;
SELECT suite_make_searchable(again => true);

-- ---------------------------------------------------------------------------------------------------------------------
-- Messaging: events on their way to consumers, and leases of replicas.

-- Position of each consumer in its stream. `stream_created` distinguishes a stream from a later one of the same name.
CREATE TABLE IF NOT EXISTS event_positions (
  consumer       text PRIMARY KEY,
  stream_created text NOT NULL,
  position       bigint NOT NULL
);

-- Received events that are not processed yet, in the order of receipt. The events of a partition are processed one after the
-- other. `slot` is the same for all events of a record, and each workspace has four partitions.
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

-- Partition of a record's events within its workspace.
CREATE OR REPLACE FUNCTION suite_slot(aggregate_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (get_byte(uuid_send(aggregate_id), 15) % 4)::smallint $$;

-- Partitions with events. The replica that processes a partition postpones `due_at` until it has finished. If the replica dies,
-- the partition becomes due again. `received` counts the events of the partition, so that a partition with new events is not
-- removed.
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

-- Dead letters of one record. Later events of the record wait until they are replayed.
CREATE INDEX IF NOT EXISTS dead_letters_record ON dead_letters (consumer, (envelope ->> 'aggregate_id'))
  WHERE replayed_at IS NULL;

-- Leases of scheduled jobs: holder and next due time.
CREATE TABLE IF NOT EXISTS turns (
  name     text PRIMARY KEY,
  due_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken_by uuid
);

-- Failed jobs of schedules: number of attempts, reason and time of the next attempt. `subject` is a record, or empty for all
-- due work of the workspace.
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
-- Stored files: the storage of each workspace, which plans limit.

-- Stored objects of workspaces, with their sizes. A row is deleted with its object.
CREATE TABLE IF NOT EXISTS stored_objects (
  workspace_id uuid NOT NULL,
  key          text NOT NULL,
  bytes        bigint NOT NULL,
  PRIMARY KEY (workspace_id, key)
);

-- Storage of a workspace in this service. The service reports each change, and the response has the storage in other services
-- and the limit of the plan in MiB (null for no limit, or before the first response).
CREATE TABLE IF NOT EXISTS storage_use (
  workspace_id    uuid PRIMARY KEY,
  bytes           bigint NOT NULL DEFAULT 0,
  reported_bytes  bigint NOT NULL DEFAULT 0,
  elsewhere_bytes bigint NOT NULL DEFAULT 0,
  allowed_mb      integer,
  -- Whether the sum includes files of earlier releases.
  is_complete     boolean NOT NULL DEFAULT false
);
-- Time of the last report. Among workspaces with repeated reports, the oldest report is renewed first.
ALTER TABLE storage_use ADD COLUMN IF NOT EXISTS reported_at timestamptz(3);
-- The storage of a workspace is reported repeatedly from four fifths of its limit, because deletions in other services free
-- storage. The same applies without a plan, because the workspace may get one.
DROP INDEX IF EXISTS storage_use_due;
CREATE INDEX IF NOT EXISTS storage_use_reports ON storage_use (reported_at)
  WHERE bytes <> reported_bytes OR (bytes + elsewhere_bytes) * 5 >= allowed_mb::bigint * 4194304;
SELECT suite_confine('stored_objects'), suite_confine('storage_use');

-- ---------------------------------------------------------------------------------------------------------------------
-- Visibility inside a workspace. Queries read as suite_viewer, for which each table has a policy. Policies are created from the
-- declared visibility of the table (prisma/visibility.sql). Rules read all data, as suite_confined.

-- Access of the caller to a kind of record: all, own, team, none, client or vendor.
CREATE OR REPLACE FUNCTION suite_reach(noun text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(nullif(current_setting('suite.reach', true), '')::jsonb ->> noun, 'none') $$;

-- Users whose records of a kind the caller sees: the caller, or their team.
CREATE OR REPLACE FUNCTION suite_people(noun text) RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT CASE suite_reach(noun) WHEN 'team' THEN nullif(current_setting('suite.team', true), '')::uuid[] ELSE '{}' END || suite_actor_id() $$;

-- Role of the caller in the workspace: owner, staff, client or vendor.
CREATE OR REPLACE FUNCTION suite_kind() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('suite.kind', true), '') $$;

-- Whether the caller is an owner or staff user, and not a client or vendor.
CREATE OR REPLACE FUNCTION suite_is_staff() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(suite_kind() IN ('owner', 'staff'), false) $$;

-- Records that a table of links connects to users. Runs as the owner, because the visibility of links follows the record: a
-- policy that queries the links would query itself.
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

-- Forces the policies of every table, after each migration. Only internal work accesses a workspace table without a policy. For
-- a table without workspaces, the granted privileges decide.
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

-- No caller sees internal tables.
DO $$
DECLARE
  own text;
BEGIN
  FOREACH own IN ARRAY suite_machinery_tables() LOOP
    IF to_regclass(own) IS NOT NULL THEN
      EXECUTE format('REVOKE ALL ON %I FROM suite_viewer', own);
    END IF;
  END LOOP;
END
$$;

-- Rejects a database with a table that has no declared visibility, or that is not confined.
CREATE OR REPLACE FUNCTION suite_assert_visibility(declared text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing text := (
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      AND NOT starts_with(relname, '_') AND relname <> ALL (declared || suite_machinery_tables()));
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'The table % has no declared visibility.', missing
      USING HINT = 'Declare the visibility of the table in the service, and run "npm run generate".';
  END IF;
  missing := (
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY (declared)
      AND suite_has_column(oid, 'workspace_id')
      AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = 'suite_workspace'));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'The table % is not confined to workspaces.', missing
      USING HINT = 'Add SELECT suite_record(''<table>'') to the migration of the table, or suite_member if its rows have no version.';
  END IF;
  missing := (
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY (declared)
      AND suite_has_column(oid, 'workspace_id') AND suite_has_column(oid, 'version') AND suite_has_column(oid, 'updated_by')
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'suite_touch'));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'The table % has no version trigger.', missing
      USING HINT = 'Add SELECT suite_record(''<table>'') to the migration of the table.';
  END IF;
END
$$;
