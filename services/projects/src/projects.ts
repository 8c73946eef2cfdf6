import { service } from '@suite/chassis/service';
import { storeAvatar, userFollowers } from '@suite/user-copies';
import { projectStates } from './work/access/project.rules.ts';
import * as projectActivities from './work/activities/activities.api.ts';
import * as projectClients from './work/clients/clients.api.ts';
import { beginProjectOfDeal } from './consumers/crm.deal-won.ts';
import { renameCustomer } from './consumers/finance.customer-updated.ts';
import { addExpense } from './consumers/finance.expense-posted.ts';
import { recordExpenseReversal } from './consumers/finance.expense-reversed.ts';
import { endMembershipsOfLeaver } from './consumers/hr.employee-left.ts';
import { endAllMemberships } from './consumers/platform.user-deleted.ts';
import * as bugs from './tasks/bugs/bugs.api.ts';
import * as comments from './work/comments/comments.api.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { copyTimezoneOfWorkspace } from './consumers/platform.workspace-settings-changed.ts';
import { removeDiscardedFiles } from './work/files/file-removal.ts';
import { reportStorage } from './work/files/report-storage.ts';
import * as projectFiles from './work/files/files.api.ts';
import { PrismaClient } from './generated/client.ts';
import * as lightProjects from './tasks/lightproj/light-projects.api.ts';
import { dailyMail } from './work/notifications/daily-mail.ts';
import { deliverQueuedMail } from './work/notifications/mail-delivery.ts';
import * as projectNotifications from './work/notifications/notifications.api.ts';
import { storeTimezone } from './work/notifications/user-timezone.ts';
import * as projectMembers from './projects/members/members.api.ts';
import { milestoneStates } from './projects/milestones/milestone.rules.ts';
import * as milestones from './projects/milestones/milestones.api.ts';
import { calls, on } from './operations.ts';
import * as projectRecords from './projects/projects/projects.api.ts';
import * as projectSettings from './work/settings/settings.api.ts';
import { projectsRpc } from './rpc/projects.rpc.ts';
import * as bugStages from './work/stages/bug-stages.api.ts';
import * as taskStages from './work/stages/task-stages.api.ts';
import * as lightTasks from './tasks/lightproj/light-tasks.api.ts';
import * as projectReports from './reports/reports.api.ts';
import { recurringTasks } from './work/recurrence/recurring-tasks.ts';
import * as taskSubtasks from './tasks/tasks/task-subtasks.api.ts';
import * as tasks from './tasks/tasks/tasks.api.ts';
import * as billing from './billing/billing/billing.api.ts';
import { runStates } from './billing/billing/billing.rules.ts';
import { finishOpenBilling, requestDraft } from './billing/billing/draft-request.ts';
import { releaseCancelledInvoice } from './consumers/finance.sales-invoice-cancelled.ts';
import { completePostedBilling } from './consumers/finance.sales-invoice-posted.ts';
import { releaseDeletedDraft } from './consumers/finance.sales-invoice-deleted.ts';
import * as timeSettings from './time/time-settings/time-settings.api.ts';
import * as timeEntries from './time/time/time-entries.api.ts';
import { timeStates } from './time/time/time-entry.rules.ts';
import { stopTimers } from './time/timers/timer-stop.ts';
import * as trackerLogin from './time/tracker-login/tracker-login.api.ts';
import * as trackers from './time/timers/trackers.api.ts';
import * as timesheets from './time/timesheets/timesheets.api.ts';
import { owns, references } from './references.ts';
import { records } from './records.ts';
import { visibilityRules } from './visibility.ts';
import { stageActions } from './work/stages/stage.rules.ts';
import { fileActions } from './work/files/file.rules.ts';
import { commentActions } from './work/comments/comment.rules.ts';
import { subtaskActions } from './tasks/subtasks/subtask.rules.ts';
import { memberActions } from './projects/members/member.rules.ts';
import { clientActions } from './work/clients/client.rules.ts';
import { settingsActions } from './work/settings/settings.rules.ts';
import { workItemActions } from './work/work-items/card.rules.ts';
import { copies, publishes } from './copies.ts';

/** Projects with their tasks, bugs and time entries. */
export const projects = service({
  name: 'projects',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  records,
  record_readers: ['platform'],
  operations: {
    projects: projectRecords,
    projectMembers,
    projectClients,
    milestones,
    taskStages,
    bugStages,
    projectFiles,
    projectActivities,
    projectSettings,
    projectNotifications,
    lightProjects,
    tasks,
    taskSubtasks,
    bugs,
    comments,
    lightTasks,
    timeSettings,
    timeEntries,
    trackerLogin,
    trackers,
    timesheets,
    billing,
    projectReports,
  },
  lifecycles: [
    projectStates,
    milestoneStates,
    timeStates,
    runStates,
    stageActions,
    fileActions,
    commentActions.task,
    commentActions.bug,
    subtaskActions,
    memberActions,
    clientActions,
    settingsActions,
    workItemActions.task,
    workItemActions.bug,
  ],
  consumers: [
    openWorkspace,
    copyTimezoneOfWorkspace,
    ...userFollowers(on, 'projects', undefined, async (db, person, as_of) => {
      await storeTimezone(db, person, as_of);
      await storeAvatar(db, person, as_of);
    }),
    endMembershipsOfLeaver,
    endAllMemberships,
    beginProjectOfDeal,
    renameCustomer,
    completePostedBilling,
    releaseDeletedDraft,
    releaseCancelledInvoice,
    addExpense,
    recordExpenseReversal,
  ],
  schedules: [
    deliverQueuedMail,
    dailyMail,
    removeDiscardedFiles,
    reportStorage,
    recurringTasks,
    stopTimers,
    finishOpenBilling,
  ],
  rpc: [projectsRpc],
  calls,
  references,
  owns,
  publishes,
  copies,
  steps: [requestDraft],
});
