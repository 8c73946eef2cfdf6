/** The history of a ticket, for agents: written in the transaction of whatever happened. */
import { clock, orderedId, type Sql, sql } from '@suite/chassis';
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

/** A line of the history with its id and its moment. */
export interface WrittenActivity extends NewActivity {
  id: string;
  diff: NonNullable<NewActivity['diff']>;
  at: string | Date;
}

/** Lines as they will be written. */
export const dated = (activities: readonly NewActivity[]): WrittenActivity[] =>
  activities.map((activity) => ({ diff: {}, at: clock.now(), ...activity, id: orderedId() }));

/** The part of a statement that writes lines down. */
export const writingActivities = (activities: readonly WrittenActivity[]): Sql => sql`
  INSERT INTO activities (id, ticket_id, verb, diff, at)
  SELECT * FROM jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) AS line (id uuid, ticket_id uuid, verb text, diff jsonb,
    at timestamptz)`;

/** Writes down what happened; the database knows who did it. */
export async function recordActivities(db: Db, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length > 0) await db.rows(writingActivities(dated(activities)));
}
