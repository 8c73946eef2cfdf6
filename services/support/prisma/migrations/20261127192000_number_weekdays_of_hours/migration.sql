-- Weekdays are numbers from 1 for Monday to 7 for Sunday, as in shifts and in the rounding of time.
CREATE FUNCTION pg_temp.numbered(hours jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_object_agg(
    coalesce(array_position(ARRAY['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], day.key)::text, day.key), day.value), '{}'::jsonb)
  FROM jsonb_each(hours) AS day
$$;
UPDATE "calendars" SET "hours" = pg_temp.numbered("hours");
UPDATE "sla_terms" SET "hours" = pg_temp.numbered("hours");
