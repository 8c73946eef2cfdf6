-- A return that was approved can be cancelled before its goods move. It keeps its number.
ALTER TABLE "sales_returns"
  DROP CONSTRAINT "sales_returns_status_check",
  ADD CONSTRAINT "sales_returns_status_check" CHECK ("status" IN ('draft', 'approved', 'completed', 'cancelled'));
ALTER TABLE "purchase_returns"
  DROP CONSTRAINT "purchase_returns_status_check",
  ADD CONSTRAINT "purchase_returns_status_check" CHECK ("status" IN ('draft', 'approved', 'completed', 'cancelled'));
