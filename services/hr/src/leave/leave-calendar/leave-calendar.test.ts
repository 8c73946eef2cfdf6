import { beforeEach, describe, expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import type { Member } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';

const { serving, company, platform, office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
  await office.approve(await office.createRequest({ reason: 'Surgery' }));
  // Colleagues cannot see pending requests.
  await office.createRequest({ from: '2026-06-10', to: '2026-06-10' });
});

const JUNE = 'from=2026-06-01&to=2026-06-30';

test('shows absences to colleagues, and leave types to approvers only', async () => {
  const { acme, manager, ada } = office;
  const titles = async (by = manager, query = JUNE) =>
    (await by.get(`/api/leave-calendar?${query}`)).body.data.entries.map(({ title }: { title: string }) => title);
  expect(await titles()).toEqual(['Ada Lovelace']);
  expect(JSON.stringify((await manager.get(`/api/leave-calendar?${JUNE}`)).body)).not.toMatch(/Surgery|Holiday/);
  expect(await titles(ada)).toEqual(['Ada Lovelace: Holiday']);
  expect(await titles(acme.owner)).toEqual(['Ada Lovelace: Holiday']);
  expect(await titles(acme.member({ can: ['leave.view'] }))).toEqual(['Ada Lovelace']);
  expect(await titles(manager, 'from=2026-06-04&to=2026-06-30')).toEqual([]);
  expect(await titles(manager, 'from=2026-06-03&to=2026-06-03')).toHaveLength(1);
  const departments = (await acme.owner.get('/api/departments')).body.data as { id: string }[];
  const counts = await Promise.all(departments.map(({ id }) => titles(manager, `${JUNE}&department_id=${id}`)));
  expect(counts.flat()).toEqual(['Ada Lovelace']);
  expect(await acme.member({ can: [] }).get(`/api/leave-calendar?${JUNE}`)).toMatchObject(
    faultResponse(403, 'not_an_employee'),
  );
  expect(await acme.member({ kind: 'client' }).get(`/api/leave-calendar?${JUNE}`)).toMatchObject({ status: 403 });
  for (const wrong of ['', 'from=2026-06-01', 'from=2026-06-02&to=2026-06-01', 'from=2026-06-01&to=2026-12-01'])
    expect(await manager.get(`/api/leave-calendar?${wrong}`)).toMatchObject({ status: 422 });
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
  const { acme, manager } = office;
  register(manager);
  const file = await manager.send('GET', `/api/leave-calendar?${JUNE}`, undefined, { accept: 'text/calendar' });
  expect(eventsOf(Buffer.from(file.content).toString())).toEqual([['Ada Lovelace', '2026-06-01', '2026-06-04']]);
  const created = await manager.post('/api/leave-calendar-link/create', { name: 'My telephone' });
  const { id, token } = created.body.data;
  const openCalendar = (by = serving.anonymous, at = token) => by.get(`/api/leave-calendar/${at}`);
  const found = await openCalendar();
  expect(found.status).toBe(200);
  expect(eventsOf(Buffer.from(found.content).toString())).toEqual([['Ada Lovelace', '2026-06-01', '2026-06-04']]);
  expect((await manager.get('/api/leave-calendar-links')).body.data).toMatchObject([{ id, name: 'My telephone' }]);
  expect((await acme.owner.get('/api/leave-calendar-links')).body.data).toEqual([]);
  expect(await acme.owner.delete(`/api/leave-calendar-link/delete/${id}`)).toMatchObject({ status: 404 });
  expect(await openCalendar((await company()).owner as never)).toMatchObject({ status: 404 });
  for (const wrong of [token.slice(0, -1), `${token.slice(0, -1)}!`, 'x'])
    expect(await openCalendar(serving.anonymous, wrong)).toMatchObject({ status: 404 });
  await manager.delete(`/api/leave-calendar-link/delete/${id}`);
  expect(await openCalendar()).toMatchObject({ status: 404 });
});

describe('a link to the calendar', () => {
  const link = async (by: Member) =>
    (await by.post('/api/leave-calendar-link/create', { name: 'My telephone' })).body.data.token as string;
  const openCalendar = async (token: string) => (await serving.anonymous.get(`/api/leave-calendar/${token}`)).status;

  test('is rejected for staff without access to the calendar', async () => {
    const outsider = office.acme.member({ can: [] });
    register(outsider);
    expect(await outsider.post('/api/leave-calendar-link/create', { name: 'Leave' })).toMatchObject(
      faultResponse(403, 'not_an_employee'),
    );
  });

  test('works while its creator is active and the workspace has the module', async () => {
    const { manager } = office;
    register(manager);
    const token = await link(manager);
    const { user_id, workspace_id } = manager.caller;
    expect(await openCalendar(token)).toBe(200);
    platform.hire(workspace_id, { user_id, status: 'disabled' });
    expect(await openCalendar(token)).toBe(404);
    register(manager);
    expect(await openCalendar(token)).toBe(200);
    platform.rights.set(user_id, { modules: [] });
    expect(await openCalendar(token)).toBe(404);
  });

  test('stops working when the employment of its creator ends', async () => {
    const { manager, ids } = office;
    register(manager);
    const token = await link(manager);
    expect(await openCalendar(token)).toBe(200);
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${ids.manager}`;
    expect(await openCalendar(token)).toBe(404);
    register(manager, 'leave.view');
    expect(await openCalendar(token)).toBe(200);
  });

  test('stops working when its creator, who is not an employee, loses leave.view', async () => {
    const manager = office.acme.member({ can: ['leave.view'] });
    register(manager, 'leave.view');
    const token = await link(manager);
    expect(await openCalendar(token)).toBe(200);
    register(manager);
    expect(await openCalendar(token)).toBe(404);
  });
});
