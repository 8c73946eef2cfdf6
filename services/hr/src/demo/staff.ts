/** Demo employees in two branches, managed by department heads and one director. */
import { sql } from '@suite/chassis/database';
import type { Caller, MasterKeys } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import {
  seedRandom,
  randomContact,
  type DemoUser,
  type DemoWorkspace,
  randomNumber,
  pickOne,
  pickWeighted,
} from '@suite/demo';
import { createEmployee } from '../employees/employees/employee.ts';
import { EmployeeInput } from '../employees/employees/employee-input.schema.ts';
import { provideAttendance } from './attendance.ts';
import { provideLeave } from './leave.ts';
import { provideApplications } from './leave-applications.ts';
import type { Db } from '../operations.ts';

const SEED = 1815;
/** Components of every demo salary. */
const PAID_BY = [
  'housing',
  'transport',
  'pension',
  'health',
  'pension_employer',
  'health_employer',
  'accident',
  'income_tax',
];
const RIGHTS = ['employee.salary', 'employee.bank', 'employee.identity'];

interface Workplace {
  branch_id: string;
  department_id: string;
  designation_id: string;
}

/** Returns the owner as the caller of all demo commands. */
export const callerOf = ({ id, name }: DemoUser, workspace_id: string, currency: string): Caller => ({
  user_id: id,
  user_name: name,
  kind: 'owner',
  workspace_id,
  role: 'owner',
  permissions: RIGHTS,
  record_scopes: {},
  modules: ['hrm'],
  timezone: 'Europe/Berlin',
  currency,
});

const joiningDateIn = (year: number): string => `${year}-${String(randomNumber(1, 12)).padStart(2, '0')}-01`;

/** Generates the random fields of an employee. */
function randomEmployee(place: Workplace, day: string, components: readonly { component_id: string }[]): object {
  const { name, phone } = randomContact();
  const year = Number(day.slice(0, 4));
  return {
    name,
    phone,
    joining_date: joiningDateIn(year - randomNumber(1, 9)),
    ...place,
    employment_type: pickWeighted([
      [8, 'full'],
      [3, 'part'],
      [1, 'contract'],
    ]),
    dob: `${year - randomNumber(22, 60)}-${String(randomNumber(1, 12)).padStart(2, '0')}-${String(randomNumber(1, 28)).padStart(2, '0')}`,
    gender: pickOne(['female', 'male', 'other', 'undisclosed']),
    notice_days: pickOne([14, 30, 90]),
    salary: { basis: 'monthly', amount: `${randomNumber(2_600, 7_200, 50)}.00`, components },
  };
}

/** Creates a number of employees with the function that the operation calls. Returns the number created. */
export async function employPeople(
  { db, emit, master }: { db: Db; emit: Emit; master: MasterKeys },
  { id: workspace_id, currency, users }: DemoWorkspace,
  count: number,
): Promise<number> {
  if ((await db.employee.count()) > 0) return 0;
  seedRandom(SEED);
  const caller = callerOf(users[0]!, workspace_id, currency);
  const branches = (await db.branch.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
  const places = await db.rows<Omit<Workplace, 'branch_id'>>(sql`
    SELECT id AS designation_id, department_id FROM designations ORDER BY id`);
  const colleagues = users.filter(({ kind }) => kind === 'staff' || kind === 'owner');
  const day = today(caller.timezone);
  const components = (await db.salaryComponent.findMany({ where: { code: { in: PAID_BY } } })).map(({ id }) => ({
    component_id: id,
  }));
  const night = await db.shift.findFirst({ where: { is_night: true }, select: { id: true } });
  const heads: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const place = { ...places[at % places.length]!, branch_id: branches[at % branches.length]! };
    const user = colleagues[at];
    // The first employee manages the department heads, who follow. Each head manages the employees of their department.
    const manager_id = at === 0 ? undefined : at < places.length ? heads[0] : heads[at % places.length];
    const body = {
      ...randomEmployee(place, day, components),
      manager_id,
      ...(night && at % 10 === 9 && { shift_id: night.id }),
      ...(user && { name: user.name, email: user.email }),
    };
    const person = user && {
      user_id: user.id,
      name: user.name,
      email: user.email,
      kind: user.kind,
      phone: '',
      status: 'active',
    };
    const context = { db, emit, caller, keys: { master } };
    const { id } = await createEmployee(context, EmployeeInput.parse(body), { user: person ?? null });
    if (heads.length < places.length) heads.push(id);
  }
  await provideLeave(db);
  await provideApplications({ db, emit }, caller);
  await provideAttendance(db);
  return count;
}
