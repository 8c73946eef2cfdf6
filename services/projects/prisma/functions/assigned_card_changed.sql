-- Updates the summary rows of a card's assignments when the card changes (see card_assigned). Rejects nothing. In SQL
-- because cards are changed in many places, some of them as sets, and none of them may omit the update.
CREATE OR REPLACE FUNCTION assigned_card_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assigned_cards AS assigned SET project_id = NEW.project_id, side = card.side, due_date = NEW.due_date
  FROM (SELECT CASE WHEN NEW."group" IN ('completed', 'cancelled') THEN NEW."group" ELSE 'open' END AS side) AS card
  WHERE workspace_id = NEW.workspace_id AND item_id = NEW.id
    AND (assigned.project_id, assigned.side, assigned.due_date) IS DISTINCT FROM (NEW.project_id, card.side, NEW.due_date);
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER assigned_card_changed AFTER UPDATE ON work_items FOR EACH ROW
  WHEN ((OLD.project_id, OLD."group", OLD.due_date) IS DISTINCT FROM (NEW.project_id, NEW."group", NEW.due_date))
  EXECUTE FUNCTION assigned_card_changed();
