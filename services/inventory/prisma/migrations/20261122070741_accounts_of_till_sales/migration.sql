-- AlterTable
ALTER TABLE "pos_order_lines" ADD COLUMN     "expense_account_id" UUID,
ADD COLUMN     "income_account_id" UUID,
ADD COLUMN     "stock_account_id" UUID;
