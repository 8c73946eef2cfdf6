const timeKept =
  'time that was tracked must be read, corrected and taken out of the house: the specification only starts and stops it';
const timesheet =
  'time is approved by somebody else before it is paid or billed, and the specification names no operation for it';
const timeSettings = 'when timers stop, how time is rounded and which periods are closed is a choice of each workspace';

/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {
  'POST /api/project/member/create': 'nobody could be added to a project without replacing all of its members',
  'GET /api/project/file/download/{token}': 'files are handed out by short-lived links',
  'GET /api/project/activity/{id}': 'the history of a project would show its last lines only',
  'GET /api/project/settings': 'what becomes of blocked tasks and won deals is a choice of the workspace',
  'POST /api/project/settings/update': 'what becomes of blocked tasks and won deals is a choice of the workspace',
  'DELETE /api/project/task-subtask/delete/{subtask_id}': 'a line of a checklist can be deleted',
  'POST /api/project/comment/update/{comment_id}': 'the author of a comment can correct it',
  'POST /api/project/task/move/{task_id}': 'a task can go to another project, and keeps its history',
  'GET /api/project/notification-settings': 'people choose what they are told of',
  'POST /api/project/notification-settings': 'people choose what they are told of',
  'POST /api/project/task/watch/{task_id}': 'people choose what they are told of',
  'POST /api/project/bug/watch/{bug_id}': 'people choose what they are told of',
  'GET /api/tracker': 'a tracker that asked for a second factor, or was refreshed, reads what to track time on',
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
  'POST /api/project/invoice/{id}': 'approved time becomes an invoice where the project is, as an order does',
};
