/** Input data of payslips: the data of employees as of each day of a period, and amounts from other periods. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../operations.ts';
import { type WorkspaceCalendar, type EmployeeSchedule, workDays } from '../../time/days/day.rules.ts';
import { readCompany, readPeople } from '../../time/days/days.ts';
import { type PayrollOneOff, readOneOffs } from '../payrolls/payroll-one-offs.ts';
import {
  readComponents,
  type DatedComponent,
  type SalaryComponents,
} from '../../employment/salary-components/component.ts';
import type {
  SalaryAssignment,
  PeriodFacts,
  OpenLoan,
  OpenRecovery,
  PayTerms,
} from '../../employment/pay-computation/facts/input.ts';
import type { FieldCipher } from '@suite/field-encryption';
import { daysAfter } from '@suite/time-zones';
import { type AttendedDay, daysInsideUnpaidLeave, payDay, REST_DAYS_MAX } from '../payroll-facts/day-facts.rules.ts';
import { type PaidLeaveRow, readLeaveRows } from '../payroll-facts/leave-rows.ts';
import { readLoans, readRecoveries } from '../../employment/open-debts/debts.ts';
import { type EarlierPayslip, readEarlierPayslips } from '../payroll-facts/money-rows.ts';
import {
  type DatedSalary,
  type PaidPerson,
  readAttendedDays,
  readPaidPeople,
  readProjectTime,
  readSalaries,
  readTakenLeave,
  salariesBetween,
  type PaidLeaveDay,
} from '../payroll-facts/people-rows.ts';
import type { RunSettings } from '../payroll-facts/run-settings.ts';
import { taxYearOf } from '../payroll-facts/tax-year.rules.ts';
import { arrearsSince, payslipsToCompare } from './arrears-marks.ts';

/** Payroll run with the data for its calculation. */
export interface CalculatedRun {
  id: string;
  type: string;
  frequency: 'monthly' | 'fortnightly' | 'weekly';
  period_start: string;
  period_end: string;
  pay_date: string;
  currency: string;
  settings: RunSettings;
}

/** Input data for some employees of a run. */
export interface BatchInputs {
  run: CalculatedRun;
  company: WorkspaceCalendar;
  components: SalaryComponents;
  people: ReadonlyMap<string, EmployeeSchedule>;
  paid: ReadonlyMap<string, PaidPerson>;
  salaries: ReadonlyMap<string, DatedSalary[]>;
  attended: ReadonlyMap<string, ReadonlyMap<string, AttendedDay>>;
  /** Approved leave, including some days before and after the periods. */
  taken: ReadonlyMap<string, ReadonlyMap<string, PaidLeaveDay[]>>;
  project_time: ReadonlyMap<string, ReadonlyMap<string, number>>;
  recoveries: ReadonlyMap<string, OpenRecovery[]>;
  loans: ReadonlyMap<string, OpenLoan[]>;
  earlier: ReadonlyMap<string, EarlierPayslip[]>;
  /** Earlier payslips that are compared with current data. */
  compared: ReadonlyMap<string, EarlierPayslip[]>;
  one_offs: ReadonlyMap<string, PayrollOneOff[]>;
  /** Leave settled in money, by this run or an earlier payslip. */
  leave: ReadonlyMap<string, PaidLeaveRow[]>;
}

const isPaidBySource =
  (source: 'attendance' | 'projects') =>
  ({ salary }: DatedSalary): boolean =>
    salary?.basis === 'hourly' && (salary.hourly_source ?? 'attendance') === source;

/** Reads attendance days of the period. For employees with compared payslips, also reads the earlier days. */
async function readAttendance(
  db: Db,
  ids: readonly string[],
  {
    run,
    from,
    compared,
    hourly,
  }: { run: CalculatedRun; from: string; hourly: readonly string[] } & Pick<BatchInputs, 'compared'>,
): Promise<BatchInputs['attended']> {
  const readDaysSince = (people: readonly string[], since: string) =>
    readAttendedDays(db, people, { span: { from: since, to: run.period_end }, hourly });
  const present = await readDaysSince(
    ids.filter((id) => !compared.has(id)),
    run.period_start,
  );
  return compared.size === 0 ? present : new Map([...present, ...(await readDaysSince([...compared.keys()], from))]);
}

