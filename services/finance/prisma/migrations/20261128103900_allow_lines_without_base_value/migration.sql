-- Amounts in foreign currencies can round to zero in base currency. Their lines have neither debit nor credit, so that
-- bank accounts and open items stay exact in their currency. The amount is then negative for a credit.
ALTER TABLE "journal_lines"
  DROP CONSTRAINT "journal_lines_side_check",
  ADD CONSTRAINT "journal_lines_side_check" CHECK ("debit" >= 0 AND "credit" >= 0 AND ("debit" = 0 OR "credit" = 0)
    AND ("debit" > 0 OR "credit" > 0 OR "amount" <> 0)),
  DROP CONSTRAINT "journal_lines_amount_check",
  ADD CONSTRAINT "journal_lines_amount_check" CHECK ("amount" >= 0 OR "debit" = 0 AND "credit" = 0);
