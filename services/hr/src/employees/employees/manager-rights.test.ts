import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { openPeople } from '../../../test/people.ts';

const { acme, employed, show } = await openPeople();

/** Expected 403 response, with the missing permission. */
const forbiddenResponse = (details: object) => ({ status: 403, body: { code: 'forbidden', details } });

/** Creates a user who can update employees, with further permissions. */
async function createEditor(can: string[], record_scopes: Record<string, 'own' | 'team'> = {}) {
  const rights = [
    'employee.view',
    'employee.create',
    'employee.update',
    'employee_transfer.create',
    'department.update',
  ];
  const member = acme.member({ can: [...rights, ...can], record_scopes });
  const id = await acme.employ({ name: 'Colleague', user_id: member.caller.user_id });
  return { member, id };
}

const changeManager = (member: Member, id: string, manager_id: string) =>
  member.post(`/api/employee/update/${id}`, { manager_id });

let outsider: string;
beforeEach(async () => {
  outsider = (await employed({ name: 'Stranger' })).id;
});

describe('a caller with team scope for a kind of record', () => {
  const createTeamEditor = () => createEditor(['leave.decide', 'payroll.view'], { payroll: 'team' });
  const lacking = { permission: 'payroll.view', record_scope: 'all' };

  test('cannot become the manager of employees outside their team', async () => {
    const { member, id } = await createTeamEditor();
    const missing = forbiddenResponse({ ...lacking, field: 'manager_id' });
    expect(await changeManager(member, outsider, id)).toMatchObject(missing);
    const below = (await employed({ name: 'Below', manager_id: id })).id;
    expect(await changeManager(member, outsider, below)).toMatchObject(missing);
    const later = { manager_id: id, effective_from: '2026-12-01' };
    expect(await member.post(`/api/employee/update/${outsider}`, later)).toMatchObject(missing);
    expect(await show(outsider)).toMatchObject({ manager_id: null });
  });

  test('cannot transfer employees to themselves', async () => {
    const { member, id } = await createTeamEditor();
    const transfer = { employee_id: outsider, effective_date: '2026-12-01', to_manager_id: id };
    expect(await member.post('/api/employee-transfer/create', transfer)).toMatchObject(
      forbiddenResponse({ ...lacking, field: 'to_manager_id' }),
    );
  });

  test('can change the managers of other employees and of their own team', async () => {
    const { member, id } = await createTeamEditor();
    const below = (await employed({ name: 'Below', manager_id: id })).id;
    const lowest = (await employed({ name: 'Lowest', manager_id: below })).id;
    const other = (await employed({ name: 'Other' })).id;
    expect(await changeManager(member, lowest, id)).toMatchObject({ status: 200 });
    expect(await changeManager(member, outsider, other)).toMatchObject({ status: 200 });
  });
});

describe('a caller without the permission to decide on leave', () => {
  test('cannot become a manager or department head by their own change', async () => {
    const { member, id } = await createEditor([]);
    expect(await changeManager(member, outsider, id)).toMatchObject(
      forbiddenResponse({ permission: 'leave.decide', field: 'manager_id' }),
    );
    const { department_id } = await show(outsider);
    const path = `/api/department/update/${department_id}`;
    expect(await member.post(path, { head_id: id })).toMatchObject(
      forbiddenResponse({ permission: 'leave.decide', field: 'head_id' }),
    );
    expect(await member.post(path, { head_id: outsider })).toMatchObject({ status: 200 });
  });

  test('can become a manager with the permission', async () => {
    const { member, id } = await createEditor(['leave.decide']);
    expect(await changeManager(member, outsider, id)).toMatchObject({ status: 200 });
  });
});
