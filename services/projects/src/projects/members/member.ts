/** Members of projects: joining, leaving, and the reassignment of open work. */
import { find, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { fetchStaff, type PlatformUser, upsertUserCopies } from '@suite/user-copies';
import { enterProject } from '../../work/access/access.ts';
import { ProjectUnmanaged, type ProjectRole } from '../../work/access/project.rules.ts';
import { type NewActivity, recordActivities } from '../../work/activities/activity.ts';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { stopTimersOf } from '../../time/timers/timer-stop.ts';
import type { MemberInput } from './member.schema.ts';

/** Requested membership. */
export interface Membership {
  user_id: string;
  role: ProjectRole;
  hourly_rate?: string | null | undefined;
  cost_rate?: string | null | undefined;
}

/** Requests future project members from platform. @throws a 422 for a user who is not staff or may not sign in */
export async function requestMembers(
  rpc: Rpc,
  user_ids: readonly string[],
  field = 'members',
): Promise<PlatformUser[]> {
  const people = await fetchStaff(rpc, { [field]: user_ids });
  if (people.some(({ status }) => status !== 'active')) throw invalid(field, 'User not found.');
  return people;
}

/** Checks that the project has a manager. Its row must be locked. @throws ProjectUnmanaged */
export async function assertManaged(db: Db, project_id: string): Promise<void> {
  const managers = await db.projectMember.count({ where: { project_id, role: 'manager' } });
  if (managers === 0) throw ProjectUnmanaged();
}

/** Removes a user from the open tasks and bugs of a project. @returns a history entry for each */
export async function unassign(db: Db, project_id: string, user_id: string): Promise<NewActivity[]> {
  const items = await db.rows<{ id: string; kind: 'task' | 'bug'; title: string; client_visible: boolean }>(sql`
    DELETE FROM assignees USING work_items
    WHERE assignees.user_id = ${user_id}::uuid AND work_items.id = assignees.item_id
      AND work_items.project_id = ${project_id}::uuid AND work_items."group" NOT IN ('completed', 'cancelled')
    RETURNING work_items.id, work_items.kind, work_items.title, work_items.client_visible`);
  return items.map(({ id, kind, title, client_visible }) => ({
    project_id,
    verb: 'unassigned',
    object: { type: kind, id, label: title },
    diff: { assignees: [user_id, null] },
    client_visible,
  }));
}

interface MemberRow {
  id: string;
  user_id: string;
  role: string;
  name: string;
  hourly_rate: string | null;
  cost_rate: string | null;
}

const membersIn = (db: Db, project_id: string): Promise<MemberRow[]> =>
  db.rows(sql`
    SELECT project_members.id, user_id, role, hourly_rate::text, cost_rate::text, name
    FROM project_members JOIN users ON users.id = user_id WHERE project_id = ${project_id}::uuid
    ORDER BY project_members.created_at, project_members.id`);

/** Context and time of the end of a membership. */
interface MembershipEnd {
  db: Db;
  emit: Emit;
  at: Date;
}

/**
 * Ends a membership: open work becomes unassigned, and the running timer in the project stops. Tracked time remains.
 */
async function end(
  { db, emit, at }: MembershipEnd,
  project_id: string,
  { id, user_id, name, role }: MemberRow,
): Promise<NewActivity[]> {
  await stopTimersOf({ db, emit }, user_id, at, project_id);
  await db.projectMember.deleteMany({ where: { id } });
  const object = { type: 'member', id, label: name } as const;
  const left: NewActivity = { project_id, verb: 'removed', object, diff: { role: [role, null] } };
  return [left, ...(await unassign(db, project_id, user_id))];
}

const memberActivity = (project_id: string, { id, name, role }: MemberRow, before: string | null): NewActivity => ({
  project_id,
  verb: before === null ? 'added' : 'updated',
  object: { type: 'member', id, label: name },
  diff: { role: [before, role] },
});

/**
 * Adds members to a project, or changes their role and rates. Omitted fields remain unchanged.
 * @returns the history entries of the changes
 */
export async function upsertMembers(
  db: Db,
  project_id: string,
  members: readonly Membership[],
): Promise<NewActivity[]> {
  const before = new Map((await membersIn(db, project_id)).map((row) => [row.user_id, row]));
  for (const { user_id, role, hourly_rate, cost_rate } of members) {
    const existing = before.get(user_id);
    const rates = {
      ...(hourly_rate !== undefined && { hourly_rate }),
      ...(cost_rate !== undefined && { cost_rate }),
    };
    if (existing) await db.projectMember.updateMany({ where: { id: existing.id }, data: { role, ...rates } });
    else await db.projectMember.create({ data: { project_id, user_id, role, ...rates } });
  }
  const names = new Set(members.map(({ user_id }) => user_id));
  return (await membersIn(db, project_id))
    .filter(({ user_id, role }) => names.has(user_id) && before.get(user_id)?.role !== role)
    .map((row) => memberActivity(project_id, row, before.get(row.user_id)?.role ?? null));
}

/** Replaces the members of a project. @throws ProjectUnmanaged */
export async function replaceMembers(
  { db, emit }: Pick<CommandContext, 'db' | 'emit'>,
  project_id: string,
  members: readonly Membership[],
): Promise<NewActivity[]> {
  const remaining = new Set(members.map(({ user_id }) => user_id));
  const lines: NewActivity[] = [];
  for (const row of await membersIn(db, project_id))
    if (!remaining.has(row.user_id)) lines.push(...(await end({ db, emit, at: clock.now() }, project_id, row)));
  lines.push(...(await upsertMembers(db, project_id, members)));
  await assertManaged(db, project_id);
  return lines;
}

/** Adds a member to a project, or changes their role. @throws ProjectUnmanaged */
export async function saveMember(
  context: CommandContext,
  { project_id, ...membership }: MemberInput,
  people: readonly PlatformUser[],
): Promise<{ created: boolean; id: string }> {
  const { db } = context;
  const { user_id } = membership;
  await enterProject(context, project_id, 'manager', {
    lock: 'update',
    absent: () => invalid('project_id', 'Project not found.'),
  });
  await upsertUserCopies(db, people);
  const existing = await db.projectMember.findFirst({ where: { project_id, user_id } });
  await recordActivities(db, await upsertMembers(db, project_id, [membership]));
  await assertManaged(db, project_id);
  const { id } = await db.projectMember.findFirstOrThrow({ where: { project_id, user_id } });
  return { created: !existing, id };
}

/** Removes a member from a project. Members may always leave. @throws ProjectUnmanaged */
export async function removeMember(context: CommandContext, id: string): Promise<{ id: string }> {
  const { db, caller, emit } = context;
  const { project_id, user_id } = await find(db.projectMember, id);
  const needs = user_id === caller.user_id ? 'viewer' : 'manager';
  await enterProject(context, project_id, needs, { lock: 'update' });
  const row = (await membersIn(db, project_id)).find((member) => member.id === id);
  if (!row) throw NotFound();
  await recordActivities(db, await end({ db, emit, at: clock.now() }, project_id, row));
  await assertManaged(db, project_id);
  return { id };
}

/** Returns the workspace owner who takes over from a user. Owners who can sign in come first. */
async function successorOf(db: Db, user_id: string): Promise<string | undefined> {
  const [owner] = await db.rows<{ id: string }>(sql`
    SELECT id FROM users WHERE kind = 'owner' AND status <> 'former' AND id <> ${user_id}::uuid
    ORDER BY status = 'active' DESC, id LIMIT 1`);
  return owner?.id;
}

/**
 * Ends all memberships of a user who has left for good, and stops their timer at the time of leaving. If the user was
 * the last manager of a project, an owner of the workspace takes over.
 * @throws an Error if an owner is needed and none is known yet; the event is then retried
 */
export async function endMemberships(leaving: MembershipEnd, user_id: string): Promise<void> {
  const { db, emit, at } = leaving;
  const rows = await db.rows<{ project_id: string }>(sql`
    SELECT projects.id AS project_id FROM projects WHERE id IN (
      SELECT project_id FROM project_members WHERE user_id = ${user_id}::uuid) ORDER BY id FOR NO KEY UPDATE`);
  await stopTimersOf({ db, emit }, user_id, at);
  for (const { project_id } of rows) {
    const members = await membersIn(db, project_id);
    const row = members.find((member) => member.user_id === user_id);
    const lines = row ? await end(leaving, project_id, row) : [];
    if (!members.some((member) => member.user_id !== user_id && member.role === 'manager')) {
      const heir = await successorOf(db, user_id);
      if (!heir) throw new Error('No workspace owner is available to take over.');
      lines.push(...(await upsertMembers(db, project_id, [{ user_id: heir, role: 'manager' }])));
    }
    await recordActivities(db, lines);
  }
  await db.projectClient.deleteMany({ where: { user_id } });
}

/** Returns the members named in a body, and the caller as a manager. */
export const managedBy = ({ user_id }: Caller, members: readonly Membership[]): Membership[] => [
  ...members.filter((member) => member.user_id !== user_id),
  { ...members.find((member) => member.user_id === user_id), user_id, role: 'manager' },
];
