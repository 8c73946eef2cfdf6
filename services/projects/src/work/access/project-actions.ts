/** Conditions of actions on records in projects: the caller's role, and a project that is not archived. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { hasRole, isInside } from './access.ts';
import type { ProjectRole } from './project.rules.ts';

/** Returns the SQL condition that a project is not archived. @param project the column that names the project */
export const isInActiveProject = (project: Sql): Sql =>
  sql`EXISTS (SELECT FROM projects WHERE projects.id = ${project} AND projects.active)`;

/**
 * Returns the SQL condition that the caller may change a record of a project. All staff who see the project have at least
 * the role `viewer`.
 * @param project the column that names the project
 * @param least the minimum role
 */
export function mayChange(caller: Caller, project: Sql, least: ProjectRole): Sql {
  if (!isInside(caller)) return sql`FALSE`;
  const role = least === 'viewer' ? sql`TRUE` : hasRole(caller, project, least);
  return sql`${role} AND ${isInActiveProject(project)}`;
}
