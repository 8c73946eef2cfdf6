/** Team memberships. The scope `team` shows the records of all members, so each change affects permissions. */
import { sql, violatedConstraint } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { UserAccessChanged } from '@suite/proto/platform/v1/events';
import type { Db } from '../../operations.ts';

export const InAnotherTeam = fault(
  409,
  'in_another_team',
  'One of these users is in another team. Remove them from that team first.',
);

/** Checks if a kind of user can be in a team. Only owners and staff can. */
export const isTeamKind = (kind: string): boolean => kind === 'owner' || kind === 'staff';

const membersOf = async (db: Db, team_id: string): Promise<string[]> => {
  const members = await db.teamMember.findMany({ where: { team_id }, select: { user_id: true } });
  return members.map(({ user_id }) => user_id);
};

function emitAccessChanged(emit: Emit, user_ids: Iterable<string>): void {
  for (const user_id of user_ids) emit(UserAccessChanged, { user_id });
}

/** Asserts that all users are owners or staff, and locks them until the transaction ends. @throws ValidationFailed */
async function assertStaff(db: Db, user_ids: readonly string[]): Promise<void> {
  const found = await db.rows(sql`
    SELECT id FROM users WHERE id = ANY(${user_ids}::uuid[]) AND kind IN ('owner', 'staff') AND status <> 'deleted'
    ORDER BY id FOR SHARE`);
  if (found.length < user_ids.length) throw invalid('member_ids', 'Staff user not found.');
}

/**
 * Replaces the members of a team. The team must be locked.
 * @throws InAnotherTeam, ValidationFailed
 */
export async function setMembers(db: Db, emit: Emit, team_id: string, member_ids: readonly string[]): Promise<void> {
  const current = await membersOf(db, team_id);
  const added = member_ids.filter((user_id) => !current.includes(user_id)).toSorted();
  const removed = current.filter((user_id) => !member_ids.includes(user_id));
  if (added.length + removed.length === 0) return;
  await assertStaff(db, added);
  await db.teamMember.deleteMany({ where: { team_id, user_id: { in: removed } } });
  const data = added.map((user_id) => ({ team_id, user_id }));
  await db.teamMember.createMany({ data }).catch((error: unknown) => {
    throw violatedConstraint(error) === 'team_members_workspace_id_user_id_key' ? InAnotherTeam() : error;
  });
  emitAccessChanged(emit, new Set([...current, ...added]));
}

/** Removes a user from their team, if they have one. */
export async function leaveTeam(db: Db, emit: Emit, user_id: string): Promise<void> {
  const [membership] = await db.rows<{ team_id: string }>(sql`
    DELETE FROM team_members WHERE user_id = ${user_id}::uuid RETURNING team_id`);
  if (!membership) return;
  // Increases the version of the previous team, because its members changed.
  await db.rows(sql`UPDATE teams SET name = name WHERE id = ${membership.team_id}::uuid`);
  emitAccessChanged(emit, [user_id, ...(await membersOf(db, membership.team_id))]);
}
