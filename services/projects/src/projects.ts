import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as bugs from './bugs/bugs.api.ts';
import * as comments from './comments/comments.api.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { PrismaClient } from './generated/client.ts';
import { calls, on } from './operations.ts';
import * as lightTasks from './lightproj/light-tasks.api.ts';
import { recurringTasks } from './recurrence/recurring-tasks.ts';
import * as stages from './stages/stages.api.ts';
import * as taskSubtasks from './tasks/task-subtasks.api.ts';
import * as tasks from './tasks/tasks.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** Projects with their tasks and bugs, and the time that is spent on them. */
export const projects = service({
  name: 'projects',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: { stages, tasks, taskSubtasks, bugs, comments, lightTasks },
  lifecycles: [],
  consumers: [openWorkspace, ...userFollowers(on, 'projects')],
  schedules: [recurringTasks],
  calls,
});
