/** Creates, updates and deletes teams. */
import { change, find, remove, violatedConstraint } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { assertUnused } from '@suite/chassis/lists';
import type { Emit } from '@suite/chassis/operations';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { rightsOverTeam } from '../../identity/roles/record-scope.ts';
import { RoleExceedsCaller, includesRights, rightsOf } from '../../identity/roles/role.rules.ts';
import { setMembers } from './membership.ts';
import type { NewTeam, TeamChange } from './team.schema.ts';

export const TeamNameTaken = fault(409, 'already_exists', 'A team with this name already exists. Choose another name.');

async function withNameFault<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    throw violatedConstraint(error) === 'teams_workspace_id_name_key' ? TeamNameTaken() : error;
  });
}

/**
 * Checks that the caller can see all team records that these members' roles show. The caller could otherwise gain or
 * grant access to further records.
 * @throws RoleExceedsCaller
 */
async function assertCanCompose(db: Db, caller: Caller, member_ids: readonly string[]): Promise<void> {
  const roles = await db.role.findMany({ where: { users: { some: { id: { in: [...member_ids] } } } } });
  for (const role of roles) if (!includesRights(caller, rightsOverTeam(rightsOf(role)))) throw RoleExceedsCaller();
}

/** Creates a team. @throws RoleExceedsCaller, InAnotherTeam, TeamNameTaken, ValidationFailed */
export async function createTeam(
  db: Db,
  emit: Emit,
  caller: Caller,
  { member_ids, ...team }: z.output<typeof NewTeam>,
): Promise<string> {
  await assertCanCompose(db, caller, member_ids);
  const { id } = await withNameFault(db.team.create({ data: team }));
  await setMembers(db, emit, id, member_ids);
  return id;
}

/**
 * Changes a team. Its members see each other's records immediately, and no longer the records of former members.
 * @throws NotFound, RoleExceedsCaller, InAnotherTeam, TeamNameTaken, ValidationFailed, Stale
 */
export async function changeTeam(
  db: Db,
  emit: Emit,
  caller: Caller,
  id: string,
  { member_ids, ...changes }: Omit<z.output<typeof TeamChange>, 'version'>,
  expect: number | undefined,
): Promise<void> {
  const { name } = await find(db.team, id);
  if (member_ids) await assertCanCompose(db, caller, member_ids);
  // Locks the team, so that changes of its members are serialized.
  await withNameFault(change(db.team, id, { name, ...changes }, expect));
  if (member_ids) await setMembers(db, emit, id, member_ids);
}

/**
 * Deletes an empty team. Chosen: a team with members is not deleted, like a role in use. Members therefore do not lose
 * access to each other's records by mistake.
 * @throws NotFound, InUse
 */
export async function deleteTeam(db: Db, id: string): Promise<{ id: string }> {
  await assertUnused(
    async () => ({ user_count: await db.teamMember.count({ where: { team_id: id } }) }),
    (seen) => ({ held_by: 'users', ...seen }),
  );
  return await remove(db.team, id);
}
