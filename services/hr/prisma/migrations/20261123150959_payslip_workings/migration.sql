-- AlterTable
ALTER TABLE "payroll_entries" DROP COLUMN "explain_sealed",
DROP COLUMN "inputs_sealed";

-- CreateTable
CREATE TABLE "payslip_workings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "inputs_sealed" TEXT NOT NULL,
    "explain_sealed" TEXT NOT NULL,

    CONSTRAINT "payslip_workings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payslip_workings_workspace_id_id_key" ON "payslip_workings"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "payslip_workings" ADD CONSTRAINT "payslip_workings_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "payroll_entries"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- The audit log says of the payslip that it was calculated; its working follows from that.
SELECT suite_confine('payslip_workings');
-- Encrypted text does not get shorter.
ALTER TABLE "payslip_workings" ALTER COLUMN "inputs_sealed" SET STORAGE EXTERNAL, ALTER COLUMN "explain_sealed" SET STORAGE EXTERNAL;
SELECT suite_record('payroll_entries', 'sealed:figures_sealed', 'sealed:lines_sealed', 'sealed:ytd_sealed', 'sealed:bank_sealed');
