-- Keeps beside each assignment what reports and desks ask of its card. It refuses nothing. It is SQL because people are put on cards
-- one by one and by the set, and cards change in many places: none may forget it. Each row is of one person and one card, so
-- that nobody waits here for a colleague, as they would for a counter.
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
