import { describe, expect, test } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';
import { reportedProject } from '../../test/reported-project.ts';

const fixture = await openProjects();
const { serving, violations } = fixture;
const set = setUpFixture(() => reportedProject(fixture));

describe('a report', () => {
  test('compares planned and tracked time, without running timers', async () => {
    const drawn = await set.task({ estimate_minutes: 60 });
    await set.task({ estimate_minutes: 30, stage_id: set.stage('Cancelled') });
    await set.task({ estimate_minutes: 45, stage_id: set.stage('Done') });
    const open = await set.task({ estimate_minutes: 100 });
    await set.task();
    await set.track(set.worker, '02', 90, { task_id: drawn });
    await set.track(set.worker, '03', 25, { task_id: open });
    await set.track(set.owner, '03', 10);
    await set.worker.post('/api/add-tracker', { project_id: set.project.id });
    expect((await set.reportOf(set.owner)).planned_tracked).toEqual({
      planned_minutes: 205,
      tracked_minutes: 125,
      remaining_minutes: 75,
      over: [{ id: drawn, key: `${set.project.code}-1`, title: 'Draw', estimate_minutes: 60, tracked_minutes: 90 }],
      unestimated: 1,
    });
  });

  test('adds up the cost of time and expenses, and compares it with the budget', async () => {
    await set.change({ budget: '100' });
    await set.rates(set.worker, '33.33');
    await set.track(set.worker, '02', 50);
    await set.track(set.worker, '03', 50, { billable: false });
    await set.expense('40');
    await set.expense('12.50', { currency: 'USD', rate: '0.8', base_net: '10' });
    await set.expense('5', { reversed: true });
    expect((await set.reportOf(set.owner)).cost).toEqual({
      currency: 'EUR',
      budget: '100.00',
      // 100 minutes at 33.33. Only the total is rounded; otherwise it would be a cent higher.
      time_cost: '55.55',
      expenses: '50.00',
      unconverted_expenses: 0,
      cost: '105.55',
      billable_amount: '75.00',
      invoiced_amount: '0.00',
      variance: '-5.55',
      used_percent: '105.55',
      over_budget: true,
    });
    expect((await set.owner.get(`/api/project/show/${set.project.id}`)).body.data).toMatchObject({
      budget: '100.00',
      cost: '105.55',
      used_percent: '105.55',
      over_budget: true,
      time: { tracked_minutes: 100, billable_minutes: 50 },
    });
    expect(await violations(set.office)).toEqual([]);
  });

  test('lists unconverted expenses, and has no percentage without a budget', async () => {
    await serving.sql`UPDATE projects SET currency = 'CHF' WHERE id = ${set.project.id}`;
    await set.expense('10');
    await set.expense('7', { currency: 'CHF', rate: '1.05', base_net: '7.35' });
    expect((await set.reportOf(set.owner)).cost).toMatchObject({
      currency: 'CHF',
      expenses: '7.00',
      unconverted_expenses: 1,
      budget: null,
      variance: null,
      used_percent: null,
      over_budget: null,
    });
  });

  test('counts by stage and by user, and lists overdue tasks', async () => {
    const assignee_ids = [set.worker.caller.user_id];
    const late = await set.task({ assignee_ids, due_date: '2026-03-20', estimate_minutes: 20 });
    await set.task({ assignee_ids, due_date: '2026-03-31' });
    await set.task({ assignee_ids, due_date: '2026-03-01', stage_id: set.stage('Done') });
    await set.task({ due_date: '2026-04-01', stage_id: set.stage('In progress') });
    await set.bug();
    await set.track(set.worker, '02', 90, { task_id: late });
    await set.track(set.worker, '03', 30, { billable: false });
    const { stages, members, overdue } = await set.reportOf(set.owner);
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
        tracked_minutes: 120,
        billable_minutes: 90,
        utilisation: '0.75',
      },
      { user: { name: 'Kim Example' }, role: 'manager', open: 0, tracked_minutes: 0, utilisation: null },
    ]);
    expect(overdue).toMatchObject({
      total: 2,
      tasks: [
        {
          id: late,
          key: `${set.project.code}-1`,
          due_date: '2026-03-20',
          days_late: 12,
          assignees: [{ kind: 'staff' }],
        },
        { due_date: '2026-03-31', days_late: 1 },
      ],
    });
  });

  test('lists at most 100 overdue tasks, and counts all', async () => {
    await serving.sql`
      INSERT INTO work_items (id, workspace_id, kind, project_id, number, title, stage_id, rank, due_date)
      SELECT gen_random_uuid(), ${set.office.workspace}, 'task', ${set.project.id}, n, 'Task', ${set.stage('To do')!}, n,
        '2026-03-01'::date - n FROM generate_series(1, 130) AS n`;
    const { total, tasks } = (await set.reportOf(set.owner)).overdue;
    expect([total, tasks.length, tasks[0].due_date]).toEqual([130, 100, '2025-10-22']);
  });

  test('counts new, open and closed bugs, and their resolution time', async () => {
    await set.bug({ severity: 'blocker' });
    const ids = [await set.bug(), await set.bug({ severity: 'major' })];
    for (const [at, id] of ids.entries())
      await serving.sql`
        UPDATE work_items SET stage_id = ${set.project.bugStages['Resolved']!}, "group" = 'completed', resolution = 'fixed',
          completed_at = created_at + interval '2 hours' + ${at} * interval '3 hours'
        WHERE id = ${id}`;
    expect((await set.reportOf(set.owner)).bugs).toEqual({
      opened: 3,
      closed: 2,
      open: { minor: 0, major: 0, critical: 0, blocker: 1 },
      median_seconds_to_resolve: 12_600,
    });
  });
});
