-- Takes a deleted user's personal data out of the audit log, in the transaction that deletes them. It runs as the owner, since
-- nobody else may change the log, and it does nothing else: the user must be deleted, in the workspace of the transaction.
CREATE FUNCTION redact_audit_of_user(deleted_id uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
