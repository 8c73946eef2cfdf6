/** Types of records whose history users can read. */
import { recordTypes } from '@suite/chassis/service';
import { Milestone } from './projects/milestones/milestone.schema.ts';
import { Project } from './projects/projects/project.schema.ts';
import { Stage } from './work/stages/stage.schema.ts';
import { Bug, Task } from './work/work-items/card.schema.ts';

export const records = recordTypes('projects', {
  project: { table: 'projects', schema: Project, permissions: ['project.view'], module: 'projects' },
  task: { table: 'work_items', schema: Task, permissions: ['task.view'], module: 'projects', kind: 'task' },
  bug: { table: 'work_items', schema: Bug, permissions: ['bug.view'], module: 'projects', kind: 'bug' },
  milestone: { table: 'milestones', schema: Milestone, permissions: ['milestone.view'], module: 'projects' },
  stage: { table: 'stages', schema: Stage, permissions: ['stage.view'], module: 'projects' },
});
