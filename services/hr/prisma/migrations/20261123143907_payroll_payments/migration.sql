-- AlterTable
ALTER TABLE "payroll_entries" ADD COLUMN     "payment_id" UUID,
ADD COLUMN     "withheld_reason" TEXT;

-- CreateTable
CREATE TABLE "payroll_postings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "payroll_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "bank_account_id" UUID,
    "method" TEXT,
    "amount" DECIMAL(19,4) NOT NULL,
    "content" TEXT NOT NULL,
    "journal_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "payroll_postings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payroll_posting_attempts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "posting_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "undo_on" TEXT NOT NULL DEFAULT '',
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "payroll_posting_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "payroll_id" UUID NOT NULL,
    "file_no" INTEGER NOT NULL,
    "message_id" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "bank_account_id" UUID NOT NULL,
    "execution_date" DATE NOT NULL,
    "payslip_count" INTEGER NOT NULL,
    "employee_ids" UUID[],
    "content_hash" TEXT NOT NULL,
    "content_sealed" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "payment_files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payroll_postings_workspace_id_id_key" ON "payroll_postings"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_postings_workspace_id_payroll_id_purpose_key" ON "payroll_postings"("workspace_id", "payroll_id", "purpose");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_posting_attempts_workspace_id_id_key" ON "payroll_posting_attempts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_posting_attempts_workspace_id_posting_id_attempt_key" ON "payroll_posting_attempts"("workspace_id", "posting_id", "attempt");

-- CreateIndex
CREATE UNIQUE INDEX "payment_files_workspace_id_id_key" ON "payment_files"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_files_workspace_id_payroll_id_file_no_key" ON "payment_files"("workspace_id", "payroll_id", "file_no");

-- CreateIndex
CREATE UNIQUE INDEX "payment_files_workspace_id_payroll_id_content_hash_key" ON "payment_files"("workspace_id", "payroll_id", "content_hash");

-- CreateIndex
CREATE INDEX "payroll_entries_workspace_id_payment_id_idx" ON "payroll_entries"("workspace_id", "payment_id");

-- AddForeignKey
ALTER TABLE "payroll_entries" ADD CONSTRAINT "payroll_entries_workspace_id_payment_id_fkey" FOREIGN KEY ("workspace_id", "payment_id") REFERENCES "payroll_postings"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_postings" ADD CONSTRAINT "payroll_postings_workspace_id_payroll_id_fkey" FOREIGN KEY ("workspace_id", "payroll_id") REFERENCES "payrolls"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_posting_attempts" ADD CONSTRAINT "payroll_posting_attempts_workspace_id_posting_id_fkey" FOREIGN KEY ("workspace_id", "posting_id") REFERENCES "payroll_postings"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_files" ADD CONSTRAINT "payment_files_workspace_id_payroll_id_fkey" FOREIGN KEY ("workspace_id", "payroll_id") REFERENCES "payrolls"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Workspace, audit and version
SELECT suite_record('payroll_postings');
SELECT suite_member('payroll_posting_attempts');
SELECT suite_record('payment_files', 'sealed:content_sealed');

-- A run has one open posting of finance at a time, and a posting one open attempt. The sweeper finds what is under way.
CREATE UNIQUE INDEX "payroll_posting_attempts_open_key" ON "payroll_posting_attempts" ("workspace_id", "posting_id") WHERE "state" <> 'reversed';
CREATE INDEX "payroll_posting_attempts_open_idx" ON "payroll_posting_attempts" ("workspace_id", "since") WHERE "state" IN ('requested', 'reversing');
ALTER TABLE "payroll_posting_attempts"
  ADD CONSTRAINT "payroll_posting_attempts_state_check" CHECK ("state" IN ('requested', 'posted', 'reversing', 'reversed')),
  ADD CONSTRAINT "payroll_posting_attempts_attempt_check" CHECK ("attempt" >= 1);
ALTER TABLE "payroll_postings"
  ADD CONSTRAINT "payroll_postings_kind_check" CHECK ("kind" IN ('approve', 'pay', 'recover')),
  ADD CONSTRAINT "payroll_postings_method_check" CHECK ("method" IN ('file', 'cash', 'other')),
  ADD CONSTRAINT "payroll_postings_payment_check" CHECK (("kind" = 'pay') = ("bank_account_id" IS NOT NULL AND "method" IS NOT NULL)),
  ADD CONSTRAINT "payroll_postings_amount_check" CHECK ("amount" >= 0);
ALTER TABLE "payment_files"
  ADD CONSTRAINT "payment_files_format_check" CHECK ("format" IN ('pain.001.001.09', 'csv')),
  ADD CONSTRAINT "payment_files_counts_check" CHECK ("file_no" >= 1 AND "payslip_count" >= 1);
