/** Creation of a task or a bug: its users, its first stage change, and the first history entry. */
import { randomUUIDv7 } from 'node:crypto';
import { type Sql, sql } from '@suite/chassis/database';
import { orderedId } from '@suite/chassis/runtime';

/** New item, with the code of its project. */
interface CreatedItem {
  kind: 'task' | 'bug';
  code: string;
  title: string;
  stage: { id: string; group: string };
  /** Creator, who watches the card as its assignees do. Null for cards of a series. */
  author: string | null;
  assignee_ids?: readonly string[] | undefined;
  client_visible?: boolean | undefined;
}

/**
 * Returns the statement parts that record a creation, for `WITH`. `item` is the inserted row: id, project_id, number.
 */
export function creationParts({
  kind,
  code,
  title,
  stage,
  author,
  assignee_ids = [],
  client_visible = false,
}: CreatedItem): Sql {
  const watchers = [...(author ? [author] : []), ...assignee_ids];
  return sql`
    assigned AS (
      INSERT INTO assignees (item_id, user_id) SELECT item.id, unnest(${assignee_ids}::uuid[]) FROM item ON CONFLICT DO NOTHING),
    watched AS (
      INSERT INTO watchers (item_id, user_id)
      SELECT item.id, users.id FROM item, users WHERE users.id = ANY(${watchers}::uuid[]) ON CONFLICT DO NOTHING),
    stepped AS (
      INSERT INTO stage_changes (id, project_id, item_id, to_stage_id, to_group, seconds_in_from, at)
      SELECT ${randomUUIDv7()}::uuid, project_id, id, ${stage.id}::uuid, ${stage.group}, 0, clock_timestamp() FROM item),
    told AS (
      INSERT INTO activities (id, project_id, verb, object_type, object_id, object_label, client_visible)
      SELECT ${orderedId()}::uuid, project_id, 'created', ${kind}, id, ${`${code}-`}::text || number || ${` ${title}`}::text,
        ${client_visible}::bool FROM item)`;
}
