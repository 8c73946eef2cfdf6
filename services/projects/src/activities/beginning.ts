/** The beginning of a task or a bug: its people, its first step on the board, and the first line of its history. */
import { randomUUIDv7 } from 'node:crypto';
import { orderedId, type Sql, sql } from '@suite/chassis';

/** A new one, with the code of its project. */
interface Begun {
  kind: 'task' | 'bug';
  code: string;
  title: string;
  stage: { id: string; group: string };
  /** Its maker, who watches it as those do who work on it; nobody has made what a series makes. */
  author: string | null;
  assignee_ids?: readonly string[] | undefined;
  client_visible?: boolean | undefined;
}

/** The parts of a statement that write that down, for `WITH`; `item` is what the statement has written: id, project_id, number. */
export function beginning({ kind, code, title, stage, author, assignee_ids = [], client_visible = false }: Begun): Sql {
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
