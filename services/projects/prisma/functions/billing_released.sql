-- Releases the time entries of a billing run when its request for a draft invoice is undone. The entries can then be
-- billed again. Rejects nothing. In SQL because the saga framework changes the state of attempts, and the entries must
-- be released in the same transaction.
CREATE OR REPLACE FUNCTION billing_released() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE time_entries SET billing_run_id = NULL WHERE billing_run_id = NEW.billing_run_id AND status = 'approved';
  UPDATE billing_runs SET status = 'released' WHERE id = NEW.billing_run_id AND status = 'claimed';
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER billing_released AFTER UPDATE OF state ON billing_attempts
  FOR EACH ROW WHEN (NEW.state = 'deleted') EXECUTE FUNCTION billing_released();
