import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, stillClock } from '@suite/testing';
import { everything, type Office, openProjects } from '../../test/fixture.ts';
import { type MadeProject, makeProject } from '../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();

const scope = { record_scopes: { project: 'own' } } as const;
const TODAY = '2026-04-01T10:00:00Z';
let office: Office;
let owner: Member;
let worker: Member;
let project: MadeProject;
beforeEach(async () => {
  stillClock(TODAY);
  office = await openOffice();
  owner = office.owner;
  worker = office.member({ ...scope, name: 'Grace Example' });
  project = await makeProject(serving, office, { members: [[worker, 'member']] });
});

const reportOf = async (by: Member, query = '') =>
  (await by.get(`/api/project/report/${project.id}${query}`)).body.data;
const made = ({ status, body }: { status: number; body: { data: { id: string } } }): string => {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data.id;
};
const change = async (body: object) => made(await owner.post(`/api/project/update/${project.id}`, body));
const task = async (body: object = {}) =>
  made(await owner.post(`/api/project/${project.id}/task/create`, { title: 'Draw', ...body }));
const bug = async (body: object = {}) =>
  made(await owner.post(`/api/project/bug/create/${project.id}`, { title: 'It blinks', ...body }));
const stage = (name: string) => project.taskStages[name];
/** Time of somebody on a day of March. */
const track = async (by: Member, day: string, minutes: number, more: object = {}) => {
  const started_at = new Date(`2026-03-${day}T08:00:00Z`);
  const ended_at = new Date(started_at.getTime() + minutes * 60_000);
  return made(await by.post('/api/add-tracker', { project_id: project.id, started_at, ended_at, ...more }));
};
const rates = (member: Member, cost_rate: string, role = 'member') =>
  owner.post('/api/project/member/create', {
    project_id: project.id,
    user_id: member.caller.user_id,
    role,
    hourly_rate: '90',
    cost_rate,
  });
/** An expense that finance has told of. */
const expense = (
  net: string,
  more: { currency?: string; rate?: string; base_net?: string; reversed?: boolean } = {},
) => {
  const { currency = 'EUR', rate = '1', base_net = net, reversed = false } = more;
  return serving.sql`
    INSERT INTO project_expenses (id, workspace_id, project_id, date, net, currency, rate, base_net, base_currency, reversed)
    VALUES (gen_random_uuid(), ${office.workspace}, ${project.id}, '2026-03-10', ${net}::numeric, ${currency}, ${rate}::numeric,
      ${base_net}::numeric, 'EUR', ${reversed}::boolean)`;
};

