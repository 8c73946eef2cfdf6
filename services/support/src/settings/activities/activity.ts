/** History of a ticket, for agents. Written in the same transaction as the change. */
import { type Sql, sql } from '@suite/chassis/database';
import { clock, orderedId } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

/** Entry of the ticket history. */
export interface NewActivity {
  ticket_id: string;
  /** Verb in the past tense: created, replied, status_changed. */
  verb: string;
  /** Changed fields: `{ status: ['new', 'open'] }`. */
  diff?: Record<string, readonly [before: unknown, after: unknown]>;
  /** Time of the event. Defaults to the current time. For a scheduled action, its due time. */
  at?: string | Date | undefined;
}

/** History entry with its ID and time. */
export interface StoredActivity extends NewActivity {
  id: string;
  diff: NonNullable<NewActivity['diff']>;
  at: string | Date;
}

/** Adds IDs and times to new history entries. */
export const withIdsAndTimes = (activities: readonly NewActivity[]): StoredActivity[] =>
  activities.map((activity) => ({ diff: {}, at: clock.now(), ...activity, id: orderedId() }));

/** Returns the part of a statement that inserts history entries. */
export const activitiesInsert = (activities: readonly StoredActivity[]): Sql => sql`
  INSERT INTO activities (id, ticket_id, verb, diff, at)
  SELECT * FROM jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) AS line (id uuid, ticket_id uuid, verb text, diff jsonb,
    at timestamptz)`;

/** Records activities. The database adds the actor. */
export async function recordActivities(db: Db, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length > 0) await db.rows(activitiesInsert(withIdsAndTimes(activities)));
}
