/** Factories for employees, and their example calls. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, ExampleCall, Recipe, Row } from '../bench/bench.ts';
import { people } from '../platform/people.ts';

/** Returns the place where all employees of these examples work. */
async function placeOf(bench: Bench) {
  const { id: designation_id, department_id } = await bench.first('designations.list');
  const { id: branch_id } = await bench.first('branches.list');
  return { designation_id, department_id, branch_id };
}

/** Creates an employee in the place of these examples, unless another place is specified. */
export const employ = async (bench: Bench, serial: number, more: object = {}): Promise<Row> =>
  await bench.call('employees.create', {
    body: {
      name: `Ada Lovelace ${serial}`,
      joining_date: '2025-03-01',
      employment_type: 'full',
      ...(await placeOf(bench)),
      ...more,
    },
  });

/** Creates a designation in the department that calls share. */
const trade: Recipe = async (bench, serial) => {
  const { id: department_id } = await bench.shared('department');
  return await bench.call('designations.create', { body: { name: `Wheelwright ${serial}`, department_id } });
};

const employee: Recipe = (bench, serial) => employ(bench, serial);

const onNotice: Recipe = async (bench, serial) => {
  const { id } = await employ(bench, serial);
  const body = { exit_date: '2999-12-31', cause: 'resigned' };
  return await bench.call('employeeStatus.end', { path: { id }, body });
};

const TRIES = 60;
const WAIT_MS = 500;

/** Creates an employee whose last day has passed. The schedule for effective dates ends their employment. */
const leaver: Recipe = async (bench, serial) => {
  const { id } = await employ(bench, serial);
  await bench.call('employeeStatus.end', { path: { id }, body: { exit_date: '2025-12-31', cause: 'retired' } });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const shown = await bench.call('employees.show', { path: { id } });
    if (shown['status'] === 'left') return shown;
    await pause(WAIT_MS);
  }
  throw new Error('Employee status not updated. Check that the hr schedules run.');
};

/** Creates an employee with a login, who may be clocked in. */
const clerk: Recipe = async (bench, serial) => {
  const session = await people['person']!(bench, serial + 200);
  await employ(bench, serial + 200, { user: { user_id: session.id } });
  return session;
};

/** Times that fit both a day shift and a night shift. */
const EVENING = { first_in: '2026-06-10T20:10:00+02:00', last_out: '2026-06-10T21:20:00+02:00' };

const attendance: Recipe = async (bench, serial) => {
  const { id: employee_id } = await employ(bench, serial + 300);
  const body = { employee_id, local_date: '2026-06-10', ...EVENING, reason: 'Stocktaking' };
  return await bench.call('attendances.create', { body });
};

/** Creates an employee's balance of a leave type that can be paid out. */
const leaveBalance: Recipe = async (bench, serial) => {
  const { id: employee_id } = await employ(bench, serial + 400);
  const type = { name: `Overtime ${serial}`, code: `overtime_${serial}`, encashable: true };
  const { id: leave_type_id } = await bench.call('leaveTypes.create', { body: type });
  const days = { days: '5', valid_from: '2026-01-01', reason: 'Brought along from last year' };
  await bench.call('leaveBalances.adjust', { body: { employee_id, leave_type_id, ...days } });
  return { id: employee_id, leave_type_id };
};

export const staff = {
  trade,
  employee,
  employee_on_notice: onNotice,
  leaver,
  clerk,
  attendance,
  leave_balance: leaveBalance,
} satisfies Record<string, Recipe>;

export const staffCalls = {
  'employees.create': {
    body: {
      name: 'Katherine Johnson',
      joining_date: '2026-02-01',
      employment_type: 'full',
      branch_id: '$branch',
      department_id: '$department',
      designation_id: '$trade',
      manager_id: '$employee',
      email: 'katherine@bikes.example',
      dob: '1990-05-17',
      bank: { bank_name: 'Commerzbank', account_number: 'DE89 3704 0044 0532 0130 00' },
      salary: { basis: 'monthly', amount: '4250.00', currency: 'EUR' },
      emergency_contact: { name: 'James Johnson', relation: 'Husband', phone: '+49 40 1234567' },
    },
  },
  'employees.update': {
    path: { id: '$employee!' },
    body: {
      employment_type: 'part',
      salary: { basis: 'monthly', amount: '3200.00', currency: 'EUR', weekly_hours: '30' },
    },
  },
  'employees.remove': { path: { id: '$employee!' } },
  'employeeHistory.list': { path: { id: '$employee' } },
  'employeeStatus.update': { path: { id: '$employee!' }, body: { action: 'begin_long_leave' } },
  'employeeStatus.end': { path: { id: '$employee!' }, body: { exit_date: '2999-12-31', cause: 'retired' } },
  'employeeStatus.carryOn': { path: { id: '$employee_on_notice!' } },
  'employeeStatus.rehire': { path: { id: '$leaver!' }, body: { joining_date: '2026-06-01', notice_days: 30 } },
  'attendances.create': {
    body: { employee_id: '$employee!', local_date: '2026-06-10', ...EVENING, reason: 'Stocktaking' },
  },
  'attendances.month': { query: { employee_id: '$employee', month: '2026-06' } },
  'attendances.update': {
    path: { attendance_id: '$attendance!' },
    body: { overtime_approved: true, reason: 'Agreed with the customer' },
  },
  'attendances.remove': { path: { attendance_id: '$attendance!' } },
  'leaveBalances.adjust': {
    body: {
      employee_id: '$leave_balance!.id',
      leave_type_id: '$leave_balance!.leave_type_id',
      days: '-1.5',
      valid_from: '2026-06-10',
      reason: 'Granted twice',
    },
  },
  'leaveBalances.encash': {
    body: {
      employee_id: '$leave_balance!.id',
      leave_type_id: '$leave_balance!.leave_type_id',
      days: '2',
      reason: 'Agreed with the works council',
    },
  },
  'clocking.tap': { as: '$clerk!.access_token', body: { note: 'Painting at home', work_from_home: true } },
  'clocking.history': { as: '$clerk!.access_token', body: { from: '2026-06-01', to: '2026-06-07' } },
} satisfies Record<string, ExampleCall>;