describe('a report', () => {
  test('compares what was planned with what was tracked, running timers left out', async () => {
    const drawn = await task({ estimate_minutes: 60 });
    await task({ estimate_minutes: 30, stage_id: stage('Cancelled') });
    await task({ estimate_minutes: 45, stage_id: stage('Done') });
    const open = await task({ estimate_minutes: 100 });
    await task();
    await track(worker, '02', 90, { task_id: drawn });
    await track(worker, '03', 25, { task_id: open });
    await track(owner, '03', 10);
    await worker.post('/api/add-tracker', { project_id: project.id });
    expect((await reportOf(owner)).planned_tracked).toEqual({
      planned_minutes: 205,
      tracked_minutes: 125,
      remaining: 75,
      over: [{ id: drawn, key: `${project.code}-1`, title: 'Draw', estimate_minutes: 60, tracked_minutes: 90 }],
      unestimated: 1,
    });
  });

  test('adds up what time and expenses cost, to the cent, and compares it with the budget', async () => {
    await change({ budget: '100' });
    await rates(worker, '33.33');
    await track(worker, '02', 50);
    await track(worker, '03', 50, { billable: false });
    await expense('40');
    await expense('12.50', { currency: 'USD', rate: '0.8', base_net: '10' });
    await expense('5', { reversed: true });
    expect((await reportOf(owner)).cost).toEqual({
      currency: 'EUR',
      budget: '100.00',
      // 100 minutes at 33.33: added up before it is rounded, or there would be a cent more.
      time_cost: '55.55',
      expenses: '50.00',
      unconverted_expenses: 0,
      cost: '105.55',
      billable_amount: '75.00',
      invoiced_amount: '0.00',
      variance: '-5.55',
      used_percent: 105.55,
      over_budget: true,
    });
    expect((await owner.get(`/api/project/show/${project.id}`)).body.data).toMatchObject({
      budget: '100.00',
      cost: '105.55',
      used_percent: 105.55,
      over_budget: true,
      time: { tracked_minutes: 100, billable_minutes: 50 },
    });
    expect(await violations(office)).toEqual([]);
  });

  test('says which expenses it cannot convert, and has no percent without a budget', async () => {
    await serving.sql`UPDATE projects SET currency = 'CHF' WHERE id = ${project.id}`;
    await expense('10');
    await expense('7', { currency: 'CHF', rate: '1.05', base_net: '7.35' });
    expect((await reportOf(owner)).cost).toMatchObject({
      currency: 'CHF',
      expenses: '7.00',
      unconverted_expenses: 1,
      budget: null,
      variance: null,
      used_percent: null,
      over_budget: null,
    });
  });

  test('counts by stage and by person, and lists what is late', async () => {
    const assignee_ids = [worker.caller.user_id];
    const late = await task({ assignee_ids, due_date: '2026-03-20', estimate_minutes: 20 });
    await task({ assignee_ids, due_date: '2026-03-31' });
    await task({ assignee_ids, due_date: '2026-03-01', stage_id: stage('Done') });
    await task({ due_date: '2026-04-01', stage_id: stage('In progress') });
    await bug();
    await track(worker, '02', 90, { task_id: late });
    await track(worker, '03', 30, { billable: false });
    const { stages, members, overdue } = await reportOf(owner);
    expect(stages.tasks).toMatchObject([
      { name: 'Backlog', count: 0, estimate_minutes: 0, tracked_minutes: 0 },
      { name: 'To do', count: 2, estimate_minutes: 20, tracked_minutes: 90 },
      { name: 'In progress', count: 1 },
      { name: 'In review', count: 0 },
      { name: 'Done', count: 1 },
      { name: 'Cancelled', count: 0 },
    ]);
    expect(stages.bugs[0]).toMatchObject({ name: 'New', count: 1 });
    expect(members).toMatchObject([
      {
        user: { name: 'Grace Example' },
        role: 'member',
        open: 2,
        completed: 1,
        overdue: 2,
        tracked: 120,
        billable: 90,
        utilisation: 0.75,
      },
      { user: { name: 'Kim Example' }, role: 'manager', open: 0, tracked: 0, utilisation: null },
    ]);
    expect(overdue).toMatchObject({
      total: 2,
      tasks: [
        { id: late, key: `${project.code}-1`, due_date: '2026-03-20', days_late: 12, assignees: [{ kind: 'staff' }] },
        { due_date: '2026-03-31', days_late: 1 },
      ],
    });
  });

  test('names a hundred late tasks at most, and counts all', async () => {
    await serving.sql`
      INSERT INTO work_items (id, workspace_id, kind, project_id, number, title, stage_id, rank, due_date)
      SELECT gen_random_uuid(), ${office.workspace}, 'task', ${project.id}, n, 'Task', ${stage('To do')!}, n,
        '2026-03-01'::date - n FROM generate_series(1, 130) AS n`;
    const { total, tasks } = (await reportOf(owner)).overdue;
    expect([total, tasks.length, tasks[0].due_date]).toEqual([130, 100, '2025-10-22']);
  });

  test('tells how many bugs came, are open and are over, and how long that took', async () => {
    await bug({ severity: 'blocker' });
    const ids = [await bug(), await bug({ severity: 'major' })];
    for (const [at, id] of ids.entries())
      await serving.sql`
        UPDATE work_items SET stage_id = ${project.bugStages['Resolved']!}, "group" = 'completed', resolution = 'fixed',
          completed_at = created_at + interval '2 hours' + ${at} * interval '3 hours'
        WHERE id = ${id}`;
    expect((await reportOf(owner)).bugs).toEqual({
      opened: 3,
      closed: 2,
      open: { minor: 0, major: 0, critical: 0, blocker: 1 },
      median_hours_to_resolve: 3.5,
    });
  });
});

/** The history of a task, as steps between groups at moments. */
async function history(project_id: string, ...steps: [string, string | null, string | null][]): Promise<void> {
  const { taskStages } = project;
  const stageOf = {
    started: taskStages['In progress'],
    completed: taskStages['Done'],
    cancelled: taskStages['Cancelled'],
  };
  for (const [at, from, to] of steps)
    await serving.sql`
      INSERT INTO stage_changes (id, workspace_id, project_id, item_id, from_stage_id, from_group, to_stage_id, to_group, at)
      VALUES (gen_random_uuid(), ${office.workspace}, ${project_id}, gen_random_uuid(),
        ${from && stageOf[from as 'started']!}, ${from}, ${to && stageOf[to as 'started']!}, ${to}, ${at}::timestamptz)`;
}

