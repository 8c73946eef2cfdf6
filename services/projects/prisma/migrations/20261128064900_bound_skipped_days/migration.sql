-- An entry stored each skipped day of a series, up to tens of thousands. Entries have the first day, the last day and the number.
ALTER TABLE "activities" DISABLE TRIGGER USER;
UPDATE "activities" SET "diff" = jsonb_build_object(
  'due_date', jsonb_build_array(
    CASE WHEN jsonb_array_length("diff" -> 'due_date' -> 0) > 2
      THEN jsonb_build_array("diff" -> 'due_date' -> 0 -> 0, "diff" -> 'due_date' -> 0 -> -1) ELSE "diff" -> 'due_date' -> 0 END,
    NULL),
  'skipped_count', jsonb_build_array(0, jsonb_array_length("diff" -> 'due_date' -> 0)))
WHERE "verb" = 'skipped' AND jsonb_typeof("diff" -> 'due_date' -> 0) = 'array';
ALTER TABLE "activities" ENABLE TRIGGER USER;
