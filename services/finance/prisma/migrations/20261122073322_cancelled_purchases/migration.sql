-- AlterTable
ALTER TABLE "stock_sagas" ADD COLUMN     "cancellations" INTEGER NOT NULL DEFAULT 0;

-- What Prisma cannot say.

ALTER TABLE "stock_sagas" DROP CONSTRAINT "stock_sagas_state_check";
ALTER TABLE "stock_sagas" ADD CONSTRAINT "stock_sagas_state_check"
  CHECK ("state" IN ('requested', 'settled', 'cancelling', 'releasing', 'reversing', 'reversed'));
DROP INDEX "stock_sagas_due_idx";
CREATE INDEX "stock_sagas_due_idx" ON "stock_sagas" ("since") WHERE "state" NOT IN ('settled', 'reversed');
