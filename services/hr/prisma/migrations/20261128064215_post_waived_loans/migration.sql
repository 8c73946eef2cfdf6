-- The ledger account of advances kept waived loans forever. Finance posts the waived amount before the loan is cancelled.

-- AlterTable
ALTER TABLE "employee_loans" ADD COLUMN     "waiver_journal_id" UUID;

-- CreateTable
CREATE TABLE "loan_waiver_attempts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "loan_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "loan_waiver_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "loan_waiver_attempts_workspace_id_id_key" ON "loan_waiver_attempts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "loan_waiver_attempts_workspace_id_loan_id_attempt_key" ON "loan_waiver_attempts"("workspace_id", "loan_id", "attempt");

-- Workspace, audit and version
SELECT suite_member('loan_waiver_attempts');
-- A loan has one open attempt at most.
CREATE UNIQUE INDEX "loan_waiver_attempts_open_key" ON "loan_waiver_attempts" ("workspace_id", "loan_id") WHERE "state" <> 'reversed';
CREATE INDEX "loan_waiver_attempts_open_idx" ON "loan_waiver_attempts" ("workspace_id", "since") WHERE "state" IN ('requested', 'reversing');
ALTER TABLE "loan_waiver_attempts"
  ADD CONSTRAINT "loan_waiver_attempts_state_check" CHECK ("state" IN ('requested', 'posted', 'reversing', 'reversed')),
  ADD CONSTRAINT "loan_waiver_attempts_attempt_check" CHECK ("attempt" >= 1);
