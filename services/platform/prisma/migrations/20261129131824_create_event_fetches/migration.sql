-- A restored database fetches the payment provider's events since its time again.
-- CreateTable
CREATE TABLE "event_fetches" (
    "provider_mode" TEXT NOT NULL,
    "fetched_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_fetches_pkey" PRIMARY KEY ("provider_mode")
);

ALTER TABLE event_fetches ADD CONSTRAINT event_fetches_mode CHECK (provider_mode IN ('live', 'test'));
SELECT suite_force_policies('event_fetches');
