/**
 * Factories for time entries of projects, and their example calls. `$submitted_time` is the ID of a shared record, and
 * `$submitted_time!` the ID of a record created for the call.
 */
import { clock } from '@suite/chassis/runtime';
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { PASSWORD } from '../platform/people.ts';

const DAY_MS = 86_400_000;

/** Returns a day in the distant past without other time entries. */
const dayAgo = (days: number): string => new Date(clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);

/** Creates a time entry of an hour for the owner on a project. */
async function hourOn(recorder: ExampleRecorder, day: string, project: Row): Promise<Row> {
  const hour = { started_at: `${day}T08:00:00Z`, ended_at: `${day}T09:00:00Z` };
  return await recorder.call('trackers.start', { body: { project_id: project.id, timezone: 'UTC', ...hour } });
}

/** Creates an hour that awaits approval or is approved. The owner works alone here, and approves their own time. */
async function submittedHour(recorder: ExampleRecorder, day: string, project: Row, isApproved = false): Promise<Row> {
  await recorder.call('timeSettings.update', { body: { self_approval: true } });
  const entry = await hourOn(recorder, day, project);
  await recorder.call('timesheets.submit', { body: { from: day, to: day } });
  if (isApproved) await recorder.call('timesheets.approve', { body: { entry_ids: [entry.id] } });
  return entry;
}

export const time: Record<string, ExampleFactory> = {
  time_entry: async (recorder, serial) => await hourOn(recorder, dayAgo(40 + serial), await recorder.shared('project')),
  submitted_time: async (recorder, serial) =>
    await submittedHour(recorder, dayAgo(80 + serial), await recorder.shared('project')),
  running_time: async (recorder) => {
    const { id } = await recorder.shared('project');
    return await recorder.call('trackers.start', { body: { project_id: id } });
  },
  billable_project: async (recorder, serial) => {
    const customer = await recorder.shared('customer');
    const body = { name: `Shop ${serial}`, status: 'in_progress', customer_id: customer.id, hourly_rate: '80.00' };
    const project = await recorder.call('projects.create', { body });
    await submittedHour(recorder, dayAgo(120 + serial), project, true);
    return project;
  },
};

export const timeCalls: Record<string, ExampleCall> = {
  'trackerLogin.login': {
    as: '',
    body: { email: '$person!.email', password: PASSWORD, device: 'Desk at home' },
  },
  'trackers.start': { body: { project_id: '$project', description: 'Drawing the pages' } },
  'trackers.stop': { body: { id: '$running_time!' } },
  'timeEntries.update': { path: { id: '$time_entry!' }, body: { description: 'Drawing the pages again' } },
  'timeEntries.remove': { path: { id: '$time_entry!' } },
  'timeEntries.exportAll': { query: { from: '2026-11-01', to: '2026-11-30' } },
  'timesheets.submit': { body: { from: '2026-11-16', to: '2026-11-22' } },
  'timesheets.approve': { body: { entry_ids: ['$submitted_time!'] } },
  'timesheets.reject': { body: { entry_ids: ['$submitted_time!'], reason: 'Say what you did.' } },
  'timesheets.reopen': { body: { entry_ids: ['$submitted_time!'], reason: 'The hour was another one.' } },
  'timeSettings.update': { body: { auto_stop_hours: 10 } },
  'billing.invoice': { path: { id: '$billable_project!' }, body: { group_by: 'task' } },
};
