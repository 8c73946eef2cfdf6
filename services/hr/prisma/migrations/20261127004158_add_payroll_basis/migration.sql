-- Whether a working day without punches is paid or an absence becomes a choice. Workspaces that are there keep what they had.
-- The leave of a day is read from the days of approved leave: one column on the day could name one application only.
-- DropForeignKey
ALTER TABLE "attendances" DROP CONSTRAINT "attendances_workspace_id_leave_application_id_fkey";

-- DropIndex
DROP INDEX "attendances_workspace_id_leave_application_id_idx";

-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "payroll_basis" TEXT NOT NULL DEFAULT 'leave';

-- AlterTable
ALTER TABLE "shifts" ADD COLUMN     "payroll_basis" TEXT;

-- AlterTable
ALTER TABLE "employees" ADD COLUMN     "payroll_basis" TEXT;

-- AlterTable
ALTER TABLE "attendances" DROP COLUMN "leave_application_id";

-- AlterTable
ALTER TABLE "attendance_events" ADD COLUMN     "is_toggle" BOOLEAN NOT NULL DEFAULT false;

UPDATE "settings" SET "payroll_basis" = 'attendance';

ALTER TABLE "settings" ADD CONSTRAINT "settings_payroll_basis_check" CHECK ("payroll_basis" IN ('leave', 'attendance'));
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_payroll_basis_check" CHECK ("payroll_basis" IN ('leave', 'attendance'));
ALTER TABLE "employees" ADD CONSTRAINT "employees_payroll_basis_check" CHECK ("payroll_basis" IN ('leave', 'attendance'));
ALTER TABLE "employee_history"
  DROP CONSTRAINT "employee_history_field_check",
  ADD CONSTRAINT "employee_history_field_check" CHECK ("field" IN ('branch_id', 'department_id', 'designation_id', 'manager_id',
    'shift_id', 'calendar_id', 'employment_type', 'payroll_basis', 'salary', 'status'));
