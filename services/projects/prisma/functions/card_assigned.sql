-- Copies the card fields that reports and dashboards need to a summary row for each assignment. Rejects nothing. In SQL
-- because cards are assigned one by one and as sets, in many places, and none of them may omit the summary. Each row
-- belongs to one user and one card. Therefore transactions of different users do not block each other, as they would
-- with a counter.
CREATE OR REPLACE FUNCTION card_assigned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO assigned_cards (workspace_id, item_id, user_id, project_id, kind, side, due_date)
  SELECT come.workspace_id, come.item_id, come.user_id, card.project_id, card.kind,
    CASE WHEN card."group" IN ('completed', 'cancelled') THEN card."group" ELSE 'open' END, card.due_date
  FROM come JOIN work_items AS card ON card.workspace_id = come.workspace_id AND card.id = come.item_id;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER card_assigned AFTER INSERT ON assignees REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION card_assigned();
