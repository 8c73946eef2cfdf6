import { describe, expect, test } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { everything, openProjects } from '../../test/fixture.ts';
import { makeProject } from '../../test/project.ts';
import { reportedProject, scope } from '../../test/reported-project.ts';

const fixture = await openProjects();
const { serving } = fixture;
const set = setUpFixture(() => reportedProject(fixture));

describe('the project report', () => {
  test('shows members no amounts, and only totals and their own time', async () => {
    await set.rates(set.worker, '40');
    await set.track(set.worker, '02', 60);
    await set.track(set.owner, '02', 30);
    await set.change({ budget: '10' });
    const { cost, planned_tracked, members } = await set.reportOf(set.worker);
    expect(Object.values(cost).filter((value) => value !== null)).toEqual(['EUR']);
    expect(planned_tracked.tracked_minutes).toBe(90);
    expect(members).toMatchObject([
      { user: { name: 'Grace Example' }, tracked_minutes: 60, utilisation: '1' },
      { user: { name: 'Kim Example' }, tracked_minutes: null, billable_minutes: null, utilisation: null },
    ]);
    const shown = (await set.worker.get(`/api/project/show/${set.project.id}`)).body.data;
    expect(shown).toMatchObject({ cost: null, used_percent: null, over_budget: null });
    const [line] = (await set.worker.get('/api/project/reports')).body.data;
    expect(line).toMatchObject({ tracked_minutes: 90, budget: null, cost: null, used_percent: null });
  });

  test('is hidden from clients, regardless of permissions, and from non-members', async () => {
    const client = set.office.member({ kind: 'client' });
    const clientProject = await makeProject(serving, set.office, { clients: [client] });
    expect((await client.get(`/api/project/report/${clientProject.id}`)).status).toBe(403);
    expect((await client.get('/api/project/reports')).status).toBe(403);
    const outsider = set.office.member(scope);
    expect((await outsider.get(`/api/project/report/${set.project.id}`)).status).toBe(404);
    expect((await outsider.get('/api/project/reports')).body).toMatchObject({
      data: [],
      meta: { total: 0, sums: { by_currency: [] } },
    });
    const can = everything.filter((permission) => permission !== 'report.view');
    expect((await set.office.member({ can }).get(`/api/project/report/${set.project.id}`)).status).toBe(403);
  });

  test('omits bugs or tasks for users who may not see them', async () => {
    await set.bug();
    await set.task({ due_date: '2026-03-01' });
    const memberWithout = (refused: string) =>
      set.office.member({ can: everything.filter((permission) => permission !== refused) });
    const withoutBugs = await set.reportOf(memberWithout('bug.view'));
    expect([withoutBugs.bugs, withoutBugs.stages.bugs]).toEqual([null, []]);
    const withoutTasks = await set.reportOf(memberWithout('task.view'));
    expect([withoutTasks.overdue.total, withoutTasks.stages.tasks]).toEqual([0, []]);
    const [line] = (await memberWithout('bug.view').get('/api/project/reports')).body.data;
    expect(line).toMatchObject({ open_bugs: 0, overdue: 1 });
  });
});

describe('the reports of all projects', () => {
  test('have one line per project, and totals by currency', async () => {
    await set.change({ budget: '100' });
    await set.task({ estimate_minutes: 30, due_date: '2026-03-01' });
    await set.bug();
    await set.track(set.owner, '02', 90);
    await set.expense('25');
    const other = await makeProject(serving, set.office);
    await serving.sql`UPDATE projects SET currency = 'JPY', budget = 500, health = 'at_risk' WHERE id = ${other.id}`;
    const { data, meta } = (await set.owner.get('/api/project/reports?sort=code')).body;
    expect(data).toMatchObject([
      {
        project: { id: set.project.id, code: set.project.code },
        status: 'in_progress',
        progress: 0,
        planned_minutes: 30,
        tracked_minutes: 90,
        budget: '100.00',
        cost: '25.00',
        used_percent: '25',
        overdue: 1,
        open_bugs: 1,
        health: null,
      },
      {
        project: { id: other.id },
        planned_minutes: 0,
        tracked_minutes: 0,
        budget: '500',
        cost: '0',
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
    const filtered = (await set.owner.get('/api/project/reports?health=at_risk&per_page=1')).body;
    expect([filtered.data.length, filtered.meta.sums.by_currency.length]).toEqual([1, 1]);
    const mine = await set.owner.get(`/api/project/reports?member_id=${set.worker.caller.user_id}&fields=id,cost`);
    expect(mine.body.data).toEqual([{ id: set.project.id, cost: '25.00' }]);
    expect((await set.owner.get('/api/project/reports?budget=1')).status).toBe(422);
  });

  test('include amounts only of projects that the caller manages', async () => {
    await set.change({ budget: '100' });
    const managed = await makeProject(serving, set.office, { members: [[set.worker, 'manager']] });
    await serving.sql`UPDATE projects SET budget = 7 WHERE id = ${managed.id}`;
    const { data, meta } = (await set.worker.get('/api/project/reports?sort=code')).body;
    expect(data).toMatchObject([{ budget: null }, { budget: '7.00' }]);
    expect(meta.sums.by_currency).toEqual([{ currency: 'EUR', projects: 1, budget: '7.00', cost: '0.00' }]);
  });
});
