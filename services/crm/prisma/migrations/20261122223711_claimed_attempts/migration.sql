-- AlterTable
ALTER TABLE "order_reservations" ADD COLUMN     "claimed_until" TIMESTAMPTZ(3);
