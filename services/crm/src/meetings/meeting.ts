/** What a meeting may do, and how it is shown. */
import {
  assertSeen,
  type Caller,
  change,
  fault,
  find,
  invalid,
  lifecycle,
  type ListRequest,
  paginate,
  raw,
  readOne,
  remove,
} from '@suite/chassis';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { z } from 'zod';
import type { Db, Work } from '../operations.ts';
import { keepCopies, type Person } from '../users/user.ts';
import { attendeesOf, setAttendees } from './attendees.ts';
import { type MeetingChanges, MeetingDetails, type MeetingInput } from './meeting.schema.ts';
import { parentColumns, parentName } from './parents.ts';
import { moveTo } from '../transitions.ts';
import { assertExists, hold, permitted } from '../records.ts';

export const MeetingIsOver = fault(
  409,
  'meeting_is_over',
  'What became of this meeting is settled. Only its description can still be changed.',
);

export const meetingStates = lifecycle('meeting', {
  planned: { hold: 'held', miss: 'not_held', cancel: 'cancelled' },
  held: {},
  not_held: {},
  cancelled: {},
});

type Row = z.input<typeof MeetingDetails>;

const PERMISSIONS: Record<string, string> = {
  ...{ hold: 'meeting.update', miss: 'meeting.update', cancel: 'meeting.update', update: 'meeting.update' },
  delete: 'meeting.delete',
};

const actionsIn = (caller: Caller, status: string): string[] =>
  permitted(caller, [...meetingStates.allowed(status), 'update', 'delete'], PERMISSIONS);

const withActions = (caller: Caller, row: Row): Row => ({ ...row, allowed_actions: actionsIn(caller, row.status) });

const view = {
  table: 'meetings',
  compute: { allowed_actions: raw('NULL'), parent_name: parentName },
};

/** One page of the meetings that the caller may see. */
export async function listMeetings(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, { ...view, expand: { attendees: attendeesOf(db) } });
  return { ...found, rows: (found.rows as Row[]).map((row) => withActions(caller, row)) };
}

const readMeeting = async (db: Db, caller: Caller, id: string): Promise<Row> =>
  withActions(
    caller,
    await readOne(db, MeetingDetails, id, {
      ...view,
      expand: { attendees: attendeesOf(db) },
    }),
  );

/** Facts that a body needs from elsewhere. */
interface Known {
  customer: Customer | undefined;
  people: readonly Person[];
}

function assertOrder(start: Date | string, end: Date | string): void {
  if (new Date(end) <= new Date(start)) throw invalid('end', 'A meeting ends after it has begun.');
}

/** Arranges a meeting. */
export async function createMeeting(
  { db, caller }: Work,
  { attendees = [], parent_type, parent_id, ...input }: MeetingInput,
  { customer, people }: Known,
): Promise<Row> {
  assertOrder(input.start, input.end);
  await keepCopies(db, people);
  const parent = await parentColumns(db, { parent_type, parent_id }, customer);
  const { id } = await db.meeting.create({ data: { timezone: caller.timezone, ...input, ...parent } });
  await setAttendees(db, id, attendees);
  return readMeeting(db, caller, id);
}

/** @throws NotFound when there is no such meeting for this caller */
export const assertMeeting = (db: Db, id: string): Promise<void> => assertExists(db, 'meetings', id);

/** Changes a meeting; a `status` says what became of it, after everything else is changed. */
export async function updateMeeting(
  { db, caller }: Work,
  id: string,
  { version: _, attendees, parent_type, parent_id, status, ...columns }: MeetingChanges,
  { expect, customer, people }: Known & { expect: number | undefined },
): Promise<Row> {
  await hold(db, 'meetings', id);
  const before = await find(db.meeting, id);
  assertSeen(before, expect);
  const { description, ...arranged } = columns;
  const rearranges =
    attendees ?? parent_id ?? parent_type ?? Object.values(arranged).find((value) => value !== undefined);
  if (before.status !== 'planned' && rearranges !== undefined) throw MeetingIsOver();
  if (parent_type && !parent_id) throw invalid('parent_id', 'Say which one.');
  if (parent_id && !parent_type) throw invalid('parent_type', 'Say what it is.');
  assertOrder(columns.start ?? before.start, columns.end ?? before.end);
  await keepCopies(db, people);
  const named = parent_type && parent_id && { parent_type, parent_id };
  const parent = named ? await parentColumns(db, named, customer) : {};
  await change(db.meeting, id, { ...columns, ...parent });
  if (attendees) await setAttendees(db, id, attendees);
  const allowedIn = (state: string) => actionsIn(caller, state);
  if (status) await moveTo(meetingStates, db.meeting, id, status, { allowedIn });
  return readMeeting(db, caller, id);
}

/** Deletes a meeting. */
export async function removeMeeting(db: Db, id: string): Promise<{ id: string }> {
  await hold(db, 'meetings', id);
  return await remove(db.meeting, id);
}
