-- Gives the time of a run back when its request for a draft is undone: the entries can be billed anew. It refuses nothing. It is
-- SQL because the frame changes the states of attempts, and the entries must be free in the same transaction.
CREATE OR REPLACE FUNCTION billing_released() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE time_entries SET billing_run_id = NULL WHERE billing_run_id = NEW.billing_run_id AND status = 'approved';
  UPDATE billing_runs SET status = 'released' WHERE id = NEW.billing_run_id AND status = 'claimed';
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER billing_released AFTER UPDATE OF state ON billing_attempts
  FOR EACH ROW WHEN (NEW.state = 'deleted') EXECUTE FUNCTION billing_released();
