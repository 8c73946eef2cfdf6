-- Sets when the copy of a user changed here: a list of colleagues is filtered by it (trigger users_changed of users). It
-- refuses nothing. It is SQL because several consumers write the copies, and none may forget it.
CREATE OR REPLACE FUNCTION users_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
