/** Factories for records about employees, and their example calls. */
import type { Bench, ExampleCall, Recipe, Row } from '../bench/bench.ts';
import { staff } from './staff.ts';

const FAR = '2030-12-31';
const DAY = '2026-06-01';

/** Creates an employee, and a record about the employee. */
const about =
  (operation: string, body: (bench: Bench, serial: number) => Promise<object> | object): Recipe =>
  async (bench, serial) => {
    const { id: employee_id } = await staff.employee(bench, serial + 400);
    return await bench.call(operation, { body: { employee_id, ...(await body(bench, serial)) } });
  };

/** Creates a designation in the department where all employees of these examples work. */
const higher = async (bench: Bench, serial: number): Promise<Row> => {
  const { department_id } = await bench.first('designations.list');
  return await bench.call('designations.create', { body: { name: `Master ${serial}`, department_id } });
};

const notice = { notice_date: DAY, reason: 'Moves to the sea' };
const warned = { subject: 'Late again', severity: 'written', date: DAY, text: 'Three times in May.' };
const noise = { subject: 'Noise in the yard', date: DAY, description: 'Every morning before seven.' };

/** Creates an employee who signs in, and returns the employee's ID together with the session. */
const selfOf = async (bench: Bench, serial: number) => {
  const session = await staff.clerk(bench, serial + 40);
  const { id: employee_id } = await bench.first('employees.list', { user_id: session.id });
  return { employee_id, access_token: String(session['access_token']) };
};

export const staffRecords = {
  designation_above: higher,
  award: about('awards.create', (_, serial) => ({ type: 'month', title: `Idea ${serial}`, date: DAY })),
  promotion: about('promotions.create', async (bench, serial) => ({
    to_designation_id: (await higher(bench, serial + 50)).id,
    effective_date: DAY,
  })),
  employee_transfer: about('employeeTransfers.create', async (bench) => ({
    to_manager_id: (await bench.shared('employee')).id,
    effective_date: DAY,
  })),
  resignation: about('resignations.create', () => ({ ...notice, last_day: FAR })),
  termination: about('terminations.create', () => ({ ...notice, type: 'redundancy', date: FAR })),
  warning: about('warnings.create', () => warned),
  complaint: (bench) => bench.call('complaints.create', { body: noise }),
  acknowledged_warning: async (bench, serial) => {
    const { employee_id, access_token } = await selfOf(bench, serial);
    const { id } = await bench.call('warnings.create', { body: { ...warned, employee_id } });
    return await bench.call('warnings.acknowledge', { as: access_token, path: { id } });
  },
  own_warning: async (bench, serial) => {
    const { employee_id, access_token } = await selfOf(bench, serial + 1);
    const { id } = await bench.call('warnings.create', { body: { ...warned, employee_id } });
    return { id, access_token };
  },
  own_resignation: async (bench, serial) => {
    const { access_token } = await selfOf(bench, serial + 2);
    const body = { last_day: FAR, reason: notice.reason };
    const { id } = await bench.call('resignations.resign', { as: access_token, body });
    return { id, access_token };
  },
  own_complaint: async (bench, serial) => {
    const { access_token } = await selfOf(bench, serial + 3);
    const { id } = await bench.call('complaints.file', {
      as: access_token,
      body: { ...noise, anonymous: true },
    });
    return { id, access_token };
  },
} satisfies Record<string, Recipe>;

const asClerk = { as: '$clerk!.access_token' };

export const staffRecordCalls = {
  'awards.own': asClerk,
  'promotions.own': asClerk,
  'employeeTransfers.own': asClerk,
  'resignations.own': asClerk,
  'terminations.own': asClerk,
  'warnings.own': asClerk,
  'complaints.own': asClerk,
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
  'resignations.resign': { ...asClerk, body: { last_day: FAR, reason: 'Moves to the sea' } },
  'resignations.retract': { as: '$own_resignation!.access_token', path: { id: '$own_resignation!' } },
  'terminations.create': {
    body: { employee_id: '$employee!', type: 'contract_end', notice_date: DAY, date: FAR, reason: 'A season' },
  },
  'terminations.update': { path: { id: '$termination!' }, body: { reason: 'The season is over' } },
  'terminations.decide': { path: { id: '$termination!' }, body: { action: 'approve' } },
  'warnings.create': { body: { employee_id: '$employee!', ...warned, expires_on: '2030-06-01' } },
  'warnings.update': { path: { id: '$warning!' }, body: { severity: 'final' } },
  'warnings.decide': { path: { id: '$acknowledged_warning!' }, body: { action: 'close', remark: 'A year without' } },
  'warnings.acknowledge': { as: '$own_warning!.access_token', path: { id: '$own_warning!' } },
  'complaints.create': { body: { ...noise, from_employee_id: '$employee!' } },
  'complaints.update': { path: { id: '$complaint!' }, body: { subject: 'Noise before seven' } },
  'complaints.decide': { path: { id: '$complaint!' }, body: { action: 'investigate' } },
  'complaints.file': { ...asClerk, body: { ...noise, anonymous: true } },
  'complaints.filed': { as: '$own_complaint.access_token', path: { complaint_id: '$own_complaint' } },
} satisfies Record<string, ExampleCall>;
