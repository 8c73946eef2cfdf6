import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventPublisher, start } from '@suite/testing';
import { invitation, openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { say } = await eventPublisher(platform);
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const linked = (event: string, record: object, user_id: string, version: number) =>
  say(acme.id, event, { ...record, user_id, fields: ['user'], effective_from: '' }, { position: version });

describe.each([
  ['customer_id', 'finance.customer.portal_user_changed', 'client'],
  ['vendor_id', 'finance.vendor.portal_user_changed', 'vendor'],
  ['employee_id', 'hr.employee.updated', 'staff'],
] as const)('%s of a user', (field, event, role) => {
  const shown = async (id: string) => {
    const [row] = await platform.sql`SELECT customer_id, vendor_id, employee_id FROM users WHERE id = ${id}`;
    return row?.[field];
  };

  test('shows the record that refers to the user, and moves with it', async () => {
    const owner = await acme.as('owner');
    const response = await owner.post('/api/user/store', invitation(acme, { role_id: acme.roles[role] }));
    const other = response.body.data.id;
    const record = randomUUID();
    await linked(event, { [field]: record }, acme.users[role], 1);
    expect(await shown(acme.users[role])).toBe(record);
    await linked(event, { [field]: record }, other, 2);
    expect([await shown(acme.users[role]), await shown(other)]).toEqual([null, record]);
    await linked(event, { [field]: record }, '', 3);
    expect(await shown(other)).toBeNull();
  });

  test('is rejected in request bodies', async () => {
    const owner = await acme.as('owner');
    const body = { [field]: randomUUID() };
    expect(await owner.post('/api/user/store', invitation(acme, body))).toMatchObject({ status: 422 });
    expect(await owner.post(`/api/user/update/${acme.users[role]}`, body)).toMatchObject({ status: 422 });
  });
});
