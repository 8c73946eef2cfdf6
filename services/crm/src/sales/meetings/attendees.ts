/** Attendees of a meeting: users of the workspace, and external contacts. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { type Expansion, many } from '@suite/chassis/lists';
import type { Db, Rpc } from '../../operations.ts';
import type { PlatformUser } from '@suite/user-copies';
import type { AttendeeInput } from './meeting.schema.ts';

const userIdOf = (attendee: AttendeeInput): string[] => ('user_id' in attendee ? [attendee.user_id] : []);

/** Requests the users among the attendees from platform. @throws a 422 that names the first unknown user */
export async function fetchAttendees(rpc: Rpc, attendees: readonly AttendeeInput[] = []): Promise<PlatformUser[]> {
  const user_ids = [...new Set(attendees.flatMap(userIdOf))];
  if (user_ids.length === 0) return [];
  const { users } = await rpc.platform.batchGetUsers({ user_ids });
  const known = new Set(users.map(({ user_id }) => user_id));
  for (const [at, attendee] of attendees.entries()) {
    const missing = userIdOf(attendee).some((id) => !known.has(id));
    if (missing) throw invalid(`attendees.${at}.user_id`, 'User not found.');
  }
  return users;
}

/** Returns the identity of an attendee: the user ID, else the address, else the name. */
const identityOf = ({
  user_id,
  email,
  name,
}: {
  user_id?: string | null;
  email?: string | null;
  name?: string | null;
}) => user_id ?? email ?? name;

/** Replaces the attendees of a meeting. Duplicates are merged. Remaining attendees keep their response. */
export async function setAttendees(db: Db, meeting_id: string, attendees: readonly AttendeeInput[]): Promise<void> {
  const before = await db.meetingAttendee.findMany({ where: { meeting_id } });
  const responses = new Map(before.map((attendee) => [identityOf(attendee), attendee.response]));
  const distinct = [...new Map(attendees.map((attendee) => [identityOf(attendee), attendee])).entries()];
  await db.meetingAttendee.deleteMany({ where: { meeting_id } });
  await db.meetingAttendee.createMany({
    data: distinct.map(([identity, { response, ...who }]) => ({
      ...who,
      meeting_id,
      response: response ?? responses.get(identity) ?? 'pending',
    })),
  });
}

/** Returns the expansion with the attendees of meetings. Users have their current name. */
export const attendeesOf = (db: Db): Expansion =>
  many('meeting_id', (ids) =>
    db.rows(sql`
      SELECT meeting_id, user_id, coalesce(users.name, meeting_attendees.name) AS name,
        coalesce(users.email, meeting_attendees.email) AS email, response
      FROM meeting_attendees LEFT JOIN users ON users.id = user_id
      WHERE meeting_id = ANY(${ids}::uuid[]) ORDER BY user_id IS NULL, name, meeting_attendees.id`),
  );
