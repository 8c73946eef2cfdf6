-- Removes a deleted user's personal data from the journal and the account log. Runs in the transaction that deletes
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
    RAISE EXCEPTION 'Only the changes of deleted users can be redacted.';
  END IF;
  PERFORM suite_erase_from_journal(workspace, 'users', ARRAY[deleted_id::text], personal);
  -- For an update, the journal contains the changed columns only. A record belongs to the user if any of its changes
  -- contains their `user_id`.
  PERFORM suite_erase_from_journal(workspace, table_name, array_agg(DISTINCT record_id), places) FROM journal_changes
  WHERE workspace_id = workspace AND records @> ARRAY[deleted_id] AND table_name IN ('sessions', 'api_keys', 'integrations')
    AND coalesce(after, before) ->> 'user_id' = deleted_id::text
  GROUP BY table_name;
  IF to_regclass('audit_log') IS NOT NULL THEN
    UPDATE audit_log SET before = before - places, after = after - places
    FROM (
      SELECT DISTINCT table_name, record_id FROM audit_log
      WHERE workspace_id = workspace AND table_name IN ('sessions', 'api_keys', 'integrations')
        AND coalesce(after, before) ->> 'user_id' = deleted_id::text) AS own
    WHERE audit_log.workspace_id = workspace AND audit_log.table_name = own.table_name AND audit_log.record_id = own.record_id;
  END IF;
  PERFORM suite_erase_from_journal(workspace, 'sms_messages', array_agg(id::text), '{to}') FROM sms_messages
  WHERE workspace_id = workspace AND user_id = deleted_id HAVING count(*) > 0;
  PERFORM suite_erase_from_journal(workspace, 'checkout_sessions', array_agg(id::text), '{customer_email}') FROM checkout_sessions
  WHERE workspace_id = workspace AND created_by = deleted_id HAVING count(*) > 0;
  UPDATE user_log SET address = '', user_agent = '' WHERE workspace_id = workspace AND user_id = deleted_id;
END
$$;
REVOKE EXECUTE ON FUNCTION redact_audit_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_audit_of_user(uuid) TO suite_confined;
