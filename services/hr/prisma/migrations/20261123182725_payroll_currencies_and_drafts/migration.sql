-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "currency" CHAR(3),
ADD COLUMN     "payrolls_through" DATE;

-- AlterTable
ALTER TABLE "payrolls" ADD COLUMN     "base_net" DECIMAL(19,4),
ADD COLUMN     "books_locked_through" DATE,
ADD COLUMN     "rate" DECIMAL(18,6),
ADD COLUMN     "settled_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "payroll_entries" ADD COLUMN     "facts_mark" TEXT;

-- AlterTable
ALTER TABLE "payroll_postings" ADD COLUMN     "base_amount" DECIMAL(19,4);

-- AlterTable
ALTER TABLE "employee_loans" ADD COLUMN     "journal_id" UUID,
ADD COLUMN     "paid_on" DATE;

-- CreateTable
CREATE TABLE "loan_payout_attempts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "loan_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "loan_payout_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "loan_payout_attempts_workspace_id_id_key" ON "loan_payout_attempts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "loan_payout_attempts_workspace_id_loan_id_attempt_key" ON "loan_payout_attempts"("workspace_id", "loan_id", "attempt");

-- Workspace, audit and version
SELECT suite_member('loan_payout_attempts');
-- A loan has one open attempt at most.
CREATE UNIQUE INDEX "loan_payout_attempts_open_key" ON "loan_payout_attempts" ("workspace_id", "loan_id") WHERE "state" <> 'reversed';
CREATE INDEX "loan_payout_attempts_open_idx" ON "loan_payout_attempts" ("workspace_id", "since") WHERE "state" IN ('requested', 'reversing');
ALTER TABLE "loan_payout_attempts"
  ADD CONSTRAINT "loan_payout_attempts_state_check" CHECK ("state" IN ('requested', 'posted', 'reversing', 'reversed')),
  ADD CONSTRAINT "loan_payout_attempts_attempt_check" CHECK ("attempt" >= 1);
ALTER TABLE "payrolls" ADD CONSTRAINT "payrolls_rate_check" CHECK ("rate" > 0 AND ("rate" IS NULL) = ("base_net" IS NULL));
