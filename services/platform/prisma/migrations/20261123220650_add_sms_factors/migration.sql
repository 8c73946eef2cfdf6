-- CreateTable
CREATE TABLE "sms_factors" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "phone" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),
    "code_hash" TEXT,
    "code_attempts" INTEGER NOT NULL DEFAULT 0,
    "code_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "sms_factors_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sms_factors_workspace_id_id_key" ON "sms_factors"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "sms_factors" ADD CONSTRAINT "sms_factors_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "sms_factors" ADD CONSTRAINT "sms_factors_phone_check" CHECK (phone ~ '^\+[1-9][0-9]{5,14}$');

-- Confined, and not audited: what happens to a factor stands in the log of its user, and its number nowhere else.
SELECT suite_confine('sms_factors');
