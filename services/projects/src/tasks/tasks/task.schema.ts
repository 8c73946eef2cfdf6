import { Id, idOf, input, refTo, ShortText, version } from '@suite/chassis/fields';
import { z } from 'zod';
import { ChangedTask } from '../../work/work-items/card.schema.ts';

/** ID or key of a task or a bug in a path. */
export const NameInPath = ShortText(60).min(1).describe('ID or key, such as `WEB-12`.').meta({ example: 'WEB-12' });

export const ProjectMove = input({
  project_id: refTo('projects'),
  stage_id: refTo('stages')
    .optional()
    .describe('ID of the stage in the new project. Defaults to the stage of new tasks.'),
});

export const MovedTask = ChangedTask.extend({
  dropped: z
    .object({
      milestone_id: Id.nullable(),
      parent_id: Id.nullable(),
      assignee_ids: z.array(Id).describe('IDs of assignees outside the new project.'),
      blocked_by: z.array(Id).describe('IDs of blocking items hidden from the members of the new project.'),
    })
    .describe('Values that were removed because they do not exist in the new project.'),
}).meta({ id: 'MovedTask' });

export const Watching = input({ watching: z.boolean() });

export const TaskStageMove = input({
  task_id: idOf('work_items'),
  stage_id: refTo('stages'),
  position: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Zero-based position in the column, among visible cards. Defaults to the end.'),
  version,
});
