/**
 * Factories for employees, and their example calls. `$employee` is the ID of a shared record, and `$employee!` the ID
 * of a record created for the call.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { people } from '../platform/people.ts';

/** Returns the place where all employees of these examples work. */
async function placeOf(recorder: ExampleRecorder) {
  const { id: designation_id, department_id } = await recorder.first('designations.list');
  const { id: branch_id } = await recorder.first('branches.list');
  return { designation_id, department_id, branch_id };
}

/** Creates an employee in the place of these examples, unless another place is specified. */
export const createEmployee = async (recorder: ExampleRecorder, serial: number, more: object = {}): Promise<Row> =>
  await recorder.call('employees.create', {
    body: {
      name: `Ada Lovelace ${serial}`,
      joining_date: '2025-03-01',
      employment_type: 'full',
      ...(await placeOf(recorder)),
      ...more,
    },
  });

/** Creates a designation in the department that calls share. */
const designation: ExampleFactory = async (recorder, serial) => {
  const { id: department_id } = await recorder.shared('department');
  return await recorder.call('designations.create', { body: { name: `Wheelwright ${serial}`, department_id } });
};

const employee: ExampleFactory = (recorder, serial) => createEmployee(recorder, serial);

const employeeOnNotice: ExampleFactory = async (recorder, serial) => {
  const { id } = await createEmployee(recorder, serial);
  const body = { exit_date: '2999-12-31', cause: 'resigned' };
  return await recorder.call('employeeStatus.end', { path: { id }, body });
};

const TRIES = 60;
const WAIT_MS = 500;

/** Creates an employee whose last day has passed. The schedule for effective dates ends their employment. */
const leaver: ExampleFactory = async (recorder, serial) => {
  const { id } = await createEmployee(recorder, serial);
  await recorder.call('employeeStatus.end', { path: { id }, body: { exit_date: '2025-12-31', cause: 'retired' } });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const shown = await recorder.call('employees.show', { path: { id } });
    if (shown['status'] === 'left') return shown;
    await pause(WAIT_MS);
  }
  throw new Error('Employee status not updated. Check that the hr schedules run.');
};

/** Creates an employee with a login, who may be clocked in. */
const employeeUser: ExampleFactory = async (recorder, serial) => {
  const session = await people['person']!(recorder, serial + 200);
  await createEmployee(recorder, serial + 200, { user: { user_id: session.id } });
  return session;
};

/** Times that fit both a day shift and a night shift. */
const EVENING = { first_in: '2026-06-10T20:10:00+02:00', last_out: '2026-06-10T21:20:00+02:00' };

const attendance: ExampleFactory = async (recorder, serial) => {
  const { id: employee_id } = await createEmployee(recorder, serial + 300);
  const body = { employee_id, local_date: '2026-06-10', ...EVENING, reason: 'Stocktaking' };
  return await recorder.call('attendances.create', { body });
};

/** Creates an employee's balance of a leave type that can be paid out. */
const leaveBalance: ExampleFactory = async (recorder, serial) => {
  const { id: employee_id } = await createEmployee(recorder, serial + 400);
  const type = { name: `Overtime ${serial}`, code: `overtime_${serial}`, encashable: true };
  const { id: leave_type_id } = await recorder.call('leaveTypes.create', { body: type });
  const days = { days: '5', valid_from: '2026-01-01', reason: 'Brought along from last year' };
  await recorder.call('leaveBalances.adjust', { body: { employee_id, leave_type_id, ...days } });
  return { id: employee_id, leave_type_id };
};

export const staff = {
  trade: designation,
  employee,
  employee_on_notice: employeeOnNotice,
  leaver,
  clerk: employeeUser,
  attendance,
  leave_balance: leaveBalance,
} satisfies Record<string, ExampleFactory>;

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
