import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import { projectStates } from './access/project.rules.ts';
import * as activities from './activities/activities.api.ts';
import * as clients from './clients/clients.api.ts';
import { beginProjectOfDeal } from './consumers/crm.deal-won.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { endAllMemberships } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { removeDiscardedFiles } from './files/file-removal.ts';
import * as files from './files/files.api.ts';
import { PrismaClient } from './generated/client.ts';
import * as lightProjects from './lightproj/light-projects.api.ts';
import * as members from './members/members.api.ts';
import { milestoneStates } from './milestones/milestone.rules.ts';
import * as milestones from './milestones/milestones.api.ts';
import { calls, on } from './operations.ts';
import * as projectRecords from './projects/projects.api.ts';
import * as settings from './settings/settings.api.ts';
import * as bugStages from './stages/bug-stages.api.ts';
import * as taskStages from './stages/task-stages.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** Projects with their tasks and bugs, and the time that is spent on them. */
export const projects = service({
  name: 'projects',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: {
    projects: projectRecords,
    members,
    clients,
    milestones,
    taskStages,
    bugStages,
    files,
    activities,
    settings,
    lightProjects,
  },
  lifecycles: [projectStates, milestoneStates],
  consumers: [openWorkspace, ...userFollowers(on, 'projects'), endAllMemberships, beginProjectOfDeal, renameCustomer],
  schedules: [removeDiscardedFiles],
  calls,
});
