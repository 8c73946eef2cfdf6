import { beforeEach, describe, expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import type { Member } from '@suite/testing';
import { type LeaveOffice, openLeaveOffice, refused } from '../../../test/leave.ts';

const { serving, company, platform, office: openOffice } = await openLeaveOffice();
let office: LeaveOffice;
beforeEach(async () => {
  office = await openOffice();
  await office.approve(await office.asked({ reason: 'Surgery' }));
  // Colleagues cannot see pending requests.
  await office.asked({ from: '2026-06-10', to: '2026-06-10' });
});

const JUNE = 'from=2026-06-01&to=2026-06-30';

test('shows absences to colleagues, and leave types to approvers only', async () => {
  const { acme, boss, ada } = office;
  const titles = async (by = boss, query = JUNE) =>
    (await by.get(`/api/leave-calendar?${query}`)).body.data.entries.map(({ title }: { title: string }) => title);
  expect(await titles()).toEqual(['Ada Lovelace']);
  expect(JSON.stringify((await boss.get(`/api/leave-calendar?${JUNE}`)).body)).not.toMatch(/Surgery|Holiday/);
  expect(await titles(ada)).toEqual(['Ada Lovelace: Holiday']);
  expect(await titles(acme.owner)).toEqual(['Ada Lovelace: Holiday']);
  expect(await titles(acme.member({ can: ['leave.view'] }))).toEqual(['Ada Lovelace']);
  expect(await titles(boss, 'from=2026-06-04&to=2026-06-30')).toEqual([]);
  expect(await titles(boss, 'from=2026-06-03&to=2026-06-03')).toHaveLength(1);
  const departments = (await acme.owner.get('/api/departments')).body.data as { id: string }[];
  const counts = await Promise.all(departments.map(({ id }) => titles(boss, `${JUNE}&department_id=${id}`)));
  expect(counts.flat()).toEqual(['Ada Lovelace']);
  expect(await acme.member({ can: [] }).get(`/api/leave-calendar?${JUNE}`)).toMatchObject(
    refused(403, 'not_an_employee'),
  );
  expect(await acme.member({ kind: 'client' }).get(`/api/leave-calendar?${JUNE}`)).toMatchObject({ status: 403 });
  for (const wrong of ['', 'from=2026-06-01', 'from=2026-06-02&to=2026-06-01', 'from=2026-06-01&to=2026-12-01'])
    expect(await boss.get(`/api/leave-calendar?${wrong}`)).toMatchObject({ status: 422 });
});

/** Returns the events of a calendar file. */
const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => {
    const { summary, startDate, endDate } = new ICAL.Event(one);
    return [summary, startDate.toString(), endDate.toString()];
  });

/** Registers a user in platform with the current modules and permissions of their role. */
const register = ({ caller: { user_id, workspace_id } }: Member, ...permissions: string[]) => {
  platform.hire(workspace_id, { user_id });
  platform.rights.set(user_id, { modules: ['hrm'], permissions });
};

test('is available to calendar programs by Accept header or by a revocable link', async () => {
  const { acme, boss } = office;
  register(boss);
  const file = await boss.send('GET', `/api/leave-calendar?${JUNE}`, undefined, { accept: 'text/calendar' });
  expect(eventsOf(Buffer.from(file.content).toString())).toEqual([['Ada Lovelace', '2026-06-01', '2026-06-04']]);
  const made = await boss.post('/api/leave-calendar-link/create', { name: 'My telephone' });
  const { id, token } = made.body.data;
  const read = (by = serving.stranger, at = token) => by.get(`/api/leave-calendar/${at}`);
  const found = await read();
  expect(found.status).toBe(200);
  expect(eventsOf(Buffer.from(found.content).toString())).toEqual([['Ada Lovelace', '2026-06-01', '2026-06-04']]);
  expect((await boss.get('/api/leave-calendar-links')).body.data).toMatchObject([{ id, name: 'My telephone' }]);
  expect((await acme.owner.get('/api/leave-calendar-links')).body.data).toEqual([]);
  expect(await acme.owner.delete(`/api/leave-calendar-link/delete/${id}`)).toMatchObject({ status: 404 });
  expect(await read((await company()).owner as never)).toMatchObject({ status: 404 });
  for (const wrong of [token.slice(0, -1), `${token.slice(0, -1)}!`, 'x'])
    expect(await read(serving.stranger, wrong)).toMatchObject({ status: 404 });
  await boss.delete(`/api/leave-calendar-link/delete/${id}`);
  expect(await read()).toMatchObject({ status: 404 });
});

describe('a link to the calendar', () => {
  const link = async (by: Member) =>
    (await by.post('/api/leave-calendar-link/create', { name: 'My telephone' })).body.data.token as string;
  const read = async (token: string) => (await serving.stranger.get(`/api/leave-calendar/${token}`)).status;

  test('is rejected for staff without access to the calendar', async () => {
    const outsider = office.acme.member({ can: [] });
    register(outsider);
    expect(await outsider.post('/api/leave-calendar-link/create', { name: 'Leave' })).toMatchObject(
      refused(403, 'not_an_employee'),
    );
  });

  test('works while its creator is active and the workspace has the module', async () => {
    const { boss } = office;
    register(boss);
    const token = await link(boss);
    const { user_id, workspace_id } = boss.caller;
    expect(await read(token)).toBe(200);
    platform.hire(workspace_id, { user_id, status: 'disabled' });
    expect(await read(token)).toBe(404);
    register(boss);
    expect(await read(token)).toBe(200);
    platform.rights.set(user_id, { modules: [] });
    expect(await read(token)).toBe(404);
  });

  test('stops working when the employment of its creator ends', async () => {
    const { boss, ids } = office;
    register(boss);
    const token = await link(boss);
    expect(await read(token)).toBe(200);
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${ids.boss}`;
    expect(await read(token)).toBe(404);
    register(boss, 'leave.view');
    expect(await read(token)).toBe(200);
  });

  test('stops working when its creator, who is not an employee, loses leave.view', async () => {
    const manager = office.acme.member({ can: ['leave.view'] });
    register(manager, 'leave.view');
    const token = await link(manager);
    expect(await read(token)).toBe(200);
    register(manager);
    expect(await read(token)).toBe(404);
  });
});
