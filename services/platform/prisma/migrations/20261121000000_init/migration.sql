-- Workspaces, users, roles and the credentials that prove who somebody is. The tables and keys follow schema.prisma;
-- below them stands what Prisma cannot say: confinement, audit, rules that no row may break, and the plans.

-- CreateTable
CREATE TABLE "plans" (
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "modules" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "user_limit" INTEGER,
    "trial_days" INTEGER NOT NULL DEFAULT 0,
    "is_public" BOOLEAN NOT NULL DEFAULT true,
    "position" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',

    CONSTRAINT "plans_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "plan_code" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "timezone" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "country" TEXT,
    "fiscal_year_start" TEXT NOT NULL DEFAULT '01-01',
    "week_start" SMALLINT NOT NULL DEFAULT 1,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "roles" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "system" BOOLEAN NOT NULL DEFAULT false,
    "permissions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "record_scopes" JSONB NOT NULL DEFAULT '{}',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "pending_email" TEXT,
    "email_verified_at" TIMESTAMPTZ(3),
    "kind" TEXT NOT NULL,
    "role_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'invited',
    "phone" TEXT,
    "photo" TEXT,
    "photo_thumbnail" TEXT,
    "locale" TEXT,
    "language" TEXT,
    "timezone" TEXT,
    "employee_id" UUID,
    "customer_id" UUID,
    "vendor_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "search" tsvector GENERATED ALWAYS AS (
        to_tsvector('simple', name || ' ' || coalesce(email, '') || ' ' || translate(coalesce(email, ''), '@.+_-', '     ') || ' ' || coalesce(phone, ''))
    ) STORED,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passwords" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "hash" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passwords_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL DEFAULT 'web',
    "user_agent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "session_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "spent_at" TIMESTAMPTZ(3),
    "child_salt" TEXT,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "allowed_ips" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "last_uses" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT NOT NULL,

    CONSTRAINT "last_uses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "one_time_links" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outgoing_mail" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "letter" TEXT NOT NULL,
    "email" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "give_up_at" TIMESTAMPTZ(3) NOT NULL,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "outgoing_mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_log" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "subject_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ensured_users" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "idempotency_key" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ensured_users_pkey" PRIMARY KEY ("workspace_id","idempotency_key")
);

-- CreateTable
CREATE TABLE "login_allowances" (
    "account_hash" TEXT NOT NULL,
    "full_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "login_allowances_pkey" PRIMARY KEY ("account_hash")
);

