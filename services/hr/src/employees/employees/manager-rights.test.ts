import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { openPeople } from '../../../test/people.ts';

const { acme, employed, show } = await openPeople();

/** Expected 403 response, with the missing permission. */
const forbidden = (details: object) => ({ status: 403, body: { code: 'forbidden', details } });

/** Creates a user who can update employees, with further permissions. */
async function colleague(can: string[], record_scopes: Record<string, 'own' | 'team'> = {}) {
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

const ledBy = (member: Member, id: string, manager_id: string) =>
  member.post(`/api/employee/update/${id}`, { manager_id });

let stranger: string;
beforeEach(async () => {
  stranger = (await employed({ name: 'Stranger' })).id;
});

describe('a caller with team scope for a kind of record', () => {
  const team = () => colleague(['leave.decide', 'payroll.view'], { payroll: 'team' });
  const lacking = { permission: 'payroll.view', record_scope: 'all' };

  test('cannot become the manager of employees outside their team', async () => {
    const { member, id } = await team();
    const missing = forbidden({ ...lacking, field: 'manager_id' });
    expect(await ledBy(member, stranger, id)).toMatchObject(missing);
    const below = (await employed({ name: 'Below', manager_id: id })).id;
    expect(await ledBy(member, stranger, below)).toMatchObject(missing);
    const later = { manager_id: id, effective_from: '2026-12-01' };
    expect(await member.post(`/api/employee/update/${stranger}`, later)).toMatchObject(missing);
    expect(await show(stranger)).toMatchObject({ manager_id: null });
  });

  test('cannot transfer employees to themselves', async () => {
    const { member, id } = await team();
    const transfer = { employee_id: stranger, effective_date: '2026-12-01', to_manager_id: id };
    expect(await member.post('/api/employee-transfer/create', transfer)).toMatchObject(
      forbidden({ ...lacking, field: 'to_manager_id' }),
    );
  });

  test('can change the managers of other employees and of their own team', async () => {
    const { member, id } = await team();
    const below = (await employed({ name: 'Below', manager_id: id })).id;
    const lowest = (await employed({ name: 'Lowest', manager_id: below })).id;
    const other = (await employed({ name: 'Other' })).id;
    expect(await ledBy(member, lowest, id)).toMatchObject({ status: 200 });
    expect(await ledBy(member, stranger, other)).toMatchObject({ status: 200 });
  });
});

describe('a caller without the permission to decide on leave', () => {
  test('cannot become a manager or department head by their own change', async () => {
    const { member, id } = await colleague([]);
    expect(await ledBy(member, stranger, id)).toMatchObject(
      forbidden({ permission: 'leave.decide', field: 'manager_id' }),
    );
    const { department_id } = await show(stranger);
    const path = `/api/department/update/${department_id}`;
    expect(await member.post(path, { head_id: id })).toMatchObject(
      forbidden({ permission: 'leave.decide', field: 'head_id' }),
    );
    expect(await member.post(path, { head_id: stranger })).toMatchObject({ status: 200 });
  });

  test('can become a manager with the permission', async () => {
    const { member, id } = await colleague(['leave.decide']);
    expect(await ledBy(member, stranger, id)).toMatchObject({ status: 200 });
  });
});
