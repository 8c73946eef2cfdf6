-- Counts an answer of an agent that is brought in after work on its ticket had ended (an import, the demo) for the work during
-- which it was given. It refuses nothing. It is SQL because replies are written by several statements.
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
