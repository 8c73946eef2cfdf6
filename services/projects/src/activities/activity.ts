/** The history of a project, written in the transaction of whatever happened. */
import type { Db } from '../operations.ts';

/** The kinds of things that something happens to. */
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

/** One line of the history. */
export interface NewActivity {
  project_id: string;
  /** In the past tense: created, updated, moved, completed, deleted. */
  verb: string;
  object: { type: (typeof OBJECT_TYPES)[number]; id: string; label: string };
  /** Fields that changed: `{ title: ['Old', 'New'] }`. */
  diff?: Record<string, readonly [before: unknown, after: unknown]>;
  /** Whether the clients of the project may read of it. */
  client_visible?: boolean;
}

/** Writes down what happened; the database knows who did it. */
export async function recordActivities(db: Db, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length === 0) return;
  await db.activity.createMany({
    data: activities.map(({ object: { type, id, label }, diff = {}, ...activity }) => ({
      ...activity,
      object_type: type,
      object_id: id,
      object_label: label,
      diff: JSON.parse(JSON.stringify(diff)),
    })),
  });
}
