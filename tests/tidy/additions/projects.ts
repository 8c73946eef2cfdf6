const timeKept = 'tracked time must be read, corrected and exported: the specification only starts and stops it';
const timesheet =
  'another user approves time before it is paid or billed, and the specification names no operation for it';
const timeSettings = 'each workspace configures when timers stop, how time is rounded and which periods are closed';

/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {
  'POST /api/project/member/create': 'adding one project member would otherwise require replacing all members',
  'GET /api/project/file/download/{token}': 'files are downloaded through short-lived links',
  'GET /api/project/activity/{id}': 'without it, only the last entries of a project history would be available',
  'GET /api/project/settings': 'the handling of blocked tasks and won deals is a choice of the workspace',
  'POST /api/project/settings/update': 'the handling of blocked tasks and won deals is a choice of the workspace',
  'DELETE /api/project/task-subtask/delete/{subtask_id}': 'checklist entries can be deleted',
  'POST /api/project/comment/update/{comment_id}': 'the author of a comment can correct it',
  'POST /api/project/task/move/{task_id}': 'a task can move to another project with its history',
  'GET /api/project/notification-settings': 'users choose their notifications',
  'POST /api/project/notification-settings': 'users choose their notifications',
  'POST /api/project/task/watch/{task_id}': 'users choose their notifications',
  'POST /api/project/bug/watch/{bug_id}': 'users choose their notifications',
  'GET /api/tracker': 'a tracker reads the available projects and tasks after a second factor or a refresh',
  'GET /api/time-entries': timeKept,
  'GET /api/time-entries/export': timeKept,
  'POST /api/time-entry/update/{id}': timeKept,
  'DELETE /api/time-entry/delete/{id}': timeKept,
  'GET /api/timesheets': timesheet,
  'POST /api/timesheet/submit': timesheet,
  'POST /api/timesheet/approve': timesheet,
  'POST /api/timesheet/reject': timesheet,
  'POST /api/timesheet/reopen': timesheet,
  'GET /api/time-settings': timeSettings,
  'POST /api/time-settings/update': timeSettings,
  'POST /api/project/invoice/{id}': 'approved time can be invoiced from the project, as an order can',
};
