import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, waitFor, type Member, freezeClock, runConcurrently } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';

const { serving, office, violations } = await openProjects();
const accounts = await eventPublisher(serving);
let opened: ProjectsFixture;
let owner: Member;
let project: Awaited<ReturnType<typeof workedProject>>;
beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  project = await workedProject(opened, { hourly_rate: '80' });
});

const startTimer = (body: object = {}, by = owner) => by.post('/api/add-tracker', { project_id: project.id, ...body });
const stop = () => owner.post('/api/stop-tracker', {});
const entries = async (query: string) => (await owner.get(`/api/time-entries${query}`)).body;
const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const span = (from: string, to: string) => ({ started_at: from, ended_at: to });

describe('a timer in a project', () => {
  test('stops when its user leaves the project or is deleted, but not elsewhere', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    const [leaver, stayer, gone] = [opened.hire(), opened.hire(), opened.hire()];
    const members = { [leaver]: 'member', [stayer]: 'member', [gone]: 'member' } as const;
    const { id } = await workedProject(opened, { members });
    for (const user_id of [leaver, stayer, gone])
      expect((await startTimer({ project_id: id }, opened.member({ user_id }))).status).toBe(201);
    still.goTo('2026-06-01T09:00:00Z');
    const shown = (await owner.get(`/api/project/show/${id}`)).body.data;
    const row = shown.members.find((member: { user_id: string }) => member.user_id === leaver);
    expect((await owner.delete(`/api/project/member/delete/${row.id}`)).status).toBe(200);
    const entryOf = async (user_id: string) => (await entries(`?user_id=${user_id}`)).data[0];
    expect(await entryOf(leaver)).toMatchObject({ status: 'stopped', duration_seconds: 3_600, auto_stopped: false });
    expect(await entryOf(stayer)).toMatchObject({ status: 'running' });
    still.goTo('2026-06-01T12:00:00Z');
    const occurred_at = '2026-06-01T10:00:00Z';
    await accounts.say(opened.workspace, 'platform.user.deleted', { user_id: gone }, { position: 9, occurred_at });
    await waitFor(async () =>
      expect(await entryOf(gone)).toMatchObject({ status: 'stopped', duration_seconds: 7_200 }),
    );
    expect(await violations(opened)).toEqual([]);
  });

  test('prevents archiving its project', async () => {
    await startTimer();
    const archive = () => owner.post(`/api/project/update/${project.id}`, { active: false });
    expect(await archive()).toMatchObject({ status: 409, body: { code: 'timer_running', details: { timers: 1 } } });
    const [, archived] = await runConcurrently(2, (at) => (at === 0 ? stop() : archive()));
    expect([200, 409]).toContain(archived!.status);
    await archive();
    expect(await startTimer()).toMatchObject(faultResponse(409, 'project_archived'));
  });

  test('is shown with its task and project, and with the time of all users', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    const [worker, lead] = [opened.hire(), opened.hire()];
    const { id, task_id } = await workedProject(opened, { members: { [worker]: 'member', [lead]: 'manager' } });
    const staff = (user_id: string) =>
      opened.member({ user_id, can: ['project.view', 'task.view'], record_scopes: { project: 'own' } });
    const hour = span('2026-06-01T06:00:00Z', '2026-06-01T07:00:00Z');
    await startTimer({ project_id: id, task_id, ...hour }, staff(worker));
    await startTimer({ project_id: id, billable: false, ...hour }, staff(lead));
    const running = (await startTimer({ project_id: id, task_id }, staff(worker))).body.data.id;
    still.goTo('2026-06-01T08:30:00Z');
    const timeOf = async (by: Member) => [
      (await by.get(`/api/project/show/${id}`)).body.data.time,
      (await by.get(`/api/project/task/show/${task_id}`)).body.data.time,
    ];
    const sums = { planned_minutes: 0, tracked_minutes: 120, billable_minutes: 60 };
    const members = [{ user_id: worker, minutes: 60 }];
    expect(await timeOf(staff(worker))).toEqual([
      { ...sums, mine_minutes: 60, running },
      { tracked_minutes: 60, mine_minutes: 60, running, members },
    ]);
    expect(await timeOf(staff(lead))).toEqual([
      { ...sums, mine_minutes: 60, running: null },
      { tracked_minutes: 60, mine_minutes: 0, running: null, members },
    ]);
  });
});
