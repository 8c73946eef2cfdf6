/** The caller's rights in a project. Visibility was checked before: every caller here sees the project. */
import { type Caller, type Fault, NotFound, regardlessOfVisibility, type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { assertActive, assertRole, PROJECT_ROLES, type ProjectRole } from './project.rules.ts';

/** A project as far as whatever is done inside it has to know it. */
export interface EnteredProject {
  id: string;
  code: string;
  name: string;
  status: string;
  active: boolean;
  currency: string;
  wip_policy: 'refuse' | 'warn';
  is_template: boolean;
  /** The caller's role; undefined for clients. */
  role: ProjectRole | undefined;
}

type Row = Omit<EnteredProject, 'role'> & { membership: ProjectRole | null; visibility: string };

/** Owners and staff; clients and vendors are outside. */
export const isInside = ({ kind }: Caller): boolean => kind === 'owner' || kind === 'staff';
const managesAll = ({ record_scopes }: Caller): boolean => (record_scopes['project'] ?? 'all') === 'all';

/** A caller who sees all projects manages them all, within his permissions; others have the role of their membership. */
function roleOf(caller: Caller, { membership, visibility }: Row): ProjectRole | undefined {
  if (!isInside(caller)) return undefined;
  if (managesAll(caller)) return 'manager';
  return membership ?? (visibility === 'workspace' ? 'viewer' : undefined);
}

/** How a project is kept as it is until the transaction ends: by nobody, by several at once, by one at a time. */
type Lock = 'none' | 'share' | 'update';
const LOCKS: Record<Lock, Sql> = {
  none: sql``,
  share: sql`FOR SHARE OF projects`,
  update: sql`FOR NO KEY UPDATE OF projects`,
};

interface Entrance {
  lock?: Lock;
  absent?: () => Fault;
}

/**
 * Looks a project up with the caller's role in it, which clients do not have, archived or not.
 * @throws NotFound (or `absent`)
 */
export async function findProject(
  { db, caller }: { db: Db; caller: Caller },
  project_id: string,
  { lock = 'none', absent = NotFound }: Entrance = {},
): Promise<EnteredProject> {
  const [row] = await db.rows<Row>(sql`
    SELECT id, code, name, status, active, currency, wip_policy, is_template, visibility, (
      SELECT role FROM project_members WHERE project_id = projects.id AND user_id = ${caller.user_id}::uuid) AS membership
    FROM projects WHERE id = ${project_id}::uuid ${LOCKS[lock]}`);
  if (!row) throw absent();
  const { membership: _, visibility: __, ...project } = row;
  return { ...project, role: roleOf(caller, row) };
}

/**
 * Whether the caller has at least a role in the project of a row. His memberships are read once for a statement.
 * @param project the column that names the project
 */
export function hasRole(caller: Caller, project: Sql, least: Exclude<ProjectRole, 'viewer'>): Sql {
  if (!isInside(caller)) return sql`FALSE`;
  if (managesAll(caller)) return sql`TRUE`;
  const roles = PROJECT_ROLES.slice(PROJECT_ROLES.indexOf(least));
  return sql`${project} = ANY (ARRAY(
    SELECT project_id FROM project_members WHERE user_id = ${caller.user_id}::uuid AND role = ANY(${roles}::text[])))`;
}

/**
 * Looks a project up for somebody who wants to change something in it, and keeps it as it is until the transaction ends: it
 * is neither archived nor closed meanwhile.
 * @param needs the least role that it takes
 * @param entrance.lock `update` for who counts in the project's own row (numbers, progress); two of them wait for each other
 * @throws NotFound (or `absent`), WrongProjectRole, ProjectArchived
 */
export async function enterProject(
  context: { db: Db; caller: Caller },
  project_id: string,
  needs: ProjectRole,
  { lock = 'share', ...entrance }: Entrance = {},
): Promise<EnteredProject> {
  const project = await findProject(context, project_id, { lock, ...entrance });
  assertRole(project.role, needs);
  assertActive(project);
  return project;
}

/**
 * The kinds of cards that the caller may see. The rows of projects' cards are visible by membership; a kind that the caller
 * has no permission to see is left out of figures and histories, too.
 */
export const visibleKinds = ({ permissions }: Caller): ('task' | 'bug')[] =>
  (['task', 'bug'] as const).filter((kind) => permissions.includes(`${kind}.view`));

/**
 * Reads whole projects that the caller was found to see: somebody inside who sees a project sees all cards in it, and its report
 * tells him sums of the time of all. Row by row, the visibility of a hundred thousand cards would be asked for. Clients see what
 * is shared with them, here, too.
 */
export const ofWholeProjects = <T>(work: () => Promise<T>): Promise<T> => regardlessOfVisibility(work);
