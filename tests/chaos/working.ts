/** The work of a team: cards that are moved, timers, and time that is entered, approved and billed. */
import { dataOf, type HttpCaller } from '@suite/testing/http';
import type { Task, CreatedRecord } from '@suite/tools/load/load-worker';
import type { Business } from '@suite/tools/load/trading';

/** Two projects for moving tasks between them. */
export interface Office {
  project_id: string;
  other_project_id: string;
  /** The stage of the first project for completed tasks. */
  done_stage_id: string;
}

/** Creates two projects in which employees approve their own time. */
export async function openOffice(person: HttpCaller): Promise<Office> {
  const project = async (name: string): Promise<CreatedRecord> =>
    await dataOf(person.post('/api/projects/create', { name, status: 'in_progress' }));
  await dataOf(person.post('/api/time-settings/update', { self_approval: true }));
  const [{ id: project_id }, { id: other_project_id }] = [await project('Website'), await project('Warehouse')];
  const stages: CreatedRecord[] = await dataOf(
    person.get(`/api/project/task-stages?project_id=${project_id}&group=completed`),
  );
  return { project_id, other_project_id, done_stage_id: String(stages[0]?.id) };
}

/** Creates a task with comments, moves it to the top of the last column, and moves it to another project. */
export const moveTask =
  ({ project_id, other_project_id, done_stage_id: stage_id }: Office): Task =>
  async ({ marker, step }) => {
    const { id: task_id } = await step('task', `/api/project/${project_id}/task/create`, { title: marker });
    await step('comment', `/api/project/task/${task_id}/comment/create`, { body: marker });
    await step('drag', '/api/lightproj/task-stage-update', { task_id, stage_id, position: 0 });
    await step('handing over', `/api/project/task/move/${task_id}`, { project_id: other_project_id });
  };

/** Starts a timer and stops it after a moment. */
export const trackTime =
  ({ project_id }: Office): Task =>
  async ({ marker, step }) => {
    const { id } = await step('timer', '/api/add-tracker', { project_id, description: marker });
    await step('stop', '/api/stop-tracker', { id });
  };

const FIRST_DAY = Date.parse('2021-01-04T08:00:00Z');
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Creates a project with an hour on a day without other work. The hour is approved and invoiced. */
export const invoiceHours = ({ customer_id }: Business): Task => {
  let days = 0;
  return async ({ marker, step }) => {
    const project = { name: marker, customer_id, hourly_rate: '80', status: 'in_progress' };
    const { id: project_id } = await step('project', '/api/projects/create', project);
    const { id: task_id } = await step('work', `/api/project/${project_id}/task/create`, { title: marker });
    const started_at = new Date(FIRST_DAY + (days += 1) * DAY_MS);
    const hour = { started_at, ended_at: new Date(started_at.getTime() + HOUR_MS), timezone: 'UTC' };
    const time = await step('hour', '/api/add-tracker', { project_id, task_id, description: marker, ...hour });
    const day = started_at.toISOString().slice(0, 10);
    await step('submission', '/api/timesheet/submit', { from: day, to: day });
    await step('time approval', '/api/timesheet/approve', { entry_ids: [time.id] });
    await step('billing', `/api/project/invoice/${project_id}`);
  };
};
