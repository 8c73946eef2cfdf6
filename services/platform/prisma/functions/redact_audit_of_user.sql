-- Removes a deleted user's personal data from the audit log and from the log of the account, in the transaction that deletes
-- the user: what happened stays, and when. It refuses a user who is not deleted, and users of another workspace than that of the
-- transaction. It is SQL because it runs as the owner: nobody else may change the logs, and requests get this one change of them.
CREATE OR REPLACE FUNCTION redact_audit_of_user(deleted_id uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  personal text[] := ARRAY['name', 'email', 'pending_email', 'phone', 'locale', 'language', 'timezone', 'photo', 'photo_thumbnail'];
  places text[] := ARRAY['address', 'user_agent', 'name', 'allowed_ips', 'settings'];
  workspace uuid := current_setting('suite.workspace_id')::uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE id = deleted_id AND workspace_id = workspace AND status = 'deleted') THEN
    RAISE EXCEPTION 'Only the audit records of a deleted user lose what is personal.';
  END IF;
  UPDATE audit_log SET before = before - personal, after = after - personal
  WHERE workspace_id = workspace AND table_name = 'users' AND record_id = deleted_id::text;
  -- Of an update the log has the columns that changed alone: the records are those of which it has all once.
  WITH own AS (
    SELECT DISTINCT table_name, record_id FROM audit_log
    WHERE workspace_id = workspace AND table_name IN ('sessions', 'api_keys', 'integrations')
      AND coalesce(after, before) ->> 'user_id' = deleted_id::text)
  UPDATE audit_log SET before = before - places, after = after - places
  FROM own WHERE workspace_id = workspace AND audit_log.table_name = own.table_name AND audit_log.record_id = own.record_id;
  UPDATE audit_log SET before = before - 'to', after = after - 'to'
  WHERE workspace_id = workspace AND table_name = 'sms_messages'
    AND record_id IN (SELECT id::text FROM sms_messages WHERE workspace_id = workspace AND user_id = deleted_id);
  UPDATE audit_log SET before = before - 'customer_email', after = after - 'customer_email'
  WHERE workspace_id = workspace AND table_name = 'checkout_sessions'
    AND record_id IN (SELECT id::text FROM checkout_sessions WHERE workspace_id = workspace AND created_by = deleted_id);
  UPDATE user_log SET address = '', user_agent = '' WHERE workspace_id = workspace AND user_id = deleted_id;
END
$$;
REVOKE EXECUTE ON FUNCTION redact_audit_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_audit_of_user(uuid) TO suite_confined;