describe('the burn-up', () => {
  const days = async (query = '?from=2026-03-28&to=2026-03-31', by = owner) => (await reportOf(by, query)).burn_up;
  const figures = async (query?: string, by?: Member) =>
    (await days(query, by)).map(({ day, scope: all, completed }: Record<string, unknown>) => [day, all, completed]);

  test('goes by the days of the workspace, over a day of 23 hours', async () => {
    await history(
      project.id,
      ['2026-03-28T22:45:00Z', null, 'started'],
      ['2026-03-28T23:00:00Z', null, 'started'],
      ['2026-03-29T21:59:59Z', 'started', 'completed'],
      ['2026-03-29T22:00:00Z', 'started', 'completed'],
      ['2026-03-30T12:00:00Z', 'completed', 'cancelled'],
    );
    expect(await figures()).toEqual([
      ['2026-03-28', 1, 0],
      ['2026-03-29', 2, 1],
      ['2026-03-30', 1, 1],
      ['2026-03-31', 1, 1],
    ]);
    const far = office.member({ timezone: 'Asia/Kathmandu' });
    expect(await figures('?from=2026-03-29&to=2026-03-30', far)).toEqual([
      ['2026-03-29', 2, 0],
      ['2026-03-30', 1, 1],
    ]);
  });

  test('counts a task that moved from the day on which it came or went, and leaves past days alone', async () => {
    await history(project.id, ['2026-03-28T10:00:00Z', null, 'started'], ['2026-03-29T10:00:00Z', 'started', null]);
    const past = await days();
    const other = await makeProject(serving, office);
    const id = await task({ stage_id: stage('Done') });
    await task();
    const ofToday = async () => {
      const now = new Date();
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(now);
      stillClock(now.toISOString());
      const [first] = await figures(`?from=${day}&to=${day}`);
      stillClock(TODAY);
      return first.slice(1);
    };
    expect(await ofToday()).toEqual([2, 1]);
    made(await owner.post(`/api/project/task/move/${id}`, { project_id: other.id }));
    expect(await ofToday()).toEqual([1, 0]);
    expect(await days()).toEqual(past);
    expect(await figures()).toEqual([
      ['2026-03-28', 1, 0],
      ['2026-03-29', 0, 0],
      ['2026-03-30', 0, 0],
      ['2026-03-31', 0, 0],
    ]);
    expect(await violations(office)).toEqual([]);
  });

  test('refuses days that are none', async () => {
    const refused = async (query: string) => (await owner.get(`/api/project/report/${project.id}${query}`)).body.errors;
    expect(await refused('?from=2025-01-01&to=2026-03-01')).toHaveProperty('to');
    expect(await refused('?from=2026-03-01&to=2026-02-01')).toHaveProperty('to');
    expect(await refused('?from=yesterday')).toHaveProperty('from');
    expect(await refused('?chart=pie')).toHaveProperty('chart');
  });
});

