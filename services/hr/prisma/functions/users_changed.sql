-- Sets when the copy of a user changed here. It refuses nothing. It is SQL because several consumers write the copies, and
-- none may forget it.
CREATE OR REPLACE FUNCTION users_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER users_changed BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION users_changed();
