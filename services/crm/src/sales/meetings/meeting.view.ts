/** Views of meetings. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { MeetingDetails } from './meeting.schema.ts';
import { attendeesOf } from './attendees.ts';
import { meetingStates } from './meeting.rules.ts';
import { parentName } from './parents.ts';
import type { z } from 'zod';

export type MeetingRow = z.input<typeof MeetingDetails>;

const withActions = (caller: Caller, row: MeetingRow): MeetingRow => ({
  ...row,
  allowed_actions: meetingStates.allowedTo(caller, row),
});

const view = {
  table: 'meetings',
  compute: { allowed_actions: sql`NULL`, parent_name: parentName },
};

/** Returns a page of the meetings visible to the caller. */
export async function listMeetings(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, { ...view, expand: { attendees: attendeesOf(db) } });
  return { ...found, rows: (found.rows as MeetingRow[]).map((row) => withActions(caller, row)) };
}

/** Returns a meeting after a change. */
export const readMeeting = async (db: Db, caller: Caller, id: string): Promise<MeetingRow> =>
  withActions(
    caller,
    await readOne(db, MeetingDetails, id, {
      ...view,
      expand: { attendees: attendeesOf(db) },
    }),
  );
