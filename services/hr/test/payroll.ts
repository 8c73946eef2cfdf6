/** Fixture of the payroll tests: a workspace in June 2026, which has 21 working days. */
import type { Member } from '@suite/testing';
import { calculatePayrolls } from '../src/payroll/payroll-run/calculate-due.ts';
import { applyLeave } from '../src/attendance/attendance-days/leave-days.ts';
import { writeLeaveDays } from '../src/leave/leave-applications/leave-row.ts';
import { type TestWorkspace, openHr } from './fixture.ts';

const SOCIAL = ['basic', 'housing', 'overtime'];
const percentComponent = (code: string, kind: string, percent: string, position: number, ceiling?: string) => ({
  code,
  kind,
  calc: 'percent_of_basic',
  percent,
  base: SOCIAL,
  ...(kind === 'deduction' && { pre_tax: true }),
  position,
  ...(ceiling && { ceiling }),
});

/**
 * Components of the example payslip (docs/worked-examples.md): housing of 10 %, transport of 120.00, pension of 9.3 %
 * and health of 7.3 %, also of the employer, accident of 1.2 %, income tax in slabs, and the union.
 */
export const EXAMPLE_COMPONENTS = [
  { code: 'housing', kind: 'earning', calc: 'percent_of_basic', percent: '10', position: 1 },
  { code: 'transport', kind: 'earning', calc: 'fixed', amount: '120.00', position: 2, taxable: false, prorated: false },
  percentComponent('pension', 'deduction', '9.3', 1, '8450.00'),
  percentComponent('health', 'deduction', '7.3', 2, '4200.00'),
  percentComponent('pension_employer', 'employer', '9.3', 3, '8450.00'),
  percentComponent('health_employer', 'employer', '7.3', 4, '4200.00'),
  percentComponent('accident', 'employer', '1.2', 5),
  {
    code: 'income_tax',
    kind: 'deduction',
    calc: 'slab',
    annual: true,
    position: 1,
    slabs: [
      { from: '0', to: '12000', rate: '0' },
      { from: '12000', to: '30000', rate: '20' },
      { from: '30000', to: '60000', rate: '30' },
      { from: '60000', rate: '42' },
    ],
  },
  { code: 'union', kind: 'deduction', calc: 'formula', formula: 'min(basic * 0.005, 15)', position: 1 },
];

/** Components of worked example G14: an allowance of 300.00, pension of 5 % of the basic salary, and tax of 10 %. */
export const FLAT_TAX_COMPONENTS = [
  { code: 'allowance', kind: 'earning', calc: 'fixed', amount: '300.00', prorated: false, position: 1 },
  {
    code: 'pension',
    kind: 'deduction',
    calc: 'percent_of_basic',
    percent: '5',
    base: ['basic'],
    pre_tax: true,
    position: 1,
  },
  { code: 'flat_tax', kind: 'deduction', calc: 'slab', slabs: [{ from: '0', rate: '10' }], position: 1 },
];

/** Workspace with paid employees. */
export interface PayrollFixture extends TestWorkspace {
  /** Creates components. Returns their IDs by code. */
  components(parts: readonly object[]): Promise<Record<string, string>>;
  /** Hires an employee, by default Ada Lovelace for 3,000.00 a month since 1 January 2026. Returns the ID. */
  hire(person?: object): Promise<string>;
  /** Adds a holiday to the default calendar. */
  holiday(day: string): Promise<void>;
  /** Enters an attendance day with the given status or punches. */
  attend(employee_id: string, local_date: string, more: object): Promise<void>;
  /** Grants leave, by default a whole day. */
  leave(employee_id: string, day: string, how: { paid: boolean; half?: boolean }): Promise<void>;
  /** Drafts a run for June 2026, paid on 30 June. */
  draft(more?: object): Promise<string>;
  /** Runs the payroll to completion. Returns the run in the response format. */
  run(id: string): Promise<ParsedJson>;
  show(id: string): Promise<ParsedJson>;
  /** Returns a payslip of a run. */
  slip(run: ParsedJson, employee_id: string): Promise<ParsedJson>;
  /** Makes the payslips of a run final, as the approval does. */
  finalise(id: string): Promise<void>;
}

