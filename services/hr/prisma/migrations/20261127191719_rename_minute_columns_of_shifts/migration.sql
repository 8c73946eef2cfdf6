-- The name of a column with minutes contains the unit. Stored terms of shifts have the same names.
ALTER TABLE "shifts" RENAME COLUMN "grace_late" TO "grace_late_minutes";
ALTER TABLE "shifts" RENAME COLUMN "grace_early" TO "grace_early_minutes";
ALTER TABLE "shifts" RENAME COLUMN "half_day_below" TO "half_day_below_minutes";
ALTER TABLE "shifts" RENAME COLUMN "absent_below" TO "absent_below_minutes";

UPDATE "shift_versions" SET "terms" = "terms" - ARRAY['grace_late', 'grace_early', 'half_day_below', 'absent_below'] || jsonb_build_object(
  'grace_late_minutes', "terms" -> 'grace_late', 'grace_early_minutes', "terms" -> 'grace_early',
  'half_day_below_minutes', "terms" -> 'half_day_below', 'absent_below_minutes', "terms" -> 'absent_below');
UPDATE "attendances" SET "shift_terms" = "shift_terms" - ARRAY['grace_late', 'grace_early', 'half_day_below', 'absent_below'] || jsonb_build_object(
  'grace_late_minutes', "shift_terms" -> 'grace_late', 'grace_early_minutes', "shift_terms" -> 'grace_early',
  'half_day_below_minutes', "shift_terms" -> 'half_day_below', 'absent_below_minutes', "shift_terms" -> 'absent_below')
WHERE "shift_terms" IS NOT NULL;
