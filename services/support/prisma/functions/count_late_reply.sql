-- Counts an agent's reply that is added after work on its ticket has ended (an import, the demo). The reply counts for
-- the span of work in which it was written. Rejects nothing. In SQL because several statements write replies.
CREATE OR REPLACE FUNCTION count_late_reply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ticket_facts SET replies = replies + 1
  WHERE workspace_id = NEW.workspace_id AND ticket_id = NEW.ticket_id AND kind IN ('resolved', 'merged', 'spam')
    AND opened_at <= NEW.at AND at > NEW.at;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER count_late_reply AFTER INSERT ON replies FOR EACH ROW
  WHEN (NEW.author_kind = 'agent') EXECUTE FUNCTION count_late_reply();
