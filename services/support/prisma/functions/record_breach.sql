-- Records the breach of an SLA target at its due time. Rejects nothing. In SQL because both ticket changes and a
-- scheduled job write SLA timers.
CREATE OR REPLACE FUNCTION record_breach() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, user_id, category_id, priority, channel)
  SELECT workspace_id, id, NEW.target || '_breached', NEW.run, NEW.breached_at, assignee_id, category_id, priority, channel
  FROM tickets WHERE workspace_id = NEW.workspace_id AND id = NEW.ticket_id AND deleted_at IS NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER record_breach AFTER INSERT OR UPDATE OF breached_at ON ticket_clocks FOR EACH ROW
  WHEN (NEW.breached_at IS NOT NULL) EXECUTE FUNCTION record_breach();
