/** Actions on members of projects. Managers change them, and members can leave. */
import { raw, sql } from '@suite/chassis/database';
import { recordActions } from '@suite/chassis/operations';
import { hasRole } from '../../work/access/access.ts';
import { isInActiveProject } from '../../work/access/project-actions.ts';

export const memberActions = recordActions(
  'project_member',
  { update: 'project.update', delete: 'project.update' },
  {
    when(action, caller, table) {
      const project = raw(`${table}.project_id`);
      const self = action === 'delete' ? sql`${raw(`${table}.user_id`)} = ${caller.user_id}::uuid` : sql`FALSE`;
      return sql`(${self} OR ${hasRole(caller, project, 'manager')}) AND ${isInActiveProject(project)}`;
    },
  },
);
