/** Metrics of the members of a project. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type AccessibleProject, visibleKinds } from '../work/access/access.ts';
import type { Db } from '../operations.ts';
import type { ProjectReport } from './report.schema.ts';

type Member = ProjectReport['members'][number];

interface Row {
  user: Member['user'];
  role: Member['role'];
  open: number;
  completed: number;
  overdue: number;
  tracked_seconds: number;
  billable_seconds: number;
}

const minutesOf = (seconds: number): number => Math.floor(seconds / 60);
const ratioOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/**
 * Returns the members of a project, and all users with time in the project. Only its managers read the time of others.
 */
export async function readMembers(
  db: Db,
  caller: Caller,
  { id, role }: AccessibleProject,
  day: string,
): Promise<Member[]> {
  const rows = await db.rows<Row>(sql`
    SELECT json_build_object('id', users.id, 'name', users.name, 'kind', users.kind) AS user, member.role,
      coalesce(cards.open, 0) AS open, coalesce(cards.completed, 0) AS completed, coalesce(cards.overdue, 0) AS overdue,
      coalesce(time.tracked_seconds, 0) AS tracked_seconds, coalesce(time.billable_seconds, 0) AS billable_seconds
    FROM (
      SELECT user_id FROM project_members WHERE project_id = ${id}::uuid
      UNION SELECT user_id FROM member_time WHERE project_id = ${id}::uuid AND tracked_seconds > 0) AS person
    JOIN users ON users.id = person.user_id
    LEFT JOIN project_members AS member ON member.project_id = ${id}::uuid AND member.user_id = person.user_id
    LEFT JOIN member_time AS time ON time.project_id = ${id}::uuid AND time.user_id = person.user_id
    LEFT JOIN (
      SELECT user_id, count(*) FILTER (WHERE side = 'open') AS open, count(*) FILTER (WHERE side = 'completed') AS completed,
        count(*) FILTER (WHERE side = 'open' AND due_date < ${day}::date) AS overdue
      FROM assigned_cards
      WHERE project_id = ${id}::uuid AND kind = 'task' AND ${visibleKinds(caller).includes('task')}::boolean
      GROUP BY user_id) AS cards ON cards.user_id = person.user_id
    ORDER BY users.name, users.id`);
  return rows.map(({ tracked_seconds, billable_seconds, ...metrics }) => {
    const isShown = role === 'manager' || metrics.user.id === caller.user_id;
    return {
      ...metrics,
      tracked_minutes: isShown ? minutesOf(tracked_seconds) : null,
      billable_minutes: isShown ? minutesOf(billable_seconds) : null,
      utilisation: isShown ? ratioOf(billable_seconds, tracked_seconds) : null,
    };
  });
}
