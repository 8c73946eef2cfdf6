-- Plans with prices and all their limits; what is paid for a workspace; what it may use because of that.

-- AlterTable
ALTER TABLE "plans" ADD COLUMN     "api_rpm_limit" INTEGER,
ADD COLUMN     "customer_limit" INTEGER,
ADD COLUMN     "features" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "is_recommended" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "storage_limit_mb" INTEGER,
ADD COLUMN     "translations" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "plan_given_at" TIMESTAMPTZ(3),
ADD COLUMN     "trial_ends_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "prices" (
    "id" UUID NOT NULL,
    "plan_code" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "interval" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "per_user" BOOLEAN NOT NULL DEFAULT false,
    "wholesale_amount" DECIMAL(19,4),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "prices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_settings" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "fallback_plan" TEXT,
    "grace_days" INTEGER NOT NULL DEFAULT 7,

    CONSTRAINT "plan_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "wl_instance_id" UUID,
    "client_reference" TEXT,
    "plan_code" TEXT NOT NULL,
    "price_id" UUID,
    "currency" TEXT,
    "interval" TEXT,
    "amount" DECIMAL(19,4),
    "quantity" INTEGER NOT NULL DEFAULT 1,
    "status" TEXT NOT NULL,
    "current_period_start" TIMESTAMPTZ(3),
    "current_period_end" TIMESTAMPTZ(3),
    "trial_end" TIMESTAMPTZ(3),
    "cancel_at_period_end" BOOLEAN NOT NULL DEFAULT false,
    "canceled_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "ended_reason" TEXT,
    "past_due_since" TIMESTAMPTZ(3),
    "next_plan" TEXT,
    "provider_ref" TEXT,
    "provider_mode" TEXT NOT NULL,
    "latest_event_at" TIMESTAMPTZ(3),
    "synced_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entitlements" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "plan_code" TEXT,
    "status" TEXT NOT NULL DEFAULT '',
    "until" TIMESTAMPTZ(3),
    "modules" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "limits" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "entitlements_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "prices_id_plan_code_key" ON "prices"("id", "plan_code");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_provider_ref_key" ON "subscriptions"("provider_ref");

-- CreateIndex
CREATE INDEX "subscriptions_workspace_id_created_at_id_idx" ON "subscriptions"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_workspace_id_updated_at_id_idx" ON "subscriptions"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_wl_instance_id_created_at_id_idx" ON "subscriptions"("wl_instance_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_wl_instance_id_updated_at_id_idx" ON "subscriptions"("wl_instance_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "subscriptions_wl_instance_id_client_reference_idx" ON "subscriptions"("wl_instance_id", "client_reference");

-- AddForeignKey
ALTER TABLE "prices" ADD CONSTRAINT "prices_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plans"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_code_fkey" FOREIGN KEY ("plan_code") REFERENCES "plans"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_plan_fkey" FOREIGN KEY ("next_plan") REFERENCES "plans"("code") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_price_id_plan_code_fkey" FOREIGN KEY ("price_id", "plan_code") REFERENCES "prices"("id", "plan_code") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What no row may say, whoever writes it.
ALTER TABLE plans
  ADD CONSTRAINT plans_more_limits CHECK (customer_limit > 0 AND storage_limit_mb > 0 AND api_rpm_limit > 0),
  ADD CONSTRAINT plans_code CHECK (code ~ '^[a-z][a-z0-9_]{0,39}$'),
  ADD CONSTRAINT plans_texts CHECK (jsonb_typeof(features) = 'array' AND jsonb_typeof(translations) = 'object');
ALTER TABLE prices
  ADD CONSTRAINT prices_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT prices_interval CHECK ("interval" IN ('month', 'year')),
  ADD CONSTRAINT prices_amounts CHECK (amount >= 0 AND wholesale_amount >= 0 AND wholesale_amount <= amount);
ALTER TABLE plan_settings
  ADD CONSTRAINT plan_settings_one_row CHECK (id),
  ADD CONSTRAINT plan_settings_grace CHECK (grace_days BETWEEN 0 AND 90),
  ADD CONSTRAINT plan_settings_fallback FOREIGN KEY (fallback_plan) REFERENCES plans (code);
ALTER TABLE subscriptions
  ADD CONSTRAINT subscriptions_owner CHECK (num_nonnulls(workspace_id, wl_instance_id) > 0),
  ADD CONSTRAINT subscriptions_client_reference CHECK (client_reference IS NULL OR wl_instance_id IS NOT NULL),
  ADD CONSTRAINT subscriptions_status CHECK (
    status IN ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled')),
  ADD CONSTRAINT subscriptions_past_due CHECK (status <> 'past_due' OR past_due_since IS NOT NULL),
  ADD CONSTRAINT subscriptions_interval CHECK ("interval" IN ('month', 'year')),
  ADD CONSTRAINT subscriptions_quantity CHECK (quantity > 0),
  ADD CONSTRAINT subscriptions_ended_reason CHECK (ended_reason IN ('requested', 'unpaid', 'disputed')),
  ADD CONSTRAINT subscriptions_provider_mode CHECK (provider_mode IN ('live', 'test'));
ALTER TABLE entitlements
  ALTER COLUMN modules SET NOT NULL,
  ADD CONSTRAINT entitlements_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  ADD CONSTRAINT entitlements_plan FOREIGN KEY (plan_code) REFERENCES plans (code) ON UPDATE CASCADE;

-- A plan has one price for a currency and an interval at a time.
CREATE UNIQUE INDEX prices_current ON prices (plan_code, currency, "interval") WHERE replaced_at IS NULL;
-- What the schedule looks for, over all workspaces: what ends by time.
CREATE INDEX entitlements_due ON entitlements (until) WHERE until IS NOT NULL;

-- Prices and the operator's decisions are everybody's to read. A price is never changed, only replaced; nobody deletes one.
SELECT suite_force_policies('prices'), suite_force_policies('plan_settings');
CREATE POLICY suite_shared ON prices USING (true) WITH CHECK (true);
CREATE POLICY suite_shared ON plan_settings USING (true) WITH CHECK (true);
REVOKE UPDATE, DELETE ON prices FROM suite_everywhere;
GRANT UPDATE (replaced_at) ON prices TO suite_everywhere;
GRANT SELECT ON prices, plan_settings TO suite_confined;
INSERT INTO plan_settings DEFAULT VALUES;

-- A subscription belongs to the workspace that uses it and to the instance that sold it: each works with the row.
SELECT suite_record('subscriptions');
DROP POLICY suite_workspace ON subscriptions;
CREATE POLICY suite_workspace ON subscriptions TO suite_confined
  USING (current_setting('suite.workspace_id')::uuid IN (workspace_id, wl_instance_id))
  WITH CHECK (current_setting('suite.workspace_id')::uuid IN (workspace_id, wl_instance_id));

SELECT suite_confine('entitlements');
-- Workspaces that there are have what they had: the plan that was given to them.
INSERT INTO entitlements (workspace_id, plan_code, modules, limits)
SELECT workspaces.id, plans.code, CASE workspaces.status WHEN 'active' THEN plans.modules ELSE '{}' END,
  jsonb_build_object('users', user_limit, 'customers', NULL, 'storage_mb', NULL, 'api_rpm', NULL)
FROM workspaces JOIN plans ON plans.code = plan_code;
