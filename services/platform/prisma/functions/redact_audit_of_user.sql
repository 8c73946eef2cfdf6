-- Removes a deleted user's personal data from the audit log, in the transaction that deletes the user. It refuses a user who
-- is not deleted, and users of another workspace than that of the transaction. It is SQL because it runs as the owner: nobody
-- else may change the log, and requests get this one change of it.
CREATE OR REPLACE FUNCTION redact_audit_of_user(deleted_id uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  personal text[] := ARRAY['name', 'email', 'pending_email', 'phone', 'locale', 'language', 'timezone', 'photo', 'photo_thumbnail'];
  workspace uuid := current_setting('suite.workspace_id')::uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE id = deleted_id AND workspace_id = workspace AND status = 'deleted') THEN
    RAISE EXCEPTION 'Only the audit records of a deleted user lose what is personal.';
  END IF;
  UPDATE audit_log SET before = before - personal, after = after - personal
  WHERE workspace_id = workspace AND table_name = 'users' AND record_id = deleted_id::text;
END
$$;
REVOKE EXECUTE ON FUNCTION redact_audit_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_audit_of_user(uuid) TO suite_confined;
