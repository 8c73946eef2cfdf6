-- DropIndex
DROP INDEX "sales_orders_workspace_id_quote_id_key";

-- AlterTable
ALTER TABLE "proposals" ADD COLUMN     "deleted_drafts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "public_token" TEXT NOT NULL DEFAULT replace((gen_random_uuid())::text || (gen_random_uuid())::text, '-'::text, ''::text);

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_quote_id_idx" ON "sales_orders"("workspace_id", "quote_id");

-- CreateIndex
CREATE UNIQUE INDEX "proposals_workspace_id_public_token_key" ON "proposals"("workspace_id", "public_token");

-- A quote has one order at a time: when that was cancelled, it can be ordered again.
CREATE UNIQUE INDEX "sales_orders_one_of_a_quote" ON "sales_orders" ("workspace_id", "quote_id") WHERE "status" <> 'cancelled';
UPDATE "quotes" SET "status" = 'accepted' WHERE "status" = 'ordered' AND NOT EXISTS (
  SELECT FROM "sales_orders" WHERE "sales_orders"."workspace_id" = "quotes"."workspace_id"
    AND "sales_orders"."quote_id" = "quotes"."id" AND "sales_orders"."status" <> 'cancelled');
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_deleted_drafts_check" CHECK ("deleted_drafts" >= 0);

-- An id whose order is that of its making, as the service makes them, for rows that a statement makes. PostgreSQL has
-- uuidv7() from 18 on.
CREATE OR REPLACE FUNCTION suite_uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;