/** Returns a span extended by rest days, because unpaid leave around its edges can include days off. */
const extendByRestDays = ({ from, to }: { from: string; to: string }) => ({
  from: daysAfter(from, -REST_DAYS_MAX),
  to: daysAfter(to, REST_DAYS_MAX),
});

/** Reads the input data of some employees with a fixed number of statements. */
export async function readBatch(
  db: Db,
  cipher: FieldCipher,
  run: CalculatedRun,
  ids: readonly string[],
): Promise<BatchInputs> {
  const { from: year_from } = taxYearOf(run.pay_date, run.settings.tax_year_start);
  const since = [arrearsSince(run), year_from].toSorted()[0]!;
  const [salaries, paid, earlier] = [
    await readSalaries(db, cipher, ids, run.period_end),
    await readPaidPeople(db, cipher, ids),
    await readEarlierPayslips(db, cipher, ids, since),
  ];
  const compared = await payslipsToCompare(db, run, earlier);
  const starts = [...compared.values()].flat().map(({ period_start }) => period_start);
  const from = [run.period_start, ...starts].toSorted()[0]!;
  const span = { from, to: run.period_end };
  const employeesPaidBySource = (source: 'attendance' | 'projects') =>
    ids.filter((id) => salaries.get(id)?.some(isPaidBySource(source)));
  const users = employeesPaidBySource('projects').flatMap((id) => paid.get(id)?.user_id ?? []);
  return {
    run,
    salaries,
    paid,
    earlier,
    compared,
    company: await readCompany(db, extendByRestDays(span)),
    people: await readPeople(db, ids),
    components: await readComponents(db, run.period_end),
    attended: await readAttendance(db, ids, { run, from, compared, hourly: employeesPaidBySource('attendance') }),
    taken: await readTakenLeave(db, ids, extendByRestDays(span)),
    project_time: await readProjectTime(db, users, span),
    recoveries: await readRecoveries(db, cipher, ids, run.currency),
    loans: await readLoans(db, cipher, ids, run.currency),
    leave: await readLeaveRows(db, ids, run.period_end),
    one_offs: Map.groupBy(await readOneOffs(db, cipher, run.id, ids), ({ employee_id }) => employee_id),
  };
}

/** Period of an employee with the settings for its pay. */
export interface EmployeePeriod {
  start: string;
  end: string;
  frequency: CalculatedRun['frequency'];
  regular: boolean;
  currency: string;
  settings: RunSettings;
}

/** Returns the salaries of an employee that count in a period. */
export const salariesInPeriod = (
  batch: BatchInputs,
  employee_id: string,
  period: Pick<EmployeePeriod, 'start' | 'end'>,
): DatedSalary[] => salariesBetween(batch.salaries.get(employee_id) ?? [], period);

/** Zero salary, for a day without a salary. */
const NO_SALARY = { basis: 'monthly', amount: '0', weekly_hours: '40', components: [] } as const;

type ComponentsById = ReadonlyMap<string, DatedComponent>;

/** Returns the default amount or percentage of a component, which a salary can override. */
const defaultValueOf = ({ component: { calc, amount, percent } }: DatedComponent): string | null =>
  (calc === 'percent_of_basic' ? percent : calc === 'fixed' ? amount : null) ?? null;

/** Returns the components of a salary on a day. @param last their calculation at the end of the period */
function assignedOn({ salary }: DatedSalary, on: ComponentsById, last: ComponentsById): SalaryAssignment[] {
  return (salary?.components ?? []).flatMap(({ component_id, value }): SalaryAssignment[] => {
    const [then, now] = [on.get(component_id), last.get(component_id)];
    if (!then || !now) return [];
    const isOther = then.component.calc === now.component.calc && defaultValueOf(then) !== defaultValueOf(now);
    return [{ code: now.component.code, value: value ?? (isOther ? defaultValueOf(then) : null) }];
  });
}