describe('the report is', () => {
  test('for the team: a member reads no money, and of time only sums and the own', async () => {
    await rates(worker, '40');
    await track(worker, '02', 60);
    await track(owner, '02', 30);
    await change({ budget: '10' });
    const { cost, planned_tracked, members } = await reportOf(worker);
    expect(Object.values(cost).filter((value) => value !== null)).toEqual(['EUR']);
    expect(planned_tracked.tracked_minutes).toBe(90);
    expect(members).toMatchObject([
      { user: { name: 'Grace Example' }, tracked: 60, utilisation: 1 },
      { user: { name: 'Kim Example' }, tracked: null, billable: null, utilisation: null },
    ]);
    const shown = (await worker.get(`/api/project/show/${project.id}`)).body.data;
    expect(shown).toMatchObject({ cost: null, used_percent: null, over_budget: null });
    const [line] = (await worker.get('/api/project/reports')).body.data;
    expect(line).toMatchObject({ tracked: 90, budget: null, cost: null, used_percent: null });
  });

  test('not for clients, whatever they may do, nor for outsiders', async () => {
    const client = office.member({ kind: 'client' });
    const theirs = await makeProject(serving, office, { clients: [client] });
    expect((await client.get(`/api/project/report/${theirs.id}`)).status).toBe(403);
    expect((await client.get('/api/project/reports')).status).toBe(403);
    const outsider = office.member(scope);
    expect((await outsider.get(`/api/project/report/${project.id}`)).status).toBe(404);
    expect((await outsider.get('/api/project/reports')).body).toMatchObject({
      data: [],
      meta: { total: 0, sums: { by_currency: [] } },
    });
    const can = everything.filter((permission) => permission !== 'report.view');
    expect((await office.member({ can }).get(`/api/project/report/${project.id}`)).status).toBe(403);
  });

  test('silent on bugs and on tasks for those who may not see them', async () => {
    await bug();
    await task({ due_date: '2026-03-01' });
    const blind = (refused: string) =>
      office.member({ can: everything.filter((permission) => permission !== refused) });
    const withoutBugs = await reportOf(blind('bug.view'));
    expect([withoutBugs.bugs, withoutBugs.stages.bugs]).toEqual([null, []]);
    const withoutTasks = await reportOf(blind('task.view'));
    expect([withoutTasks.overdue.total, withoutTasks.stages.tasks]).toEqual([0, []]);
    const [line] = (await blind('bug.view').get('/api/project/reports')).body.data;
    expect(line).toMatchObject({ open_bugs: 0, overdue: 1 });
  });
});

describe('the reports of all projects', () => {
  test('have a line for each, and add money up by currency', async () => {
    await change({ budget: '100' });
    await task({ estimate_minutes: 30, due_date: '2026-03-01' });
    await bug();
    await track(owner, '02', 90);
    await expense('25');
    const other = await makeProject(serving, office);
    await serving.sql`UPDATE projects SET currency = 'JPY', budget = 500, health = 'at_risk' WHERE id = ${other.id}`;
    const { data, meta } = (await owner.get('/api/project/reports?sort=code')).body;
    expect(data).toMatchObject([
      {
        project: { id: project.id, code: project.code },
        status: 'in_progress',
        progress: 0,
        planned: 30,
        tracked: 90,
        budget: '100.00',
        cost: '25.00',
        used_percent: 25,
        overdue: 1,
        open_bugs: 1,
        health: null,
      },
      {
        project: { id: other.id },
        planned: 0,
        tracked: 0,
        budget: '500.00',
        cost: '0.00',
        overdue: 0,
        health: 'at_risk',
      },
    ]);
    expect(meta.sums).toEqual({
      by_currency: [
        { currency: 'EUR', projects: 1, budget: '100.00', cost: '25.00' },
        { currency: 'JPY', projects: 1, budget: '500', cost: '0' },
      ],
    });
    const filtered = (await owner.get('/api/project/reports?health=at_risk&per_page=1')).body;
    expect([filtered.data.length, filtered.meta.sums.by_currency.length]).toEqual([1, 1]);
    const mine = await owner.get(`/api/project/reports?member_id=${worker.caller.user_id}&fields=id,cost`);
    expect(mine.body.data).toEqual([{ id: project.id, cost: '25.00' }]);
    expect((await owner.get('/api/project/reports?budget=1')).status).toBe(422);
  });

  test('add up the money of the projects alone that the caller manages', async () => {
    await change({ budget: '100' });
    const managed = await makeProject(serving, office, { members: [[worker, 'manager']] });
    await serving.sql`UPDATE projects SET budget = 7 WHERE id = ${managed.id}`;
    const { data, meta } = (await worker.get('/api/project/reports?sort=code')).body;
    expect(data).toMatchObject([{ budget: null }, { budget: '7.00' }]);
    expect(meta.sums.by_currency).toEqual([{ currency: 'EUR', projects: 1, budget: '7.00', cost: '0.00' }]);
  });
});

describe('a picture', () => {
  const picture = (accept: string, chart: string) =>
    owner.get(`/api/project/report/${project.id}?chart=${chart}`, { headers: { accept } });

  test.each(['burn_up', 'planned_tracked', 'stages', 'members', 'cost'])('is drawn of %s', async (chart) => {
    await task();
    const svg = await picture('image/svg+xml', chart);
    expect(svg.headers.get('content-type')).toContain('image/svg+xml');
    expect(Buffer.from(svg.content).toString()).toMatch(/^<svg /);
  });

  test('is a PNG, too', async () => {
    const png = await picture('image/png', 'burn_up');
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
