/** Actions on stages. Managers change the stages of a project. The workspace's own stages require further permissions. */
import { raw, sql } from '@suite/chassis/database';
import { recordActions } from '@suite/chassis/operations';
import { mayChange } from '../access/project-actions.ts';

export const stageActions = recordActions(
  'project_stage',
  { update: 'project.update', delete: 'project.update' },
  {
    when(action, caller, table) {
      const project = raw(`${table}.project_id`);
      const isTemplateEditor = caller.permissions.includes(`stage.${action}`);
      return sql`CASE WHEN ${project} IS NULL THEN ${isTemplateEditor}::boolean ELSE ${mayChange(caller, project, 'manager')} END`;
    },
  },
);
