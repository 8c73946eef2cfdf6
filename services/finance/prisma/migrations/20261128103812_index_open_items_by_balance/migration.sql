-- Open items by their outstanding amount, for the filter of invoices by their balance.
CREATE INDEX "open_items_balance_idx" ON "open_items" ("workspace_id", "document_type", ("amount" - "settled"), "document_id")
  WHERE NOT "voided" AND "settled" < "amount";
