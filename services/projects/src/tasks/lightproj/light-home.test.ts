import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { everything, type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice } = await openProjects();

let office: ProjectsFixture;
let project: ProjectFixture;
let colleague: Member;
let client: Member;

const own = { record_scopes: { project: 'own', task: 'own', bug: 'own' } } as const;
/** Returns another user with the same membership, without some permissions. */
const memberWithout = (member: Member, ...refused: string[]): Member => {
  const { user_id, kind, record_scopes } = member.caller;
  const can = everything.filter((permission) => !refused.includes(permission));
  return office.member({ user_id, kind, record_scopes, can });
};
const homeOf = async (member: Member) => (await member.get('/api/lightproj/home')).body.data;
const labelsIn = (activity: { object: { type: string; label: string } }[]) =>
  activity.map(({ object }) => object.label).join(', ');

/**
 * Creates two open tasks, one of them shared with clients and overdue, and two similar bugs, all assigned to the user.
 */
beforeEach(async () => {
  office = await openOffice();
  colleague = office.member(own);
  client = office.member({ kind: 'client' });
  project = await makeProject(serving, office, { members: [[colleague, 'member']], clients: [client] });
  const assignee_ids = [colleague.caller.user_id];
  for (const [client_visible, due_date] of [
    [true, '2026-01-02'],
    [false, null],
  ]) {
    const body = { assignee_ids, client_visible, ...(due_date && { due_date }) };
    await office.owner.post(`/api/project/${project.id}/task/create`, { title: 'Draw', ...body });
    const bug = await office.owner.post(`/api/project/bug/create/${project.id}`, { title: 'It blinks', ...body });
    await office.owner.post(`/api/project/bug/${bug.body.data.id}/comment/create`, {
      body: 'Again.',
      visibility: 'client',
    });
  }
});

const nothing = { open: 0, completed_this_week: 0, overdue: 0, due_today: 0, mine_open: 0, mine_overdue: 0 };

describe('the dashboard', () => {
  test('shows members the counts of the project, and other users nothing', async () => {
    expect(await homeOf(colleague)).toMatchObject({
      projects: { total: 1 },
      tasks: { open: 2, overdue: 1, mine_open: 2, mine_overdue: 1 },
      bugs: { open: 2, mine_open: 2 },
      my_tasks: [{ title: 'Draw' }, { title: 'Draw' }],
    });
    expect(await homeOf(office.member(own))).toMatchObject({
      projects: { total: 0 },
      tasks: nothing,
      bugs: { open: 0, mine_open: 0 },
      recent_projects: [],
      my_tasks: [],
      activity: [],
    });
  });

  test('shows no trace of bugs to a user without the permission', async () => {
    const blind = memberWithout(colleague, 'bug.view');
    const { bugs, tasks, activity } = await homeOf(blind);
    expect(bugs).toEqual({ open: 0, mine_open: 0 });
    expect(tasks).toMatchObject({ open: 2, mine_open: 2 });
    expect(labelsIn(activity)).not.toContain('blinks');
    expect(labelsIn(activity)).toContain('Draw');
    expect(labelsIn((await homeOf(colleague)).activity)).toContain('blinks');
  });

  test('shows no trace of tasks to a user without the permission', async () => {
    const blind = memberWithout(colleague, 'task.view');
    const { bugs, tasks, my_tasks, activity } = await homeOf(blind);
    expect({ bugs, tasks, my_tasks }).toEqual({ bugs: { open: 2, mine_open: 2 }, tasks: nothing, my_tasks: [] });
    expect(labelsIn(activity)).not.toContain('Draw');
  });

  test('shows clients only shared items, and no bugs without the permission', async () => {
    expect(await homeOf(client)).toMatchObject({ tasks: { open: 1, overdue: 1, mine_open: 0 }, bugs: { open: 1 } });
    const { bugs, activity } = await homeOf(memberWithout(client, 'bug.view'));
    expect(bugs).toEqual({ open: 0, mine_open: 0 });
    expect(labelsIn(activity)).not.toContain('blinks');
  });
});

describe('a user without the bug permission', () => {
  test('sees no bugs in the counts of a project and of its stages', async () => {
    const blind = memberWithout(colleague, 'bug.view');
    const show = async (by: Member) => (await by.get(`/api/project/show/${project.id}`)).body.data;
    expect((await show(colleague)).counts).toMatchObject({ tasks: 2, overdue_tasks: 1, bugs: 2, open_bugs: 2 });
    const shown = await show(blind);
    expect(shown.counts).toEqual({ tasks: 2, open_tasks: 2, overdue_tasks: 1, bugs: 0, open_bugs: 0 });
    expect(labelsIn(shown.activity)).not.toContain('blinks');
    const cardsIn = (stages: { kind: string; count: number }[]) =>
      stages.map(({ count }) => count).reduce((sum, count) => sum + count, 0);
    expect(cardsIn(shown.stages)).toBe(2);
    const bugStages = async (by: Member) =>
      cardsIn((await by.get(`/api/project/bug-stages?project_id=${project.id}`)).body.data);
    expect([await bugStages(colleague), await bugStages(blind)]).toEqual([2, 0]);
  });

  test('sees no bugs in the history of a project, nor in its total', async () => {
    const history = async (by: Member) => (await by.get(`/api/project/activity/${project.id}`)).body;
    expect((await history(colleague)).meta.total).toBe(6);
    expect(await history(memberWithout(colleague, 'bug.view'))).toMatchObject({
      data: [{ object: { type: 'task' } }, { object: { type: 'task' } }],
      meta: { total: 2 },
    });
  });

  test('sees the number of bugs that block a task, but not their titles', async () => {
    const [task] = (await office.owner.get(`/api/lightproj/projects/${project.id}/tasks`)).body.data;
    const [bug] = (await office.owner.get(`/api/project/bug/${project.id}`)).body.data;
    await office.owner.post(`/api/project/${project.id}/task/update/${task.id}`, { blocked_by: [bug.id] });
    const blockers = async (by: Member) => {
      const { blocked_by, hidden_blockers } = (await by.get(`/api/project/task/show/${task.id}`)).body.data;
      return [blocked_by.length, hidden_blockers];
    };
    expect(await blockers(colleague)).toEqual([1, 0]);
    expect(await blockers(memberWithout(colleague, 'bug.view'))).toEqual([0, 1]);
  });
});

test('shows the time of other users in the history only with the permission', async () => {
  const { id: project_id } = project;
  await colleague.post('/api/add-tracker', { project_id, description: 'Secret work' });
  await colleague.post('/api/stop-tracker', {});
  const mate = office.member({ ...own, can: everything.filter((permission) => permission !== 'time.view_all') });
  await office.owner.post('/api/project/member/create', { project_id, user_id: mate.caller.user_id, role: 'member' });
  expect(labelsIn((await homeOf(mate)).activity)).not.toContain('Secret');
  expect(labelsIn((await homeOf(memberWithout(colleague, 'time.view_all'))).activity)).toContain('Secret');
  await office.owner.post('/api/project/member/create', { project_id, user_id: mate.caller.user_id, role: 'manager' });
  expect(labelsIn((await homeOf(mate)).activity)).toContain('Secret');
});
