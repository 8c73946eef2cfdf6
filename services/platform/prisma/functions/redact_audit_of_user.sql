-- Removes a deleted user's personal data from the audit log and the account log. Runs in the transaction that deletes
-- the user. The records of the events and their times are retained. Rejects a user who is not deleted, and a user of
-- another workspace. In SQL because it runs as the owner: no other role may change the logs. This is the only change of
-- the logs that requests can make.
CREATE OR REPLACE FUNCTION redact_audit_of_user(deleted_id uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  personal text[] := ARRAY['name', 'email', 'pending_email', 'phone', 'locale', 'language', 'timezone', 'photo', 'photo_thumbnail'];
  places text[] := ARRAY['address', 'user_agent', 'name', 'allowed_ips', 'settings'];
  workspace uuid := current_setting('suite.workspace_id')::uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM users WHERE id = deleted_id AND workspace_id = workspace AND status = 'deleted') THEN
    RAISE EXCEPTION 'Only audit records of deleted users can be redacted.';
  END IF;
  UPDATE audit_log SET before = before - personal, after = after - personal
  WHERE workspace_id = workspace AND table_name = 'users' AND record_id = deleted_id::text;
  -- For an update, the log contains the changed columns only. A record belongs to the user if any of its entries
  -- contains their `user_id`.
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
