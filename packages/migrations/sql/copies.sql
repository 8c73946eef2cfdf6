-- ---------------------------------------------------------------------------------------------------------------------
-- Copies that requests write from the owner's response. A request reads the record before its transaction, so that its copy can be
-- older than an event that this service has processed since. Transactions that write copies of a record therefore share a lock,
-- and its consumer excludes them: it waits for their rows before it updates all copies, and later rows get the state that it stored.

-- Newest known states of other services' records, with the fields that this service copies.
CREATE TABLE IF NOT EXISTS known_records (
  workspace_id uuid NOT NULL,
  noun         text NOT NULL, -- the kind of record, such as finance.customer
  record_id    uuid NOT NULL,
  version      integer NOT NULL, -- of the record in the service that owns it
  fields       jsonb NOT NULL, -- the values by published field
  PRIMARY KEY (workspace_id, noun, record_id)
);
SELECT suite_confine('known_records');

-- Lock between transactions that write copies of a record and the consumer of its events.
CREATE OR REPLACE FUNCTION suite_copy_lock(noun text, workspace uuid, record uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT hashtextextended('copy ' || noun || workspace || record, 0) $$;

-- Stores the state of a record, unless a newer state is known. Returns the newest fields. Consumers lock the record exclusively, and
-- then update its copies. Requests share the lock. They wait for each other only if the first one stores a new state.
CREATE OR REPLACE FUNCTION suite_store_state(noun text, record uuid, version int, fields jsonb, exclusive boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := current_setting('suite.workspace_id')::uuid;
  place bigint := suite_copy_lock(noun, workspace, record);
  newest jsonb;
BEGIN
  IF exclusive THEN
    PERFORM pg_advisory_xact_lock(place);
  ELSE
    PERFORM pg_advisory_xact_lock_shared(place);
  END IF;
  SELECT known.fields INTO newest FROM known_records AS known
  WHERE known.workspace_id = workspace AND known.noun = suite_store_state.noun AND known.record_id = record
    AND (known.version > suite_store_state.version OR (known.version = suite_store_state.version AND known.fields = suite_store_state.fields));
  IF newest IS NULL THEN
    INSERT INTO known_records AS known (workspace_id, noun, record_id, version, fields) VALUES (workspace, noun, record, version, fields)
    ON CONFLICT ON CONSTRAINT known_records_pkey DO UPDATE SET version = excluded.version, fields = excluded.fields
    WHERE known.version <= excluded.version;
    SELECT known.fields INTO newest FROM known_records AS known
    WHERE known.workspace_id = workspace AND known.noun = suite_store_state.noun AND known.record_id = record;
  END IF;
  RETURN newest;
END
$$;

-- Returns the newest known fields of a record for a row with its copy. Null if no state is known.
CREATE OR REPLACE FUNCTION suite_newest_fields(noun text, workspace uuid, record uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  newest jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(suite_copy_lock(noun, workspace, record));
  SELECT known.fields INTO newest FROM known_records AS known
  WHERE known.workspace_id = workspace AND known.noun = suite_newest_fields.noun AND known.record_id = record;
  RETURN newest;
END
$$;

-- Makes rows with a copy get the newest known fields when they are inserted, or when `record` names a record. `copied` has the
-- fields by column. An update of the copy alone remains unchanged, because only consumers make it, also in the previous release.
CREATE OR REPLACE FUNCTION suite_copies(target regclass, record text, noun text, copied jsonb) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  label text := 'suite_copies_' || md5(concat_ws(' ', target, record, noun, copied));
  assignments text := (
    SELECT string_agg(format('IF known ? %1$L THEN NEW.%2$I := known ->> %1$L; END IF;', value, key), ' ') FROM jsonb_each_text(copied));
BEGIN
  EXECUTE format($f$CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      known jsonb := suite_newest_fields(%L, NEW.workspace_id, NEW.%I);
    BEGIN
      %s
      RETURN NEW;
    END $$$f$, label, noun, record, assignments);
  EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE OF %I ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION %I()',
    label, record, target, record, label);
END
$body$;

-- Drops everything that suite_copies has created. All declared copies are then created again.
CREATE OR REPLACE FUNCTION suite_copies_no_more() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made regprocedure;
BEGIN
  FOR made IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname ~ '^suite_copies_[0-9a-f]{32}$' LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', made);
  END LOOP;
END
$$;
