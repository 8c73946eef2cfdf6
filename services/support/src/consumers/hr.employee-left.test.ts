import { beforeEach, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { type Office, openSupport } from '../../test/fixture.ts';

const { serving, office: openOffice } = await openSupport();
const { say } = await eventPublisher(serving);
const base = '/api/support-ticket';
let office: Office;
beforeEach(async () => {
  office = await openOffice();
});

const left = (user_id: string, workspace = office.workspace) =>
  say(workspace, 'hr.employee.left', {
    employee_id: crypto.randomUUID(),
    user_id,
    last_day: '2026-06-30',
    cause: 'resigned',
  });
const open = async (assignee_id: string): Promise<string> => {
  const requester = { name: 'Rita', email: 'rita@example.com' };
  const ticket = { subject: 'Help', description: 'Please.', requester, assignee_id };
  return (await office.owner.post(`${base}/ticket/store`, ticket)).body.data.id;
};
const show = async (id: string) => (await office.owner.get(`${base}/ticket/show/${id}`)).body.data;

test('unassigns open tickets of former employees and keeps their resolved tickets', async () => {
  const [leaver, stayer] = [office.hire({ name: 'Lee' }), office.hire({ name: 'Sam' })];
  const [waiting, solved, other] = [await open(leaver), await open(leaver), await open(stayer)];
  await office.owner.post(`${base}/ticket/add-reply/${solved}`, { body: 'Done.', status: 'resolved' });
  await left(leaver);
  expect(await show(waiting)).toMatchObject({ assignee_id: null, status: 'open' });
  expect(await show(solved)).toMatchObject({ assignee_id: leaver });
  expect(await show(other)).toMatchObject({ assignee_id: stayer });
});

test('ignores an employee without a login, and affects no other workspace', async () => {
  const leaver = office.hire({ name: 'Lee' });
  const id = await open(leaver);
  await left('');
  await left(leaver, (await openOffice()).workspace);
  expect(await show(id)).toMatchObject({ assignee_id: leaver });
});
