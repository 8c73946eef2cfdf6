/** Actions on files. The uploader and project managers delete a file. */
import { raw, sql } from '@suite/chassis/database';
import { recordActions } from '@suite/chassis/operations';
import { hasRole } from '../access/access.ts';
import { isInActiveProject } from '../access/project-actions.ts';

export const fileActions = recordActions(
  'project_file',
  { delete: 'project.view' },
  {
    when(_, caller, table) {
      const project = raw(`${table}.project_id`);
      return sql`(${raw(`${table}.created_by`)} IS NOT DISTINCT FROM ${caller.user_id}::uuid OR ${hasRole(caller, project, 'manager')})
        AND ${isInActiveProject(project)}`;
    },
  },
);
