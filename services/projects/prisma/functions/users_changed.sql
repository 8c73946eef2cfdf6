-- Sets when the copy of a user changed here; that its morning has come changes nothing of the user. It refuses nothing. It is SQL because several consumers write the copies, and
-- none may forget it.
CREATE OR REPLACE FUNCTION users_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER users_changed BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.digest_at IS NOT DISTINCT FROM OLD.digest_at) EXECUTE FUNCTION users_changed();
