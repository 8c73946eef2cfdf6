-- AlterTable
ALTER TABLE "stock_sagas" ADD COLUMN     "claimed_until" TIMESTAMPTZ(3);
