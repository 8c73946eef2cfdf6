-- DropIndex
DROP INDEX "users_email_idx";

-- CreateIndex
CREATE INDEX "users_email_idx" ON "users" USING HASH ("email");
