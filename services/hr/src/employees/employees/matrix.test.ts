import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { CallerOptions } from '@suite/testing';
import { openHr } from '../../../test/fixture.ts';

const { platform, company } = await openHr();

/** Employee fields by the callers who can see them. Each group is visible completely or not at all. */
const GROUPS = {
  who: ['name', 'code', 'phone', 'designation_id', 'department_id', 'branch_id', 'manager_id'],
  terms: ['joining_date', 'probation_end', 'notice_days', 'exit_date', 'shift_id', 'employment_type', 'status'],
  personal: ['dob', 'gender', 'address', 'private_phone', 'emergency_contact'],
  salary: ['salary'],
  bank: ['bank'],
  identity: ['national_id', 'tax_id'],
};
type FieldGroup = keyof typeof GROUPS;
const all = Object.keys(GROUPS) as FieldGroup[];

const basic = ['employee.view', 'employee.create', 'employee.update'];
const sensitive = ['employee.salary', 'employee.bank', 'employee.identity'];
const team = { record_scopes: { employee: 'team' as const } };

async function createPeople() {
  const acme = await company();
  const [self, leader] = [platform.hire(acme.workspace), platform.hire(acme.workspace)];
  const manager_id = await acme.employ({ name: 'Leader', user_id: leader });
  const id = await acme.employ({ name: 'Self', user_id: self, manager_id });
  const filled = await acme.owner.post(`/api/employee/update/${id}`, {
    phone: '+49 40 1',
    private_phone: '+49 40 2',
    address: 'Here',
    gender: 'female',
    dob: '1990-05-17',
    emergency_contact: { name: 'James', phone: '+49 40 3' },
    national_id: 'N 12345678',
    tax_id: 'T 12345678',
    bank: { bank_name: 'Bank', account_number: 'DE89370400440532013000' },
    salary: { basis: 'monthly', amount: '4250.00' },
  });
  expect(filled.status).toBe(200);
  return { acme, id, self, leader };
}

const { acme, id, self, leader } = await createPeople();
const other = randomUUID();

/** Visibility matrix: a caller, their permissions, and the field groups they see of another employee. */
const MATRIX: [string, CallerOptions, FieldGroup[]][] = [
  ['the employee', { user_id: self, can: [] }, all],
  ['a line manager', { user_id: leader, can: ['employee.view'], ...team }, ['who', 'terms']],
  ['a line manager of others', { user_id: other, can: ['employee.view'], ...team }, []],
  ['a manager', { can: basic }, ['who', 'terms']],
  ['hr', { can: [...basic, 'employee.delete', ...sensitive] }, all],
  ['payroll', { can: ['employee.view', ...sensitive] }, ['who', 'terms', 'salary', 'bank', 'identity']],
  ['an accountant', { can: ['payroll.view'] }, []],
  ['the owner', { kind: 'owner' }, all],
  ['a colleague without a right', { can: [] }, []],
  ['a client with every right', { kind: 'client' }, []],
  ['a vendor with every right', { kind: 'vendor' }, []],
];

test.each(MATRIX)(
  '%s sees the employee fields of the matrix, in the record and in the list',
  async (_, rights, groups) => {
    const by = acme.member(rights);
    const shown = await by.get(`/api/employee/show/${id}`);
    expect(shown.status).toBe(groups.length > 0 ? 200 : 404);
    const visibleGroups = (row: object) => all.filter((group) => GROUPS[group].every((field) => field in row));
    const partlyVisibleGroups = (row: object) => all.filter((group) => GROUPS[group].some((field) => field in row));
    const person = shown.body.data ?? {};
    expect([visibleGroups(person), partlyVisibleGroups(person)]).toEqual([groups, groups]);
    const text = JSON.stringify(shown.body);
    for (const secret of ['DE8937', 'N 12345678', 'T 12345678']) expect(text).not.toContain(secret);
    const listed = await by.get('/api/employees?expand=salary,bank,national_id,tax_id&name=Self');
    const [row] = (listed.body.data ?? []) as object[];
    const lists = groups.length > 0 && (rights.can === undefined || rights.can.includes('employee.view'));
    expect([visibleGroups(row ?? {}), partlyVisibleGroups(row ?? {})]).toEqual(lists ? [groups, groups] : [[], []]);
    expect(row !== undefined).toBe(lists);
  },
);

test.each(MATRIX)('%s reveals a bank account only with the permission for it', async (_, rights) => {
  const reply = await acme.member(rights).get(`/api/employee/show/${id}?reveal=bank`);
  const may = rights.can === undefined || rights.can.includes('employee.bank');
  const isInside = rights.kind !== 'client' && rights.kind !== 'vendor';
  const isShown = JSON.stringify(reply.body).includes('DE8937');
  expect(isShown).toBe(reply.status === 200);
  expect(isShown && !(may && isInside)).toBe(false);
});