type ParsedJson = ReturnType<typeof JSON.parse>;

const JUNE = { period_start: '2026-06-01', period_end: '2026-06-30', pay_date: '2026-06-30' };
const usual = {
  name: 'Ada Lovelace',
  joining_date: '2026-01-01',
  employment_type: 'full',
  salary: { basis: 'monthly', amount: '3000.00' },
};

/** Sends requests that must succeed. */
const posting = (owner: Member) => async (path: string, body: object) => {
  const reply = await owner.post(path, body);
  if (reply.status >= 400) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
};

/** Returns the branch, department and designation of all employees in a test workspace. */
async function workplaceIn({ owner }: TestWorkspace) {
  const [{ id: designation_id, department_id }] = (await owner.get('/api/designations')).body.data;
  const departments = (await owner.get('/api/departments')).body.data;
  const { branch_id } = departments.find(({ id }: { id: string }) => id === department_id);
  return { designation_id, department_id, branch_id };
}

/** Grants leave as its approval does. */
const leaveIn =
  ({ write }: TestWorkspace): PayrollFixture['leave'] =>
  (employee_id, day, { paid, half = false }) =>
    write(async (db) => {
      const { id: leave_type_id } = await db.leaveType.findFirstOrThrow({ where: { paid } });
      const from = `${day}T00:00:00Z`;
      const how = { days: half ? 0.5 : 1, half_day: half ? 'first' : 'none', status: 'approved' };
      const data = { employee_id, leave_type_id, from, to: from, ...how };
      const { id: application_id } = await db.leaveApplication.create({ data });
      await writeLeaveDays(db, { id: application_id, employee_id }, [{ day, days: half ? 50 : 100 }]);
      await applyLeave({ db, emit: () => undefined }, { employee_id, days: [day] });
    });

/** Returns functions that create employees and their payroll data. */
async function peopleOf(
  acme: TestWorkspace,
): Promise<Pick<PayrollFixture, 'components' | 'hire' | 'holiday' | 'attend' | 'leave'>> {
  const post = posting(acme.owner);
  const place = await workplaceIn(acme);
  return {
    async components(parts) {
      const made: Record<string, string> = {};
      for (const part of parts as { code: string }[])
        made[part.code] = (await post('/api/salary-component/create', { name: part.code, ...part })).id;
      return made;
    },
    hire: async (person = {}) => (await post('/api/employee/create', { ...usual, ...place, ...person })).id,
    holiday: (day) => post('/api/holiday/create', { name: 'Holiday', from: day }),
    attend: (employee_id, local_date, more) =>
      post('/api/attendance/create', { employee_id, local_date, reason: 'Test', ...more }),
    leave: leaveIn(acme),
  };
}

/** Starts the service, and creates workspaces with paid employees. */
export async function openPayroll() {
  const hr = await openHr();
  const { serving, company } = hr;
  const tools = serving.tools as unknown as Parameters<typeof calculatePayrolls>[0];
  const calculate = () => calculatePayrolls(tools);

  async function payroll(): Promise<PayrollFixture> {
    const acme = await company();
    const post = posting(acme.owner);
    const show = async (id: string) => (await acme.owner.get(`/api/payrolls/${id}`)).body.data;
    return {
      ...acme,
      ...(await peopleOf(acme)),
      draft: async (more = {}) => (await post('/api/payroll/create', { ...JUNE, ...more })).id,
      async run(id) {
        await post(`/api/payroll/run/${id}`, {});
        await calculate();
        return await show(id);
      },
      show,
      async slip(run, employee_id) {
        const entry = run.entries.find((one: ParsedJson) => one.employee_id === employee_id);
        return (await acme.owner.get(`/api/payslip/${entry.id}`)).body.data;
      },
      async finalise(id) {
        await serving.sql`UPDATE payrolls SET status = 'approved' WHERE id = ${id}`;
        await serving.sql`UPDATE payroll_entries SET status = 'finalised' WHERE payroll_id = ${id} AND status = 'draft'`;
      },
    };
  }
  return { ...hr, calculate, payroll, tools };
}
