-- A second factor for signing in, which a workspace may require of everybody.
-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "second_factor_required" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "second_factors" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "secret" TEXT NOT NULL,
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "code_hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_challenges" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "login_challenges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "second_factors_workspace_id_id_key" ON "second_factors"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_codes_workspace_id_id_key" ON "recovery_codes"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_codes_workspace_id_user_id_code_hash_key" ON "recovery_codes"("workspace_id", "user_id", "code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "login_challenges_token_hash_key" ON "login_challenges"("token_hash");

-- CreateIndex
CREATE INDEX "login_challenges_workspace_id_user_id_idx" ON "login_challenges"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "login_challenges_workspace_id_id_key" ON "login_challenges"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_challenges" ADD CONSTRAINT "login_challenges_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE user_log
  DROP CONSTRAINT user_log_event,
  ADD CONSTRAINT user_log_event CHECK (event IN (
    'login', 'login_failed', 'logout', 'token_refresh', 'token_reuse', 'password_change', 'password_reset', 'email_change', 'key_create', 'key_revoke',
    'second_factor_on', 'second_factor_off', 'recovery_code_used'));

SELECT suite_confine('second_factors'), suite_confine('recovery_codes'), suite_confine('login_challenges');
