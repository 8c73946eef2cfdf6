-- An address may have an account in several workspaces; failed sign-ins are counted by address and device; what strangers
-- ask of accounts is written the same way whether there is such an account or not.
-- DropIndex
DROP INDEX "users_email_key";

-- CreateTable
CREATE TABLE "devices" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_requests" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "email" TEXT,
    "user_id" UUID,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "devices_token_hash_key" ON "devices"("token_hash");

-- CreateIndex
CREATE INDEX "devices_workspace_id_user_id_idx" ON "devices"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "devices_workspace_id_id_key" ON "devices"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "users_email_idx" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_workspace_id_email_key" ON "users"("workspace_id", "email");

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE account_requests
  ADD CONSTRAINT account_requests_kind CHECK (kind IN ('login_failed', 'forgot_password'));

SELECT suite_confine('devices');
-- Like a login allowance, a request knows no workspace: strangers write it, a schedule takes it out.
GRANT INSERT ON account_requests TO suite_confined;
