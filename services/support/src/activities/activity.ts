/** The history of a ticket, for agents: written in the transaction of whatever happened. */
import { clock } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** One line of the history. */
export interface NewActivity {
  ticket_id: string;
  /** In the past tense: created, replied, status_changed. */
  verb: string;
  /** Fields that changed: `{ status: ['new', 'open'] }`. */
  diff?: Record<string, readonly [before: unknown, after: unknown]>;
  /** When it happened, where that is not now: the moment that a time move was due. */
  at?: string | Date | undefined;
}

/** Writes down what happened; the database knows who did it. */
export async function recordActivities(db: Db, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length === 0) return;
  await db.activity.createMany({
    data: activities.map(({ diff = {}, at = clock.now(), ...activity }) => ({
      ...activity,
      diff: JSON.parse(JSON.stringify(diff)),
      at,
    })),
  });
}
