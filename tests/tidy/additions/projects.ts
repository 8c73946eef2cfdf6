const timeKept =
  'time that was tracked must be read, corrected and taken out of the house: the specification only starts and stops it';
const timesheet =
  'time is approved by somebody else before it is paid or billed, and the specification names no operation for it';
const timeSettings = 'when timers stop, how time is rounded and which periods are closed is a choice of each workspace';

/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {
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
