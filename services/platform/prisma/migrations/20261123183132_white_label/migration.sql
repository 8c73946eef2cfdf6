-- CreateTable
CREATE TABLE "wl_instances" (
    "id" UUID NOT NULL,
    "wl_instance_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "secret_number" INTEGER NOT NULL DEFAULT 1,
    "secret_before_until" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "wl_instances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wl_tokens" (
    "id" UUID NOT NULL,
    "wl_instance_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wl_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wl_offers" (
    "wl_instance_id" UUID NOT NULL,
    "plan_code" TEXT NOT NULL,
    "offered" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wl_offers_pkey" PRIMARY KEY ("wl_instance_id","plan_code")
);

-- CreateTable
CREATE TABLE "wl_prices" (
    "wl_instance_id" UUID NOT NULL,
    "plan_code" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "interval" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wl_prices_pkey" PRIMARY KEY ("wl_instance_id","plan_code","currency","interval")
);

-- CreateTable
CREATE TABLE "checkout_sessions" (
    "id" UUID NOT NULL,
    "wl_instance_id" UUID,
    "workspace_id" UUID,
    "provider_mode" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'requested',
    "plan_code" TEXT NOT NULL,
    "interval" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "wholesale_amount" DECIMAL(19,4) NOT NULL,
    "quantity" INTEGER NOT NULL DEFAULT 1,
    "trial_days" INTEGER NOT NULL DEFAULT 0,
    "client_reference" TEXT NOT NULL,
    "customer_email" TEXT NOT NULL,
    "customer_name" TEXT,
    "success_url" TEXT NOT NULL,
    "cancel_url" TEXT NOT NULL,
    "locale" TEXT,
    "timezone" TEXT,
    "country" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "provider_ref" TEXT,
    "url" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "subscription_id" UUID,
    "latest_event_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "checkout_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connect_accounts" (
    "id" UUID NOT NULL,
    "wl_instance_id" UUID NOT NULL,
    "provider_mode" TEXT NOT NULL,
    "provider_account_id" TEXT,
    "country" TEXT NOT NULL,
    "email" TEXT,
    "business_type" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "charges_enabled" BOOLEAN NOT NULL DEFAULT false,
    "payouts_enabled" BOOLEAN NOT NULL DEFAULT false,
    "details_submitted" BOOLEAN NOT NULL DEFAULT false,
    "requirements" JSONB NOT NULL DEFAULT '{}',
    "replaceable" BOOLEAN NOT NULL DEFAULT false,
    "replaced_at" TIMESTAMPTZ(3),
    "links_made_at" TIMESTAMPTZ(3)[],
    "refreshed_at" TIMESTAMPTZ(3)[],
    "latest_event_at" TIMESTAMPTZ(3),
    "synced_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "connect_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbound_events" (
    "id" UUID NOT NULL,
    "wl_instance_id" UUID,
    "provider_mode" TEXT NOT NULL,
    "provider_event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "object_ref" TEXT,
    "subscription_ref" TEXT,
    "account_ref" TEXT,
    "created_at_provider" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'received',
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "error" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbound_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "wl_instances_name_key" ON "wl_instances"("name");

-- CreateIndex
CREATE UNIQUE INDEX "wl_tokens_token_hash_key" ON "wl_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "wl_tokens_wl_instance_id_mode_idx" ON "wl_tokens"("wl_instance_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_sessions_provider_ref_key" ON "checkout_sessions"("provider_ref");

-- CreateIndex
CREATE INDEX "checkout_sessions_wl_instance_id_provider_mode_client_refer_idx" ON "checkout_sessions"("wl_instance_id", "provider_mode", "client_reference");

-- CreateIndex
CREATE INDEX "checkout_sessions_wl_instance_id_provider_mode_customer_ema_idx" ON "checkout_sessions"("wl_instance_id", "provider_mode", "customer_email");

-- CreateIndex
CREATE INDEX "checkout_sessions_workspace_id_idx" ON "checkout_sessions"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "connect_accounts_provider_account_id_key" ON "connect_accounts"("provider_account_id");

-- CreateIndex
CREATE INDEX "connect_accounts_wl_instance_id_provider_mode_idx" ON "connect_accounts"("wl_instance_id", "provider_mode");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_events_provider_event_id_key" ON "inbound_events"("provider_event_id");

-- CreateIndex
CREATE INDEX "inbound_events_wl_instance_id_provider_mode_received_at_id_idx" ON "inbound_events"("wl_instance_id", "provider_mode", "received_at", "id");

-- CreateIndex
CREATE INDEX "inbound_events_status_received_at_idx" ON "inbound_events"("status", "received_at");

-- AddForeignKey
ALTER TABLE "wl_tokens" ADD CONSTRAINT "wl_tokens_wl_instance_id_fkey" FOREIGN KEY ("wl_instance_id") REFERENCES "wl_instances"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wl_offers" ADD CONSTRAINT "wl_offers_wl_instance_id_fkey" FOREIGN KEY ("wl_instance_id") REFERENCES "wl_instances"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wl_prices" ADD CONSTRAINT "wl_prices_wl_instance_id_fkey" FOREIGN KEY ("wl_instance_id") REFERENCES "wl_instances"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_wl_instance_id_fkey" FOREIGN KEY ("wl_instance_id") REFERENCES "wl_instances"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connect_accounts" ADD CONSTRAINT "connect_accounts_wl_instance_id_fkey" FOREIGN KEY ("wl_instance_id") REFERENCES "wl_instances"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What no row may say, whoever writes it.
ALTER TABLE wl_instances
  ADD CONSTRAINT wl_instances_itself CHECK (wl_instance_id = id),
  ADD CONSTRAINT wl_instances_domain CHECK (domain = lower(domain)),
  ADD CONSTRAINT wl_instances_status CHECK (status IN ('active', 'suspended'));
ALTER TABLE wl_tokens
  ADD CONSTRAINT wl_tokens_mode CHECK (mode IN ('live', 'test'));
ALTER TABLE wl_prices
  ADD CONSTRAINT wl_prices_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT wl_prices_interval CHECK ("interval" IN ('month', 'year')),
  ADD CONSTRAINT wl_prices_amount CHECK (amount >= 0),
  ADD CONSTRAINT wl_prices_plan FOREIGN KEY (plan_code) REFERENCES plans (code) ON UPDATE CASCADE;
ALTER TABLE wl_offers
  ADD CONSTRAINT wl_offers_plan FOREIGN KEY (plan_code) REFERENCES plans (code) ON UPDATE CASCADE;
ALTER TABLE checkout_sessions
  ADD CONSTRAINT checkout_sessions_owner CHECK (num_nonnulls(workspace_id, wl_instance_id) = 1),
  ADD CONSTRAINT checkout_sessions_status CHECK (status IN ('requested', 'open', 'complete', 'expired')),
  ADD CONSTRAINT checkout_sessions_open CHECK (status <> 'open' OR (provider_ref IS NOT NULL AND expires_at IS NOT NULL)),
  ADD CONSTRAINT checkout_sessions_mode CHECK (provider_mode IN ('live', 'test')),
  ADD CONSTRAINT checkout_sessions_interval CHECK ("interval" IN ('month', 'year')),
  ADD CONSTRAINT checkout_sessions_amounts CHECK (amount >= 0 AND wholesale_amount BETWEEN 0 AND amount),
  ADD CONSTRAINT checkout_sessions_numbers CHECK (quantity > 0 AND trial_days >= 0),
  ADD CONSTRAINT checkout_sessions_plan FOREIGN KEY (plan_code) REFERENCES plans (code) ON UPDATE CASCADE,
  ADD CONSTRAINT checkout_sessions_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id);
ALTER TABLE connect_accounts
  ADD CONSTRAINT connect_accounts_status CHECK (status IN ('pending', 'restricted', 'enabled', 'disabled')),
  ADD CONSTRAINT connect_accounts_mode CHECK (provider_mode IN ('live', 'test')),
  ADD CONSTRAINT connect_accounts_replaced CHECK (replaced_at IS NULL OR status = 'disabled'),
  ALTER COLUMN links_made_at SET DEFAULT '{}', ALTER COLUMN links_made_at SET NOT NULL,
  ALTER COLUMN refreshed_at SET DEFAULT '{}', ALTER COLUMN refreshed_at SET NOT NULL;
ALTER TABLE inbound_events
  ADD CONSTRAINT inbound_events_status CHECK (status IN ('received', 'processed', 'ignored_stale', 'ignored_unknown', 'failed')),
  ADD CONSTRAINT inbound_events_mode CHECK (provider_mode IN ('live', 'test'));

-- A customer is on one page of the provider at a time, and an instance has one account.
CREATE UNIQUE INDEX checkout_sessions_running ON checkout_sessions (wl_instance_id, provider_mode, client_reference)
  WHERE status IN ('requested', 'open') AND wl_instance_id IS NOT NULL;
CREATE UNIQUE INDEX checkout_sessions_running_own ON checkout_sessions (workspace_id, provider_mode)
  WHERE status IN ('requested', 'open') AND workspace_id IS NOT NULL;
CREATE UNIQUE INDEX connect_accounts_present ON connect_accounts (wl_instance_id, provider_mode) WHERE replaced_at IS NULL;
-- What the schedule looks for, over all instances and workspaces.
CREATE INDEX checkout_sessions_over ON checkout_sessions (expires_at) WHERE status IN ('requested', 'open');
CREATE INDEX subscriptions_unheard ON subscriptions (synced_at) WHERE status NOT IN ('canceled', 'incomplete_expired');

-- Rows of an instance are seen by its own tokens, those of a mode by tokens of that mode.
SELECT suite_confine_to_instance('wl_instances'), suite_audited('wl_instances');
SELECT suite_confine_to_instance('wl_tokens'), suite_audited('wl_tokens', 'token_hash');
SELECT suite_confine_to_instance('wl_offers'), suite_audited('wl_offers');
SELECT suite_confine_to_instance('wl_prices'), suite_audited('wl_prices');
SELECT suite_confine_to_instance('connect_accounts'), suite_audited('connect_accounts');
CREATE TRIGGER suite_touch BEFORE UPDATE ON wl_instances FOR EACH ROW EXECUTE FUNCTION suite_touch();
CREATE TRIGGER suite_touch BEFORE UPDATE ON connect_accounts FOR EACH ROW EXECUTE FUNCTION suite_touch();

-- Checkouts and subscriptions are an instance's or a workspace's; what the provider tells of them comes in for neither.
SELECT suite_record('checkout_sessions', 'url');
SELECT suite_confine_to_instance('checkout_sessions'), suite_confine_to_instance('subscriptions');
DROP POLICY suite_workspace ON checkout_sessions;
CREATE POLICY suite_workspace ON checkout_sessions TO suite_confined
  USING (workspace_id = nullif(current_setting('suite.workspace_id', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('suite.workspace_id', true), '')::uuid);
DROP POLICY suite_workspace ON subscriptions;
CREATE POLICY suite_workspace ON subscriptions TO suite_confined
  USING (workspace_id = nullif(current_setting('suite.workspace_id', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('suite.workspace_id', true), '')::uuid);

-- An event may be about nobody whom we know.
SELECT suite_force_policies('inbound_events');
CREATE POLICY suite_instance ON inbound_events TO suite_confined
  USING (wl_instance_id IS NOT DISTINCT FROM suite_instance_id() AND (wl_instance_id IS NULL OR provider_mode = suite_instance_mode()))
  WITH CHECK (wl_instance_id IS NOT DISTINCT FROM suite_instance_id() AND (wl_instance_id IS NULL OR provider_mode = suite_instance_mode()));
GRANT SELECT, INSERT, UPDATE ON inbound_events TO suite_confined;
