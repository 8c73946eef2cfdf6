-- Integrations: text messages and posts through servers outside, and the keys of what is sealed of them.
-- CreateTable
CREATE TABLE "integrations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "user_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'not_configured',
    "settings" JSONB,
    "secrets_sealed" TEXT,
    "capabilities" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "report_token_hash" TEXT,
    "connected_at" TIMESTAMPTZ(3),
    "connected_by" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integration_health" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "next_retry_at" TIMESTAMPTZ(3),
    "last_sync_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "error_at" TIMESTAMPTZ(3),
    "error_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "integration_health_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sms_messages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "to" TEXT NOT NULL,
    "text" TEXT,
    "text_sealed" TEXT,
    "purpose" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "provider_id" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "failure_code" TEXT,
    "failure" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sms_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "social_apps" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "server_url" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "social_apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "social_authorizations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "server_url" TEXT NOT NULL,
    "state_hash" TEXT NOT NULL,
    "verifier_sealed" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "social_authorizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "social_posts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "text" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "language" TEXT,
    "media" JSONB NOT NULL DEFAULT '[]',
    "scheduled_at" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(3),
    "server_url" TEXT,
    "remote_id" TEXT,
    "url" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "failure_code" TEXT,
    "failure" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "social_posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "data_keys" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "purpose" TEXT NOT NULL DEFAULT 'values',
    "wrapped" TEXT NOT NULL,
    "master" TEXT NOT NULL,
    "current" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "integrations_workspace_id_user_id_idx" ON "integrations"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "integrations_workspace_id_id_key" ON "integrations"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "integration_health_workspace_id_id_key" ON "integration_health"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "sms_messages_workspace_id_created_at_id_idx" ON "sms_messages"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "sms_messages_workspace_id_updated_at_id_idx" ON "sms_messages"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "sms_messages_workspace_id_provider_id_idx" ON "sms_messages"("workspace_id", "provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "sms_messages_workspace_id_id_key" ON "sms_messages"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "social_apps_workspace_id_id_key" ON "social_apps"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "social_apps_workspace_id_server_url_key" ON "social_apps"("workspace_id", "server_url");

-- CreateIndex
CREATE INDEX "social_authorizations_workspace_id_user_id_idx" ON "social_authorizations"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "social_authorizations_workspace_id_id_key" ON "social_authorizations"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "social_authorizations_workspace_id_state_hash_key" ON "social_authorizations"("workspace_id", "state_hash");

-- CreateIndex
CREATE INDEX "social_posts_workspace_id_created_at_id_idx" ON "social_posts"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "social_posts_workspace_id_updated_at_id_idx" ON "social_posts"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "social_posts_workspace_id_id_key" ON "social_posts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "data_keys_workspace_id_id_key" ON "data_keys"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "integration_health" ADD CONSTRAINT "integration_health_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "integrations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "social_authorizations" ADD CONSTRAINT "social_authorizations_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE integrations
  ALTER COLUMN capabilities SET NOT NULL,
  ADD CONSTRAINT integrations_name CHECK (name IN ('todolist', 'smsgateway', 'socialpost')),
  ADD CONSTRAINT integrations_status CHECK (status IN ('not_configured', 'connected', 'error', 'disabled')),
  ADD CONSTRAINT integrations_scope CHECK ((name = 'todolist') = (user_id IS NOT NULL)),
  ADD CONSTRAINT integrations_configured CHECK ((status = 'not_configured') = (secrets_sealed IS NULL));
-- One of each for the workspace, and one to-do list for each user.
CREATE UNIQUE INDEX integrations_owner ON integrations (workspace_id, name, user_id) NULLS NOT DISTINCT;

ALTER TABLE sms_messages
  ADD CONSTRAINT sms_messages_to CHECK ("to" ~ '^\+[1-9][0-9]{6,14}$'),
  ADD CONSTRAINT sms_messages_purpose CHECK (purpose IN ('reminder', 'second_factor', 'notice')),
  ADD CONSTRAINT sms_messages_status CHECK (status IN ('queued', 'sent', 'delivered', 'failed')),
  ADD CONSTRAINT sms_messages_text CHECK (CASE purpose WHEN 'second_factor' THEN text IS NULL ELSE text IS NOT NULL AND text_sealed IS NULL END);
ALTER TABLE social_posts
  ADD CONSTRAINT social_posts_visibility CHECK (visibility IN ('public', 'unlisted', 'private')),
  ADD CONSTRAINT social_posts_status CHECK (status IN ('queued', 'published', 'failed')),
  ADD CONSTRAINT social_posts_published CHECK ((status = 'published') = (remote_id IS NOT NULL));
-- The schedules look for what is due in each workspace.
CREATE INDEX sms_messages_due ON sms_messages (workspace_id, next_attempt_at, id) WHERE status = 'queued';
CREATE INDEX sms_messages_erasable ON sms_messages (workspace_id, created_at) WHERE text_sealed IS NOT NULL;
CREATE INDEX social_posts_due ON social_posts (workspace_id, next_attempt_at, id) WHERE status = 'queued';

CREATE UNIQUE INDEX data_keys_current_key ON data_keys (workspace_id, purpose) WHERE current;
CREATE INDEX data_keys_master_idx ON data_keys (workspace_id, master);
ALTER TABLE data_keys ADD CONSTRAINT data_keys_purpose CHECK (purpose IN ('values', 'index'));

-- What messages say is in no log, and of secrets only that they changed.
SELECT suite_record('integrations', 'sealed:secrets_sealed', 'report_token_hash'),
  suite_record('sms_messages', 'text', 'sealed:text_sealed'), suite_record('social_posts');
SELECT suite_member('social_apps', 'sealed:client_secret_sealed'), suite_member('data_keys', 'wrapped');
-- How calls go, and authorizations that live ten minutes, are no decisions of anybody.
SELECT suite_confine('integration_health'), suite_confine('social_authorizations');
