-- The names of minutes contain the unit, as in requests and responses.
UPDATE "settings" SET "rounding" = "rounding" - ARRAY['begin', 'end', 'duration'] || jsonb_build_object(
  'begin_minutes', "rounding" -> 'begin', 'end_minutes', "rounding" -> 'end', 'duration_minutes', "rounding" -> 'duration')
WHERE "rounding" IS NOT NULL;
