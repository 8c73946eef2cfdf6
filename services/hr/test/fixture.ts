/** The fixture of hr's tests: the service, and new workspaces. */
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { type Member, type Rights, start } from '@suite/testing';
import { platformStandIn } from '@suite/testing/neighbours/platform';
import { upsertUserProfile } from '@suite/users';
import { hr } from '../src/hr.ts';
import type { Db } from '../src/operations.ts';
import { provideSetup } from '../src/setup/defaults.ts';

const nouns = [
  'branch',
  'department',
  'designation',
  'document_type',
  'shift',
  'leave_type',
  'holiday',
  'employee',
  'attendance',
];
const basic = ['view', 'create', 'update', 'delete'];

/** Every permission that hr asks for. */
export const everything = [
  ...nouns.flatMap((noun) => basic.map((verb) => `${noun}.${verb}`)),
  'hr_setting.view',
  'hr_setting.update',
  'employee.salary',
  'employee.bank',
  'employee.identity',
  'termination.decide',
];

/** A workspace as it begins, with its owner. */
export interface Company {
  workspace: string;
  owner: Member;
  /** Somebody with chosen rights, all by default. */
  member(rights?: Rights): Member;
  /** Works in its database as a command does. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Employs somebody in the first department. Returns the id of the employee. */
  employ(person?: Employed): Promise<string>;
}

/** Somebody who is employed: as Ada, since 2026-01-01, by nobody led, unless it is said. */
export interface Employed {
  name?: string;
  code?: string;
  /** A user of the workspace, of whom a copy is made. */
  user_id?: string;
  manager_id?: string;
  shift_id?: string;
  /** YYYY-MM-DD */
  joining_date?: string;
  status?: string;
}

/** Writes an employee, his employment and the terms that he joined on. */
async function employ(db: Db, person: Employed): Promise<string> {
  const { name = 'Ada Lovelace', joining_date = '2026-01-01', user_id, ...rest } = person;
  const { id: designation_id, department_id } = await db.designation.findFirstOrThrow({ orderBy: { id: 'asc' } });
  const { branch_id } = await db.department.findFirstOrThrow({ where: { id: department_id } });
  const { id: shift_id } = await db.shift.findFirstOrThrow({ where: { is_default: true } });
  if (user_id) await upsertUserProfile(db, { user_id, name, email: '', phone: '', kind: 'staff', status: 'active' }, 0);
  const [id, employment_id] = [randomUUIDv7(), randomUUIDv7()];
  const terms = { branch_id, department_id, designation_id, shift_id, employment_type: 'full', ...rest };
  const since = new Date(joining_date);
  await db.employee.create({
    data: { id, code: id, status: 'active', name, joining_date: since, ...terms, ...(user_id && { user_id }) },
  });
  await db.employment.create({ data: { id: employment_id, employee_id: id, joining_date: since } });
  const { status: _, code: __, ...dated } = terms;
  await db.employeeHistory.createMany({
    data: Object.entries(dated).map(([field, value]) => ({
      employee_id: id,
      employment_id,
      field,
      value,
      effective_from: since,
      seq: 1,
      cause: 'joining',
    })),
  });
  return id;
}

export async function openHr() {
  const platform = platformStandIn();
  const neighbours = { platform: platform.served };
  const serving = await start(hr, { neighbours });
  async function company(): Promise<Company> {
    const workspace = randomUUID();
    const member = (rights: Rights = {}) => serving.member({ can: everything, workspace, modules: ['hrm'], ...rights });
    const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
    const write: Company['write'] = (work) => serving.database.write(context, (confined) => work(confined as Db));
    await write((db) => provideSetup(db, 'Europe/Berlin'));
    const owner = member({ kind: 'owner', name: 'Kim Example' });
    return { workspace, owner, member, write, employ: (person = {}) => write((db) => employ(db, person)) };
  }
  return { serving, neighbours, platform, company };
}
