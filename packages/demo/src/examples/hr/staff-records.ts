/**
 * Factories for records about employees, and their example calls. `$employee` is the ID of a shared record, and
 * `$employee!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { staff } from './staff.ts';

const FAR = '2030-12-31';
const DAY = '2026-06-01';

/** Creates an employee, and a record about the employee. */
const createRecordAbout =
  (operation: string, body: (recorder: ExampleRecorder, serial: number) => Promise<object> | object): ExampleFactory =>
  async (recorder, serial) => {
    const { id: employee_id } = await staff.employee(recorder, serial + 400);
    return await recorder.call(operation, { body: { employee_id, ...(await body(recorder, serial)) } });
  };

/** Creates a designation in the department where all employees of these examples work. */
const createHigherDesignation = async (recorder: ExampleRecorder, serial: number): Promise<Row> => {
  const { department_id } = await recorder.first('designations.list');
  return await recorder.call('designations.create', { body: { name: `Master ${serial}`, department_id } });
};

const notice = { notice_date: DAY, reason: 'Moves to the sea' };
const warning = { subject: 'Late again', severity: 'written', date: DAY, text: 'Three times in May.' };
const noise = { subject: 'Noise in the yard', date: DAY, description: 'Every morning before seven.' };

/** Creates an employee who signs in, and returns the employee's ID together with the session. */
const createSignedInEmployee = async (recorder: ExampleRecorder, serial: number) => {
  const session = await staff.clerk(recorder, serial + 40);
  const { id: employee_id } = await recorder.first('employees.list', { user_id: session.id });
  return { employee_id, access_token: String(session['access_token']) };
};

export const staffRecords = {
  designation_above: createHigherDesignation,
  award: createRecordAbout('awards.create', (_, serial) => ({ type: 'month', title: `Idea ${serial}`, date: DAY })),
  promotion: createRecordAbout('promotions.create', async (recorder, serial) => ({
    to_designation_id: (await createHigherDesignation(recorder, serial + 50)).id,
    effective_date: DAY,
  })),
  employee_transfer: createRecordAbout('employeeTransfers.create', async (recorder) => ({
    to_manager_id: (await recorder.shared('employee')).id,
    effective_date: DAY,
  })),
  resignation: createRecordAbout('resignations.create', () => ({ ...notice, last_day: FAR })),
  termination: createRecordAbout('terminations.create', () => ({ ...notice, type: 'redundancy', date: FAR })),
  warning: createRecordAbout('warnings.create', () => warning),
  complaint: (recorder) => recorder.call('complaints.create', { body: noise }),
  acknowledged_warning: async (recorder, serial) => {
    const { employee_id, access_token } = await createSignedInEmployee(recorder, serial);
    const { id } = await recorder.call('warnings.create', { body: { ...warning, employee_id } });
    return await recorder.call('warnings.acknowledge', { as: access_token, path: { id } });
  },
  own_warning: async (recorder, serial) => {
    const { employee_id, access_token } = await createSignedInEmployee(recorder, serial + 1);
    const { id } = await recorder.call('warnings.create', { body: { ...warning, employee_id } });
    return { id, access_token };
  },
  own_resignation: async (recorder, serial) => {
    const { access_token } = await createSignedInEmployee(recorder, serial + 2);
    const body = { last_day: FAR, reason: notice.reason };
    const { id } = await recorder.call('resignations.resign', { as: access_token, body });
    return { id, access_token };
  },
  own_complaint: async (recorder, serial) => {
    const { access_token } = await createSignedInEmployee(recorder, serial + 3);
    const { id } = await recorder.call('complaints.file', {
      as: access_token,
      body: { ...noise, anonymous: true },
    });
    return { id, access_token };
  },
} satisfies Record<string, ExampleFactory>;

const asPayrollUser = { as: '$clerk!.access_token' };

export const staffRecordCalls = {
  'awards.own': asPayrollUser,
  'promotions.own': asPayrollUser,
  'employeeTransfers.own': asPayrollUser,
  'resignations.own': asPayrollUser,
  'terminations.own': asPayrollUser,
  'warnings.own': asPayrollUser,
  'complaints.own': asPayrollUser,
  'awards.create': {
    body: {
      employee_id: '$employee!',
      type: 'month',
      date: DAY,
      title: 'Employee of the month',
      gift: 'A bell',
      public: true,
    },
  },
  'awards.update': { path: { id: '$award!' }, body: { title: 'Employee of June' } },
  'promotions.create': {
    body: {
      employee_id: '$employee!',
      to_designation_id: '$designation_above!',
      effective_date: DAY,
      salary: { basis: 'monthly', amount: '4800.00', currency: 'EUR' },
      reason: 'Has led the workshop since March',
    },
  },
  'promotions.update': { path: { id: '$promotion!' }, body: { reason: 'Leads the workshop' } },
  'promotions.decide': { path: { id: '$promotion!' }, body: { action: 'approve', remark: 'Well done' } },
  'employeeTransfers.create': {
    body: { employee_id: '$employee!', to_branch_id: '$branch!', effective_date: DAY, reason: 'The new shop' },
  },
  'employeeTransfers.update': { path: { id: '$employee_transfer!' }, body: { effective_date: '2026-06-15' } },
  'employeeTransfers.decide': { path: { id: '$employee_transfer!' }, body: { action: 'approve' } },
  'resignations.create': { body: { employee_id: '$employee!', ...notice, last_day: FAR } },
  'resignations.update': { path: { id: '$resignation!' }, body: { last_day: '2030-11-30' } },
  'resignations.decide': { path: { id: '$resignation!' }, body: { action: 'approve' } },
  'resignations.resign': { ...asPayrollUser, body: { last_day: FAR, reason: 'Moves to the sea' } },
  'resignations.retract': { as: '$own_resignation!.access_token', path: { id: '$own_resignation!' } },
  'terminations.create': {
    body: { employee_id: '$employee!', type: 'contract_end', notice_date: DAY, date: FAR, reason: 'A season' },
  },
  'terminations.update': { path: { id: '$termination!' }, body: { reason: 'The season is over' } },
  'terminations.decide': { path: { id: '$termination!' }, body: { action: 'approve' } },
  'warnings.create': { body: { employee_id: '$employee!', ...warning, expires_on: '2030-06-01' } },
  'warnings.update': { path: { id: '$warning!' }, body: { severity: 'final' } },
  'warnings.decide': { path: { id: '$acknowledged_warning!' }, body: { action: 'close', remark: 'A year without' } },
  'warnings.acknowledge': { as: '$own_warning!.access_token', path: { id: '$own_warning!' } },
  'complaints.create': { body: { ...noise, from_employee_id: '$employee!' } },
  'complaints.update': { path: { id: '$complaint!' }, body: { subject: 'Noise before seven' } },
  'complaints.decide': { path: { id: '$complaint!' }, body: { action: 'investigate' } },
  'complaints.file': { ...asPayrollUser, body: { ...noise, anonymous: true } },
  'complaints.filed': { as: '$own_complaint.access_token', path: { complaint_id: '$own_complaint' } },
} satisfies Record<string, ExampleCall>;
