import { beforeEach, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../test/fixture.ts';
import { workedProject } from '../../test/worked-project.ts';

const { serving, office: openOffice, violations } = await openProjects();
const { say } = await eventPublisher(serving);
let office: ProjectsFixture;
beforeEach(async () => {
  office = await openOffice();
});

const emitEmployeeLeft = (user_id: string, workspace = office.workspace) =>
  say(
    workspace,
    'hr.employee.left',
    { employee_id: crypto.randomUUID(), user_id, last_day: '2026-05-31', cause: 'resigned' },
    { occurred_at: '2026-06-01T10:00:00Z' },
  );
const membersOf = async (id: string): Promise<string[]> =>
  (await office.owner.get(`/api/project/show/${id}`)).body.data.members.map(
    ({ user_id }: { user_id: string }) => user_id,
  );
const timersOf = (user_id: string) =>
  serving.sql`SELECT status, duration_seconds FROM time_entries WHERE user_id = ${user_id}`;

test('ends memberships and the running timer of an employee after the last day', async () => {
  const still = freezeClock('2026-06-01T08:00:00Z');
  const [leaver, stayer] = [office.hire(), office.hire()];
  const { id } = await workedProject(office, { members: { [leaver]: 'member', [stayer]: 'member' } });
  for (const user_id of [leaver, stayer])
    expect((await office.member({ user_id }).post('/api/add-tracker', { project_id: id })).status).toBe(201);
  still.goTo('2026-06-01T12:00:00Z');
  await emitEmployeeLeft(leaver);
  expect(await membersOf(id)).not.toContain(leaver);
  expect(await membersOf(id)).toContain(stayer);
  expect(await timersOf(leaver)).toMatchObject([{ status: 'stopped', duration_seconds: 7_200 }]);
  expect(await timersOf(stayer)).toMatchObject([{ status: 'running' }]);
  expect(await violations(office)).toEqual([]);
});

test('ignores an employee without a login, and affects no other workspace', async () => {
  const leaver = office.hire();
  const { id } = await workedProject(office, { members: { [leaver]: 'member' } });
  await emitEmployeeLeft('');
  await emitEmployeeLeft(leaver, (await openOffice()).workspace);
  expect(await membersOf(id)).toContain(leaver);
});
