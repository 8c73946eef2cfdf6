-- Records the facts about a ticket that reports use: answered, finished, reopened, rated. Rejects nothing. In SQL
-- because many statements change tickets, and none of them may omit a fact. A fact contains the agent, category,
-- priority and channel at its time, so that the metrics of past days stay the same. Two changes affect facts. A new
-- rating by the requester replaces the previous one. A deleted ticket loses its facts and is no longer counted.
CREATE OR REPLACE FUNCTION record_ticket_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  open_states text[] := ARRAY['new', 'open', 'pending', 'on_hold'];
  was_open boolean := TG_OP = 'INSERT' OR OLD.status = ANY (open_states);
  is_open boolean := NEW.status = ANY (open_states);
  opened timestamptz := coalesce(NEW.reopened_at, NEW.created_at);
  fact ticket_facts;
BEGIN
  IF NEW.deleted_at IS NOT NULL THEN
    DELETE FROM ticket_facts WHERE workspace_id = NEW.workspace_id AND ticket_id = NEW.id;
    RETURN NULL;
  END IF;

  IF NEW.first_responded_at IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.first_responded_at IS NULL) THEN
    INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, user_id, category_id, priority, channel, seconds, kept)
    VALUES (NEW.workspace_id, NEW.id, 'answered', 1, NEW.first_responded_at, coalesce((
        SELECT author_id FROM replies WHERE replies.workspace_id = NEW.workspace_id AND replies.ticket_id = NEW.id
          AND author_kind = 'agent' ORDER BY at, id LIMIT 1), NEW.assignee_id), NEW.category_id, NEW.priority, NEW.channel,
      NEW.first_response_seconds, NEW.first_response_kept)
    ON CONFLICT DO NOTHING;
  END IF;

  IF was_open AND NOT is_open THEN
    -- A ticket that is imported as closed counts as resolved.
    fact.kind := CASE NEW.status WHEN 'closed' THEN 'resolved' ELSE NEW.status END;
    INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, opened_at, first, user_id, category_id, priority, channel,
      seconds, kept, replies)
    SELECT NEW.workspace_id, NEW.id, fact.kind, count(*) + 1, coalesce(NEW.over_since, NEW.resolved_at, NEW.created_at), opened,
      NEW.reopened_at IS NULL, NEW.assignee_id, NEW.category_id, NEW.priority, NEW.channel,
      CASE fact.kind WHEN 'resolved' THEN NEW.resolution_seconds END, CASE fact.kind WHEN 'resolved' THEN NEW.resolution_kept END, (
        SELECT count(*) FROM replies WHERE replies.workspace_id = NEW.workspace_id AND replies.ticket_id = NEW.id
          AND author_kind = 'agent' AND at >= opened)
    FROM ticket_facts WHERE workspace_id = NEW.workspace_id AND ticket_id = NEW.id AND kind = fact.kind;
  END IF;

  -- Events after a resolution count for the agent who resolved the ticket.
  SELECT * INTO fact FROM ticket_facts WHERE workspace_id = NEW.workspace_id AND ticket_id = NEW.id AND kind = 'resolved'
  ORDER BY run DESC LIMIT 1;
  IF fact.kind IS NULL THEN
    fact.user_id := NEW.assignee_id;
    fact.category_id := NEW.category_id;
    fact.priority := NEW.priority;
    fact.channel := NEW.channel;
  END IF;

  IF is_open AND NOT was_open THEN
    fact.kind := CASE OLD.status WHEN 'resolved' THEN 'reopened' ELSE 'restored' END;
    INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, user_id, category_id, priority, channel)
    SELECT NEW.workspace_id, NEW.id, fact.kind, count(*) + 1, NEW.reopened_at, fact.user_id, fact.category_id, fact.priority,
      fact.channel
    FROM ticket_facts WHERE workspace_id = NEW.workspace_id AND ticket_id = NEW.id AND kind = fact.kind;
  END IF;

  IF NEW.rated_at IS NOT NULL AND (TG_OP = 'INSERT' OR (OLD.rated_at, OLD.rating) IS DISTINCT FROM (NEW.rated_at, NEW.rating)) THEN
    INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, user_id, category_id, priority, channel, rating)
    VALUES (NEW.workspace_id, NEW.id, 'rated', NEW.reopened_count + 1, NEW.rated_at, fact.user_id, fact.category_id,
      fact.priority, fact.channel, NEW.rating)
    ON CONFLICT (workspace_id, ticket_id, kind, run) DO UPDATE SET at = EXCLUDED.at, rating = EXCLUDED.rating;
  END IF;
  RETURN NULL;
END
$$;
-- Most tickets are created without any of these values.
CREATE OR REPLACE TRIGGER record_ticket_facts AFTER INSERT ON tickets FOR EACH ROW
  WHEN (NEW.status IN ('resolved', 'closed', 'merged', 'spam') OR NEW.first_responded_at IS NOT NULL)
  EXECUTE FUNCTION record_ticket_facts();
CREATE OR REPLACE TRIGGER record_ticket_facts_change
  AFTER UPDATE OF status, first_responded_at, rated_at, rating, deleted_at ON tickets FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.first_responded_at IS DISTINCT FROM NEW.first_responded_at
    OR OLD.rated_at IS DISTINCT FROM NEW.rated_at OR OLD.rating IS DISTINCT FROM NEW.rating OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION record_ticket_facts();
