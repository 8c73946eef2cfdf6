-- Updates the SLA counters in the transaction of each ticket change: the tickets due in each minute, and the response
-- and resolution times. Rejects nothing. In SQL because many statements change tickets, and none of them may omit the
-- update. A due time is rounded up to the full minute.
CREATE OR REPLACE FUNCTION count_ticket_dues() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before tickets;
  after tickets;
BEGIN
  -- Shortcut for nearly all new tickets: the general case below with constant values. Halves the time to create a
  -- ticket.
  IF TG_OP = 'INSERT' AND NEW.deleted_at IS NULL AND NEW.first_responded_at IS NULL AND NEW.resolved_at IS NULL THEN
    IF NEW.first_response_due IS NULL AND NEW.resolution_due IS NULL AND NEW.next_due_at IS NULL AND NEW.next_warning_at IS NULL THEN
      RETURN NULL;
    END IF;
    -- Rows in the order of the key, as below.
    INSERT INTO ticket_dues (workspace_id, kind, user_id, slot, tickets)
    SELECT NEW.workspace_id, kind, user_id, date_bin('1 minute', due + interval '59.999 seconds', 'epoch'), 1
    FROM (VALUES
      ('first_response', NEW.first_response_due, '00000000-0000-0000-0000-000000000000'::uuid),
      ('next', NEW.next_due_at, coalesce(NEW.assignee_id, '00000000-0000-0000-0000-000000000000')),
      ('resolution', NEW.resolution_due, '00000000-0000-0000-0000-000000000000'),
      ('warning', NEW.next_warning_at, '00000000-0000-0000-0000-000000000000')) AS dues (kind, due, user_id)
    WHERE due IS NOT NULL
    ON CONFLICT (workspace_id, kind, user_id, slot) DO UPDATE SET tickets = ticket_dues.tickets + 1;
    RETURN NULL;
  END IF;

  IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN before := OLD; END IF;
  IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN after := NEW; END IF;

  IF (before.first_response_due, before.resolution_due, before.next_due_at, before.next_warning_at, before.assignee_id)
    IS DISTINCT FROM (after.first_response_due, after.resolution_due, after.next_due_at, after.next_warning_at, after.assignee_id) THEN
    INSERT INTO ticket_dues (workspace_id, kind, user_id, slot, tickets)
    SELECT (ticket).workspace_id, kind, user_id, date_bin('1 minute', due + interval '59.999 seconds', 'epoch'), sum(change)
    FROM (VALUES (before, -1), (after, 1)) AS changed (ticket, change), LATERAL (VALUES
      ('first_response', (ticket).first_response_due, '00000000-0000-0000-0000-000000000000'::uuid),
      ('resolution', (ticket).resolution_due, '00000000-0000-0000-0000-000000000000'),
      ('next', (ticket).next_due_at, coalesce((ticket).assignee_id, '00000000-0000-0000-0000-000000000000')),
      ('warning', (ticket).next_warning_at, '00000000-0000-0000-0000-000000000000')) AS dues (kind, due, user_id)
    WHERE due IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, kind, user_id, slot) DO UPDATE SET tickets = ticket_dues.tickets + EXCLUDED.tickets;
  END IF;

  IF (before.first_responded_at, before.first_response_seconds, before.first_response_kept, before.resolved_at,
      before.resolution_seconds, before.resolution_kept)
    IS DISTINCT FROM (after.first_responded_at, after.first_response_seconds, after.first_response_kept, after.resolved_at,
      after.resolution_seconds, after.resolution_kept) THEN
    INSERT INTO response_times (workspace_id, target, slot, bucket, tickets, kept, seconds)
    SELECT (ticket).workspace_id, target, date_bin('1 hour', at, 'epoch'), floor(50 * ln(1 + took / 60.0)), sum(change),
      sum(change * kept::int), sum(change * took)
    FROM (VALUES (before, -1), (after, 1)) AS changed (ticket, change), LATERAL (VALUES
      ('first_response', (ticket).first_responded_at, (ticket).first_response_seconds, (ticket).first_response_kept),
      ('resolution', (ticket).resolved_at, (ticket).resolution_seconds, (ticket).resolution_kept)) AS times (target, at, took, kept)
    WHERE at IS NOT NULL AND took IS NOT NULL
    GROUP BY 1, 2, 3, 4
    HAVING sum(change) <> 0 OR sum(change * kept::int) <> 0 OR sum(change * took) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, target, slot, bucket) DO UPDATE
    SET tickets = response_times.tickets + EXCLUDED.tickets, kept = response_times.kept + EXCLUDED.kept,
      seconds = response_times.seconds + EXCLUDED.seconds;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER count_ticket_dues AFTER INSERT OR DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION count_ticket_dues();
CREATE OR REPLACE TRIGGER count_ticket_dues_change
  AFTER UPDATE OF first_response_due, resolution_due, next_due_at, next_warning_at, assignee_id, first_responded_at,
    first_response_seconds, first_response_kept, resolved_at, resolution_seconds, resolution_kept, deleted_at
  ON tickets FOR EACH ROW EXECUTE FUNCTION count_ticket_dues();
