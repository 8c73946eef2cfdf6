/** Creation, update and deletion of meetings. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { moveTo } from '@suite/chassis/operations';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { customerCopies } from '../../copies.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { upsertUserCopies, type PlatformUser } from '@suite/user-copies';
import { setAttendees } from './attendees.ts';
import type { MeetingChanges, MeetingInput } from './meeting.schema.ts';
import { parentColumns } from './parents.ts';
import { type MeetingRow, readMeeting } from './meeting.view.ts';
import { assertEndAfterStart, meetingStates } from './meeting.rules.ts';

export const MeetingIsOver = fault(
  409,
  'meeting_is_over',
  'This meeting is over. You can only change its description.',
);

/** Data from other services that a request needs. */
interface MeetingReferences {
  customer: Customer | undefined;
  people: readonly PlatformUser[];
}

/** Creates a meeting. */
export async function createMeeting(
  { db, caller }: CommandContext,
  { attendees = [], parent_type, parent_id, ...input }: MeetingInput,
  { customer, people }: MeetingReferences,
): Promise<MeetingRow> {
  assertEndAfterStart(input.start, input.end);
  await customerCopies.remember(db, customer);
  await upsertUserCopies(db, people);
  const parent = await parentColumns(db, { parent_type, parent_id }, customer);
  const { id } = await db.meeting.create({ data: { timezone: caller.timezone, ...input, ...parent } });
  await setAttendees(db, id, attendees);
  return readMeeting(db, caller, id);
}

/** Locks a meeting until the transaction ends. */
const lockMeeting = (db: Db, id: string) =>
  db.rows(sql`SELECT id FROM meetings WHERE id = ${id}::uuid FOR NO KEY UPDATE`);

/** Checks that the meeting exists and the caller can see it. @throws NotFound */
export async function assertMeeting(db: Db, id: string): Promise<void> {
  await find(db.meeting, id);
}

/** Updates a meeting. A `status` sets its outcome after all other changes. */
export async function updateMeeting(
  { db, caller }: CommandContext,
  id: string,
  { version: _, attendees, parent_type, parent_id, status, ...columns }: MeetingChanges,
  { expect, customer, people }: MeetingReferences & { expect: number | undefined },
): Promise<MeetingRow> {
  await customerCopies.remember(db, customer);
  await lockMeeting(db, id);
  const before = await find(db.meeting, id);
  assertVersion(before, expect);
  const { description, ...arranged } = columns;
  const rearranges =
    attendees ?? parent_id ?? parent_type ?? Object.values(arranged).find((value) => value !== undefined);
  if (before.status !== 'planned' && rearranges !== undefined) throw MeetingIsOver();
  if (parent_type && !parent_id) throw invalid('parent_id', 'Enter an ID.');
  if (parent_id && !parent_type) throw invalid('parent_type', 'Enter a description.');
  assertEndAfterStart(columns.start ?? before.start, columns.end ?? before.end);
  await upsertUserCopies(db, people);
  const named = parent_type && parent_id && { parent_type, parent_id };
  const parent = named ? await parentColumns(db, named, customer) : {};
  const changed = await change(db.meeting, id, { ...columns, ...parent });
  if (attendees) await setAttendees(db, id, attendees);
  if (status) await moveTo(meetingStates, db.meeting, changed, status, { caller });
  return readMeeting(db, caller, id);
}

/** Deletes a meeting. */
export async function removeMeeting(db: Db, id: string): Promise<{ id: string }> {
  await lockMeeting(db, id);
  return await remove(db.meeting, id);
}
