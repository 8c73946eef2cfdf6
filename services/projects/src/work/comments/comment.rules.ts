/** Actions on comments. The author updates a comment. The author and project managers delete it. */
import { raw, sql } from '@suite/chassis/database';
import { recordActions } from '@suite/chassis/operations';
import { hasRole } from '../access/access.ts';
import { isInActiveProject } from '../access/project-actions.ts';
import type { WorkItemKind } from '../work-items/card.rules.ts';

const actions = (kind: WorkItemKind, remover: string) =>
  recordActions(
    `${kind}_comment`,
    {
      update: { permission: 'project.view', by: 'comments.update' },
      delete: { permission: `${kind}.view`, by: remover },
    },
    {
      when(action, caller, table) {
        const project = sql`(SELECT project_id FROM work_items WHERE work_items.id = ${raw(`${table}.item_id`)})`;
        const manager = action === 'delete' ? hasRole(caller, project, 'manager') : sql`FALSE`;
        return sql`${raw(`${table}.deleted_at`)} IS NULL
          AND (${raw(`${table}.author_id`)} IS NOT DISTINCT FROM ${caller.user_id}::uuid OR ${manager})
          AND ${isInActiveProject(project)}`;
      },
    },
  );

export const commentActions = {
  task: actions('task', 'comments.removeFromTask'),
  bug: actions('bug', 'comments.removeFromBug'),
};
