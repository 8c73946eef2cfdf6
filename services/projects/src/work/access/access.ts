/** Permissions of the caller in a project. Visibility was checked before: the caller can see the project. */
import { regardlessOfVisibility, type Sql, sql } from '@suite/chassis/database';
import { type Fault, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { assertActive, assertRole, PROJECT_ROLES, type ProjectRole } from './project.rules.ts';

/** Project with the fields that operations inside it need. */
export interface AccessibleProject {
  id: string;
  code: string;
  name: string;
  status: string;
  active: boolean;
  currency: string;
  wip_policy: 'refuse' | 'warn';
  is_template: boolean;
  /** Role of the caller. Undefined for clients. */
  role: ProjectRole | undefined;
}

/** Facts that decide on the role of a caller in a project. */
export interface RoleFacts {
  membership: ProjectRole | null;
  visibility: string;
}

type Row = Omit<AccessibleProject, 'role'> & RoleFacts;

/** Returns true for owners and staff, and false for clients and vendors. */
export const isInside = ({ kind }: Caller): boolean => kind === 'owner' || kind === 'staff';
const canManageAll = ({ record_scopes }: Caller): boolean => (record_scopes['project'] ?? 'all') === 'all';

/**
 * Returns the caller's role in a project. A caller who sees all projects manages all, within their permissions. Others
 * have the role of their membership.
 */
export function roleOf(caller: Caller, { membership, visibility }: RoleFacts): ProjectRole | undefined {
  if (!isInside(caller)) return undefined;
  if (canManageAll(caller)) return 'manager';
  return membership ?? (visibility === 'workspace' ? 'viewer' : undefined);
}

/** Lock of a project until the transaction ends: none, shared or exclusive. */
type ProjectLock = 'none' | 'share' | 'update';
const LOCKS: Record<ProjectLock, Sql> = {
  none: sql``,
  share: sql`FOR SHARE OF projects`,
  update: sql`FOR NO KEY UPDATE OF projects`,
};

interface AccessOptions {
  lock?: ProjectLock;
  absent?: () => Fault;
}

/**
 * Finds a project with the caller's role, which clients do not have. Includes archived projects.
 * @throws NotFound (or `absent`)
 */
export async function findProject(
  { db, caller }: { db: Db; caller: Caller },
  project_id: string,
  { lock = 'none', absent = NotFound }: AccessOptions = {},
): Promise<AccessibleProject> {
  const [row] = await db.rows<Row>(sql`
    SELECT id, code, name, status, active, currency, wip_policy, is_template, visibility, (
      SELECT role FROM project_members WHERE project_id = projects.id AND user_id = ${caller.user_id}::uuid) AS membership
    FROM projects WHERE id = ${project_id}::uuid ${LOCKS[lock]}`);
  if (!row) throw absent();
  const { membership: _, visibility: __, ...project } = row;
  return { ...project, role: roleOf(caller, row) };
}

/**
 * Returns the SQL condition that the caller has at least a role in the project of a row. Memberships are read once per
 * statement.
 * @param project the column that names the project
 */
export function hasRole(caller: Caller, project: Sql, least: Exclude<ProjectRole, 'viewer'>): Sql {
  if (!isInside(caller)) return sql`FALSE`;
  if (canManageAll(caller)) return sql`TRUE`;
  const roles = PROJECT_ROLES.slice(PROJECT_ROLES.indexOf(least));
  return sql`${project} = ANY (ARRAY(
    SELECT project_id FROM project_members WHERE user_id = ${caller.user_id}::uuid AND role = ANY(${roles}::text[])))`;
}

/**
 * Finds a project for a change inside it, and locks it until the transaction ends. The project is neither archived nor
 * closed concurrently.
 * @param needs the minimum role
 * @param entrance.lock `update` for operations that change counters in the project row (numbers, progress). Two such
 * operations wait for each other
 * @throws NotFound (or `absent`), WrongProjectRole, ProjectArchived
 */
export async function enterProject(
  context: { db: Db; caller: Caller },
  project_id: string,
  needs: ProjectRole,
  { lock = 'share', ...entrance }: AccessOptions = {},
): Promise<AccessibleProject> {
  const project = await findProject(context, project_id, { lock, ...entrance });
  assertRole(project.role, needs);
  assertActive(project);
  return project;
}

/**
 * Returns the kinds of cards that the caller may see. Rows of cards are visible by membership. A kind without
 * permission is also left out of metrics and histories.
 */
export const visibleKinds = ({ permissions }: Caller): ('task' | 'bug')[] =>
  (['task', 'bug'] as const).filter((kind) => permissions.includes(`${kind}.view`));

/**
 * Reads whole projects that are visible to the caller, without a visibility check per row. Staff who see a project see
 * all its cards, and its report contains the time of all members. A check for each row would evaluate the visibility of
 * a hundred thousand cards. For clients, the restriction to shared records still applies.
 */
export const readWholeProjects = <T>(work: () => Promise<T>): Promise<T> => regardlessOfVisibility(work);
