/** Timeline of a lead or a deal: one entry per event, written by the rules that cause it. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { RecordKind } from './board.ts';
import { columnNamed, type Db } from '../../operations.ts';

/** Lead or deal of an activity. */
export type TimelineSubject = { lead_id: string } | { deal_id: string };

export const timelineSubjectOf = (kind: RecordKind, id: string): TimelineSubject =>
  kind === 'lead' ? { lead_id: id } : { deal_id: id };

/** Activity types, in the order of a record's lifecycle. */
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

/** Adds an entry to the timeline. Uses plain SQL, because every change incurs its cost. */
export async function addActivity(
  db: Db,
  subject: TimelineSubject,
  type: ActivityType,
  payload: object = {},
): Promise<void> {
  const [[key, id]] = Object.entries(subject) as [[`${RecordKind}_id`, string]];
  await db.rows(sql`
    INSERT INTO activities (id, ${columnNamed(key)}, type, payload, at)
    VALUES (${randomUUIDv7()}::uuid, ${id}::uuid, ${type}, ${JSON.stringify(payload)}::jsonb, clock_timestamp())`);
}
