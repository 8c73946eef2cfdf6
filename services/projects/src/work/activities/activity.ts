/** History of a project, written in the transaction of each change. */
import { sql } from '@suite/chassis/database';
import { orderedId } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

/** Types of the objects in the history. */
export const OBJECT_TYPES = [
  'project',
  'milestone',
  'stage',
  'task',
  'bug',
  'comment',
  'file',
  'member',
  'client',
  'time_entry',
] as const;

/** Entry of the ticket history. */
export interface NewActivity {
  project_id: string;
  /** Action in the past tense: created, updated, moved, completed, deleted. */
  verb: string;
  object: { type: (typeof OBJECT_TYPES)[number]; id: string; label: string };
  /** Changed fields: `{ title: ['Old', 'New'] }`. */
  diff?: Record<string, readonly [before: unknown, after: unknown]>;
  /** True if the clients of the project may see the entry. */
  client_visible?: boolean;
}

/** Records activities. The database adds the actor. */
export async function recordActivities(db: Db, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length === 0) return;
  const lines = activities.map(({ object, diff = {}, client_visible = false, ...activity }) => ({
    ...activity,
    id: orderedId(),
    diff,
    client_visible,
    object_type: object.type,
    object_id: object.id,
    object_label: object.label,
  }));
  await db.rows(sql`
    INSERT INTO activities (id, project_id, verb, object_type, object_id, object_label, diff, client_visible)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line (id uuid, project_id uuid, verb text,
      object_type text, object_id uuid, object_label text, diff jsonb, client_visible bool)`);
}
