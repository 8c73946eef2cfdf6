-- Two requests that stop an order must not both have its drafts deleted and then refuse each other.
-- AlterTable
ALTER TABLE "sales_orders" ADD COLUMN     "stopping_status" TEXT,
ADD COLUMN     "stopping_until" TIMESTAMPTZ(3);
