/** Fixture for tests of reports: a project and the requests that fill it, on a day in April 2026. */
import { randomUUID } from 'node:crypto';
import { type Member, freezeClock } from '@suite/testing';
import type { openProjects } from './fixture.ts';
import { makeProject } from './project.ts';

type Fixture = Awaited<ReturnType<typeof openProjects>>;

export const scope = { record_scopes: { project: 'own' } } as const;
export const TODAY = '2026-04-01T10:00:00Z';

/** Returns the record of a response. @throws an Error with the response body if it is a fault */
function recordOf({ status, body }: { status: number; body: { data: { id: string } } }): string {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data.id;
}

/** Creates a workspace with a project that its owner manages and another user works on. */
export async function reportedProject({ serving, office: openOffice }: Pick<Fixture, 'serving' | 'office'>) {
  freezeClock(TODAY);
  const office = await openOffice();
  const { owner, workspace } = office;
  const worker = office.member({ ...scope, name: 'Grace Example' });
  const project = await makeProject(serving, office, { members: [[worker, 'member']] });
  const { id: project_id } = project;
  return {
    office,
    owner,
    worker,
    project,
    reportOf: async (by: Member, query = '') => (await by.get(`/api/project/report/${project_id}${query}`)).body.data,
    change: async (body: object) => recordOf(await owner.post(`/api/project/update/${project_id}`, body)),
    task: async (body: object = {}) =>
      recordOf(await owner.post(`/api/project/${project_id}/task/create`, { title: 'Draw', ...body })),
    bug: async (body: object = {}) =>
      recordOf(await owner.post(`/api/project/bug/create/${project_id}`, { title: 'It blinks', ...body })),
    stage: (name: string) => project.taskStages[name],
    /** Records time of a user on a day in March. */
    track: async (by: Member, day: string, minutes: number, more: object = {}) => {
      const started_at = new Date(`2026-03-${day}T08:00:00Z`);
      const ended_at = new Date(started_at.getTime() + minutes * 60_000);
      return recordOf(await by.post('/api/add-tracker', { project_id, started_at, ended_at, ...more }));
    },
    rates: ({ caller: { user_id } }: Member, cost_rate: string, role = 'member') =>
      owner.post('/api/project/member/create', { project_id, user_id, role, hourly_rate: '90', cost_rate }),
    /** Inserts an expense as received from finance. */
    expense: (net: string, more: { currency?: string; rate?: string; base_net?: string; reversed?: boolean } = {}) => {
      const { currency = 'EUR', rate = '1', base_net = net, reversed = false } = more;
      return serving.sql`
        INSERT INTO project_expenses (id, workspace_id, project_id, date, net, currency, rate, base_net, base_currency, reversed)
        VALUES (${randomUUID()}, ${workspace}, ${project_id}, '2026-03-10', ${net}::numeric, ${currency}, ${rate}::numeric,
          ${base_net}::numeric, 'EUR', ${reversed}::boolean)`;
    },
  };
}
