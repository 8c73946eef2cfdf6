/** Projects for tests of time: with users, an open task and a completed one. */
import type { Reply } from '@suite/testing';
import type { ProjectsFixture } from './fixture.ts';

/** Options for a project. */
interface WorkedProjectOptions {
  /** Members in addition to the owner: roles by user ID. */
  members?: Readonly<Record<string, 'manager' | 'member' | 'viewer'>>;
  hourly_rate?: string;
  status?: 'finished';
  active?: boolean;
  customer_id?: string;
  currency?: string;
}

function dataOf({ status, body }: Reply) {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data;
}

/** Creates the project "Website" in euros and in progress, with an open task and a completed one. */
export async function workedProject({ owner }: ProjectsFixture, options: WorkedProjectOptions = {}) {
  const { members = {}, status, active, ...more } = options;
  const people = Object.entries(members)
    .filter(([user_id]) => user_id !== owner.caller.user_id)
    .map(([user_id, role]) => ({ user_id, role }));
  const body = { name: 'Website', currency: 'EUR', status: 'in_progress', members: people, ...more };
  const { id, code } = dataOf(await owner.post('/api/projects/create', body));
  const stages = dataOf(await owner.get(`/api/project/task-stages?project_id=${id}&group=completed`));
  const task = async (title: string, rest: object = {}) =>
    dataOf(await owner.post(`/api/project/${id}/task/create`, { title, ...rest })).id;
  const task_id = await task('Draw the page');
  const done_task_id = await task('Find a name', { stage_id: stages[0].id });
  if (status || active === false) dataOf(await owner.post(`/api/project/update/${id}`, { status, active }));
  return { id, code, task_id, done_task_id };
}
