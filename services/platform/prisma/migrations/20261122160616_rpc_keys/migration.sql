-- The keys of all methods lie in one table of the foundation. Only crm asks for client users. A fingerprint needs a key
-- that no database has, so these keys are bound to nothing; they are deleted within a day.
INSERT INTO rpc_keys (workspace_id, method, key, caller, answer, created_at)
SELECT workspace_id, 'EnsureClientUser', asked.idempotency_key, 'crm',
  jsonb_build_object(
    'created', asked.created,
    'user', jsonb_build_object(
      'user_id', users.id,
      'email', coalesce(users.email, ''),
      'kind', users.kind,
      -- A pending user is answered as they will be when they are confirmed for this call.
      'name', CASE users.status WHEN 'pending' THEN coalesce(asked.name, users.name) ELSE users.name END,
      'phone', coalesce(CASE WHEN users.status = 'pending' AND asked.name IS NOT NULL THEN asked.phone ELSE users.phone END, ''),
      'status', CASE WHEN users.status <> 'pending' THEN users.status WHEN asked.password_hash IS NULL THEN 'invited' ELSE 'active' END)),
  asked.created_at
FROM ensured_users AS asked JOIN users USING (workspace_id) WHERE users.id = asked.user_id;

-- What remains says which users may be confirmed, and with which password.
ALTER TABLE "ensured_users" RENAME TO "client_requests";
ALTER TABLE "client_requests" RENAME CONSTRAINT "ensured_users_pkey" TO "client_requests_pkey";
ALTER TABLE "client_requests" RENAME CONSTRAINT "ensured_users_workspace_id_user_id_fkey" TO "client_requests_workspace_id_user_id_fkey";
ALTER INDEX "ensured_users_workspace_id_user_id_idx" RENAME TO "client_requests_workspace_id_user_id_idx";
ALTER TABLE "client_requests" DROP COLUMN "created",
DROP COLUMN "email",
DROP COLUMN "name",
DROP COLUMN "phone";
