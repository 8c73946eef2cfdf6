/** The timeline of a lead or a deal: one line for everything that happens to it, written by the rules that do it. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis';
import type { RecordKind } from './board.ts';
import type { Db } from '../operations.ts';
import { columnNamed } from '../tables.ts';

/** The lead or the deal that something hangs on. */
export type Subject = { lead_id: string } | { deal_id: string };

export const subjectOf = (kind: RecordKind, id: string): Subject =>
  kind === 'lead' ? { lead_id: id } : { deal_id: id };

/** The types of activities, in the order of a record's life. */
export const activityTypes = [
  'created',
  'updated',
  'moved',
  'lost',
  'won',
  'reopened',
  'converted',
  'task_added',
  'task_done',
  'task_reopened',
  'task_removed',
  'call_logged',
  'call_removed',
  'note_added',
  'email_queued',
  'file_added',
  'file_removed',
  'label_added',
  'source_added',
  'source_removed',
  'user_added',
  'user_removed',
  'client_added',
  'client_removed',
  'product_added',
  'product_removed',
] as const;
export type ActivityType = (typeof activityTypes)[number];

/** Adds a line to the timeline. Plain SQL: everything that happens pays for it. */
export async function addActivity(db: Db, subject: Subject, type: ActivityType, payload: object = {}): Promise<void> {
  const [[key, id]] = Object.entries(subject) as [[`${RecordKind}_id`, string]];
  await db.rows(sql`
    INSERT INTO activities (id, ${columnNamed(key)}, type, payload, at)
    VALUES (${randomUUIDv7()}::uuid, ${id}::uuid, ${type}, ${JSON.stringify(payload)}::jsonb, clock_timestamp())`);
}
