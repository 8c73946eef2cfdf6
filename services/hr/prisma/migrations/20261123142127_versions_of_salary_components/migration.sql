-- AlterTable
ALTER TABLE "employee_history" ADD COLUMN     "component_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "salary_components" DROP COLUMN "calc",
DROP COLUMN "position",
DROP COLUMN "prorated",
DROP COLUMN "taxable";

-- AlterTable
ALTER TABLE "employee_loans" ADD COLUMN     "left_sealed" TEXT;

-- AlterTable
ALTER TABLE "recoveries" ADD COLUMN     "loan_id" UUID,
ALTER COLUMN "entry_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "recoveries_workspace_id_loan_id_idx" ON "recoveries"("workspace_id", "loan_id");

-- AddForeignKey
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_workspace_id_loan_id_fkey" FOREIGN KEY ("workspace_id", "loan_id") REFERENCES "employee_loans"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Of one that is to be deleted: whose salary has it, or had it.
CREATE INDEX "employee_history_component_ids_idx" ON "employee_history" USING gin ("workspace_id", "component_ids")
  WHERE "component_ids" <> '{}';
ALTER TABLE "salary_component_versions"
  ADD CONSTRAINT "salary_component_versions_seq_check" CHECK ("seq" > 0),
  ADD CONSTRAINT "salary_component_versions_calc_check" CHECK ("terms" ->> 'calc' IN ('fixed', 'percent_of_basic', 'formula', 'slab'));
-- A recovery is of a payslip, or of a loan.
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_origin_check" CHECK (num_nonnulls("entry_id", "loan_id") = 1);
-- The audit log says that what is left of a loan changed, and not to what.
SELECT suite_record('employee_loans', 'sealed:amount_sealed', 'sealed:instalment_sealed', 'sealed:left_sealed');
SELECT suite_append_only('salary_component_versions');