-- CreateTable
CREATE TABLE "discarded_files" (
    "key" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discarded_files_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_slug_key" ON "workspaces"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_workspace_id_id_key" ON "workspaces"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "roles_workspace_id_id_key" ON "roles"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "roles_workspace_id_id_kind_key" ON "roles"("workspace_id", "id", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "roles_workspace_id_key_key" ON "roles"("workspace_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "roles_workspace_id_name_key" ON "roles"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_workspace_id_created_at_id_idx" ON "users"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_kind_status_idx" ON "users"("workspace_id", "kind", "status");

-- CreateIndex
CREATE INDEX "users_workspace_id_role_id_idx" ON "users"("workspace_id", "role_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_workspace_id_id_key" ON "users"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "passwords_workspace_id_id_key" ON "passwords"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "sessions_workspace_id_user_id_revoked_at_idx" ON "sessions"("workspace_id", "user_id", "revoked_at");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_workspace_id_id_key" ON "sessions"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_token_hash_key" ON "refresh_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "refresh_tokens_workspace_id_session_id_idx" ON "refresh_tokens"("workspace_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_workspace_id_id_key" ON "refresh_tokens"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_user_id_idx" ON "api_keys"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_created_at_id_idx" ON "api_keys"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_workspace_id_id_key" ON "api_keys"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "last_uses_workspace_id_id_idx" ON "last_uses"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_links_token_hash_key" ON "one_time_links"("token_hash");

-- CreateIndex
CREATE INDEX "one_time_links_workspace_id_user_id_purpose_idx" ON "one_time_links"("workspace_id", "user_id", "purpose");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_links_workspace_id_id_key" ON "one_time_links"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "outgoing_mail_workspace_id_user_id_idx" ON "outgoing_mail"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "outgoing_mail_workspace_id_id_key" ON "outgoing_mail"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "user_log_workspace_id_created_at_id_idx" ON "user_log"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "user_log_workspace_id_user_id_event_created_at_idx" ON "user_log"("workspace_id", "user_id", "event", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "user_log_workspace_id_id_key" ON "user_log"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "ensured_users_workspace_id_user_id_idx" ON "ensured_users"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "login_allowances_full_at_idx" ON "login_allowances"("full_at");

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plans"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "roles" ADD CONSTRAINT "roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_workspace_id_role_id_kind_fkey" FOREIGN KEY ("workspace_id", "role_id", "kind") REFERENCES "roles"("workspace_id", "id", "kind") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passwords" ADD CONSTRAINT "passwords_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_workspace_id_session_id_fkey" FOREIGN KEY ("workspace_id", "session_id") REFERENCES "sessions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_log" ADD CONSTRAINT "user_log_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ensured_users" ADD CONSTRAINT "ensured_users_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What no row may say, whoever writes it.
ALTER TABLE plans
  ADD CONSTRAINT plans_status CHECK (status IN ('active', 'retired')),
  ADD CONSTRAINT plans_limits CHECK (user_limit > 0 AND trial_days >= 0),
  ALTER COLUMN modules SET NOT NULL;

ALTER TABLE workspaces
  ADD CONSTRAINT workspaces_own_tenant CHECK (workspace_id = id),
  ADD CONSTRAINT workspaces_status CHECK (status IN ('active', 'suspended', 'closed')),
  ADD CONSTRAINT workspaces_slug CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  ADD CONSTRAINT workspaces_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT workspaces_fiscal_year_start CHECK (fiscal_year_start ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'),
  ADD CONSTRAINT workspaces_week_start CHECK (week_start BETWEEN 1 AND 7);

ALTER TABLE roles
  ADD CONSTRAINT roles_kind CHECK (kind IN ('owner', 'staff', 'client', 'vendor')),
  ADD CONSTRAINT roles_rights_in_one_place CHECK (NOT system OR (permissions = '{}' AND record_scopes = '{}')),
  ALTER COLUMN permissions SET NOT NULL;

ALTER TABLE users
  ADD CONSTRAINT users_status CHECK (status IN ('invited', 'active', 'disabled', 'deleted')),
  ADD CONSTRAINT users_email_folded CHECK (email = lower(email) AND pending_email = lower(pending_email)),
  ADD CONSTRAINT users_deleted_keep_nothing CHECK (
    CASE status WHEN 'deleted' THEN num_nonnulls(email, pending_email, phone, photo, photo_thumbnail, locale, language, timezone) = 0 ELSE email IS NOT NULL END);

ALTER TABLE sessions
  ADD CONSTRAINT sessions_purpose CHECK (purpose IN ('web', 'tracker')),
  ADD CONSTRAINT sessions_revoked CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL));

ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_scopes CHECK (cardinality(scopes) > 0),
  ALTER COLUMN scopes SET NOT NULL,
  ALTER COLUMN allowed_ips SET NOT NULL;

ALTER TABLE one_time_links
  ADD CONSTRAINT one_time_links_purpose CHECK (purpose IN ('accept_invitation', 'reset_password', 'verify_email'));

ALTER TABLE outgoing_mail
  ADD CONSTRAINT outgoing_mail_status CHECK (status IN ('queued', 'sent', 'failed', 'cancelled')),
  ADD CONSTRAINT outgoing_mail_letter CHECK (letter IN ('invitation', 'reset_password', 'verify_email', 'email_changed', 'password_changed'));

ALTER TABLE user_log
  ADD CONSTRAINT user_log_event CHECK (event IN (
    'login', 'login_failed', 'logout', 'token_refresh', 'token_reuse', 'password_change', 'password_reset', 'email_change', 'key_create', 'key_revoke'));

-- A session has at most one refresh token that still works: two leaves of one family cannot be written.
CREATE UNIQUE INDEX refresh_tokens_live ON refresh_tokens (workspace_id, session_id) WHERE spent_at IS NULL;
-- What the mail schedule looks for, over all workspaces.
CREATE INDEX outgoing_mail_due ON outgoing_mail (next_at) WHERE status = 'queued';

-- Business records: confined to their workspace, versioned, audited; the named columns never reach the audit log.
SELECT suite_record('workspaces'), suite_record('roles'), suite_record('users'), suite_record('api_keys', 'secret_hash');
-- Audited, but without a version that a caller could hold.
SELECT suite_member('passwords', 'hash'), suite_member('sessions');
-- Machinery that is a log itself or changes without anybody deciding anything: confined only.
SELECT suite_confine('refresh_tokens'), suite_confine('last_uses'), suite_confine('one_time_links'), suite_confine('outgoing_mail'),
  suite_confine('discarded_files'), suite_confine('ensured_users'), suite_confine('user_log');
SELECT suite_append_only('user_log');
-- Plans are everybody's; only a migration changes them. A login allowance knows neither workspace nor user.
GRANT SELECT ON plans TO suite_confined;
GRANT SELECT, INSERT, UPDATE ON login_allowances TO suite_confined;

INSERT INTO plans (code, name, description, modules, user_limit, trial_days, position) VALUES
  ('starter', 'Starter', 'Leads, deals and a product list for a small team.',
    '{crm,products}', 3, 14, 1),
  ('business', 'Business', 'From the first lead to the paid invoice, with stock, projects and support.',
    '{crm,sales,proposals,invoicing,purchasing,accounting,products,warehouse,projects,support,timetracker,api_v1}', 25, 14, 2),
  ('enterprise', 'Enterprise', 'Every module, and as many users as you like.',
    '{crm,sales,proposals,invoicing,purchasing,accounting,products,warehouse,projects,lightproj,pos,support,timetracker,hrm,api_v1,todolist,smsgateway,socialpost,sales_agent}',
    NULL, 30, 3);
