/** Fixture of the hr tests: the service, and new workspaces. */
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { type Member, type CallerOptions, start } from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { fakePlatform } from '@suite/testing/fakes/platform';
import { upsertUserProfile } from '@suite/user-copies';
import { hr } from '../src/hr.ts';
import type { Db } from '../src/operations.ts';
import { provideSetup } from '../src/organisation/setup/defaults.ts';

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
  'announcement',
  'hrm_document',
  'event',
  'leave',
  'award',
  'promotion',
  'employee_transfer',
  'resignation',
  'termination',
  'warning',
  'complaint',
];
const basic = ['view', 'create', 'update', 'delete'];

/** All permissions that hr requires. */
export const everything = [
  ...nouns.flatMap((noun) => basic.map((verb) => `${noun}.${verb}`)),
  'acknowledgment.view',
  'acknowledgment.update',
  'hr_setting.view',
  'hr_setting.update',
  'employee.salary',
  'employee.bank',
  'employee.identity',
  'termination.decide',
  'leave.decide',
  'salary_component.view',
  'salary_component.update',
  'payroll.view',
  'payroll.run',
  'leave_balance.view',
  'leave_balance.adjust',
  'salary_component.view',
  'salary_component.update',
  'payroll.view',
  'payroll.run',
  ...['promotion', 'employee_transfer', 'resignation', 'termination', 'warning', 'complaint'].map(
    (noun) => `${noun}.decide`,
  ),
  'payroll.approve',
  'payroll.pay',
  'payroll.reverse',
];

/** New workspace with its owner. */
export interface TestWorkspace {
  workspace: string;
  owner: Member;
  /** Creates a member with the given permissions. Defaults to all. */
  member(rights?: CallerOptions): Member;
  /** Sets the payroll basis to attendance. */
  payByAttendance(): Promise<void>;
  /** Runs a function in a database transaction of the workspace, as a command does. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Creates an employee in the first department. Returns the employee's ID. */
  employ(person?: NewEmployee): Promise<string>;
  /** Creates a leave type that has always existed: 24 days a year, accrued monthly. Returns its ID. */
  leaveType(policy?: Partial<LeavePolicy>): Promise<string>;
}

/** Policy of a leave type, with days as decimals. */
export interface LeavePolicy {
  name: string;
  code: string;
  days_per_year: string;
  accrual: string;
  carry_forward_max: string;
  carry_expires_on: string;
  carry_expires_after_days: number;
  allow_negative_to: string;
  plan_ahead: boolean;
  encashable: boolean;
  paid: boolean;
  active: boolean;
  allow_half_day: boolean;
  include_holidays: boolean;
  requires_reason: boolean;
  requires_document_after: number;
  max_consecutive: number;
  min_notice_days: number;
  applicable_after_days: number;
  second_step: boolean;
  gender: string;
  employment_types: string[];
  created_at: Date;
}

/** Date long before all tests. Days are granted only for years after a leave type was created. */
const LONG_AGO = new Date('2000-01-01T12:00:00Z');

async function leaveType(db: Db, policy: Partial<LeavePolicy>): Promise<string> {
  const usual = { name: 'Holiday', code: 'holiday', days_per_year: '24', accrual: 'monthly', plan_ahead: true };
  const { id } = await db.leaveType.create({ data: { ...usual, created_at: LONG_AGO, ...policy } });
  return id;
}

/** Employee to create. Defaults to Ada, employed since 2026-01-01 without a manager. */
export interface NewEmployee {
  name?: string;
  code?: string;
  /** User of the workspace, whose copy is created. */
  user_id?: string;
  manager_id?: string;
  shift_id?: string;
  branch_id?: string;
  /** Date of birth, YYYY-MM-DD. */
  dob?: string;
  /** At work. */
  email?: string;
  /** YYYY-MM-DD */
  joining_date?: string;
  status?: string;
}

/** Writes an employee, their employment and their terms at joining. */
async function employ(db: Db, person: NewEmployee): Promise<string> {
  const { name = 'Ada Lovelace', joining_date = '2026-01-01', user_id, dob, email, ...rest } = person;
  const { id: designation_id, department_id } = await db.designation.findFirstOrThrow({ orderBy: { id: 'asc' } });
  const { branch_id } = await db.department.findFirstOrThrow({ where: { id: department_id } });
  const { id: shift_id } = await db.shift.findFirstOrThrow({ where: { is_default: true } });
  if (user_id) await upsertUserProfile(db, { user_id, name, email: '', phone: '', kind: 'staff', status: 'active' }, 0);
  const [id, employment_id] = [randomUUIDv7(), randomUUIDv7()];
  const terms = { branch_id, department_id, designation_id, shift_id, employment_type: 'full', ...rest };
  const since = new Date(joining_date);
  await db.employee.create({
    data: {
      id,
      code: id,
      status: 'active',
      name,
      joining_date: since,
      ...terms,
      ...(user_id && { user_id }),
      ...(dob && { dob: new Date(dob) }),
      ...(email && { email }),
    },
  });
  await db.employment.create({ data: { id: employment_id, employee_id: id, joining_date: since, created_at: since } });
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
  const platform = fakePlatform();
  const finance = fakeFinance();
  const fakes = { platform: platform.served, finance: finance.served };
  const serving = await start(hr, { fakes });
  async function company(): Promise<TestWorkspace> {
    const workspace = randomUUID();
    const member = (rights: CallerOptions = {}) =>
      serving.member({ can: everything, workspace, modules: ['hrm'], ...rights });
    const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
    const write: TestWorkspace['write'] = (work) => serving.database.write(context, (confined) => work(confined as Db));
    await write(async (db) => {
      await db.settings.createMany({ data: [{ timezone: 'Europe/Berlin', created_at: LONG_AGO }] });
      await provideSetup(db, 'Europe/Berlin');
    });
    const owner = member({ kind: 'owner', name: 'Kim Example' });
    return {
      workspace,
      owner,
      member,
      write,
      employ: (person = {}) => write((db) => employ(db, person)),
      payByAttendance: () =>
        write(async (db) => {
          await db.settings.updateMany({ data: { payroll_basis: 'attendance' } });
        }),
      leaveType: (policy = {}) => write((db) => leaveType(db, policy)),
    };
  }
  return { serving, fakes, platform, finance, company };
}