/**
 * Returns the salary terms from their first day, and from each later day of the period on which a component changes.
 * @param span.until day of the next salary
 */
function termsOf(
  dated: DatedSalary,
  components: SalaryComponents,
  { start, until, end }: { start: string; until: string; end: string },
): PayTerms[] {
  const { from, salary } = dated;
  if (!salary) return [{ from, ...NO_SALARY }];
  const { basis, amount, weekly_hours } = salary;
  const byId = (day: string): ComponentsById => new Map(components.on(day).map((one) => [one.id, one]));
  const first = from < start ? start : from;
  const days = [first, ...components.days.filter((day) => first < day && day < until && day <= end)];
  const last = byId(end);
  const all = days.map((day) => assignedOn(dated, byId(day), last));
  return all.flatMap((assigned, at) =>
    at > 0 && isDeepStrictEqual(assigned, all[at - 1])
      ? []
      : [{ from: at === 0 ? from : days[at]!, basis, amount, weekly_hours, components: assigned }],
  );
}

/** Returns the joining date of an employee in a period. */
const joiningDateBy = ({ employments }: EmployeeSchedule, end: string, otherwise: string): string =>
  employments
    .map(({ joining_date }) => joining_date)
    .filter((day) => day <= end)
    .toSorted()
    .at(-1) ?? otherwise;

/** Checks if days off count as payment days. */
const paysDaysOff = ({ working_days_basis }: RunSettings): boolean =>
  working_days_basis === 'calendar' || working_days_basis === 'fixed_30';

function extendSpan(start: string, end: string): [string, string] {
  const { from, to } = extendByRestDays({ from: start, to: end });
  return [from, to];
}

/**
 * Returns the input data of a period: salary, components, shift, branch, calendar and employment as of each day.
 * Contains only the employee's own components, so that changes of others have no effect.
 */
export function factsOf(batch: BatchInputs, employee_id: string, period: EmployeePeriod): PeriodFacts {
  const { start, end, frequency, regular, currency, settings } = period;
  const person = batch.people.get(employee_id)!;
  const { dob, joining_date, user_id } = batch.paid.get(employee_id)!;
  const salaries = salariesInPeriod(batch, employee_id, period);
  const known = batch.components.on(end);
  const terms = salaries.flatMap((one, at) =>
    termsOf(one, batch.components, { start, until: salaries[at + 1]?.from ?? '~', end }),
  );
  const assigned = new Set(terms.flatMap(({ components }) => components.map(({ code }) => code)));
  const attended = batch.attended.get(employee_id);
  const project_time = user_id ? batch.project_time.get(user_id) : undefined;
  const taken = batch.taken.get(employee_id);
  const leaveOn = (day: string) => taken?.get(day) ?? [];
  const inside = paysDaysOff(settings)
    ? daysInsideUnpaidLeave(workDays(batch.company, person, ...extendSpan(start, end)), leaveOn)
    : new Set<string>();
  const days = workDays(batch.company, person, start, end).map((day) =>
    payDay(day, {
      attended: attended?.get(day.day),
      leave: leaveOn(day.day),
      inside_unpaid_leave: inside.has(day.day),
      payroll_basis: settings.payroll_basis ?? 'attendance',
      project_seconds: project_time?.get(day.day) ?? 0,
      terms: salaries.findLast(({ from }) => from <= day.day)?.salary ?? undefined,
      overtime_pay: settings.overtime_pay,
    }),
  );
  return {
    person: { id: employee_id, dob, joining_date: joiningDateBy(person, end, joining_date) },
    period: { start, end, frequency, regular },
    currency,
    settings: {
      working_days_basis: settings.working_days_basis,
      overtime_factor: settings.overtime_factor,
      recovery_max_percent: settings.recovery_max_percent,
    },
    days,
    terms,
    components: known.map(({ component }) => component).filter(({ code }) => assigned.has(code)),
  };
}
