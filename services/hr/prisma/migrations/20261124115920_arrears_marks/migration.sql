-- AlterTable
ALTER TABLE "payroll_entries" ADD COLUMN     "arrears_mark" TEXT;
