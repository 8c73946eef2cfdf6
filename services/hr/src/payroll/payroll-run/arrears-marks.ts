/**
 * Hashes of the data that arrears depend on. A payslip with arrears stores a hash. The hash covers the final payslips,
 * and the data from the first compared day to the payslip's last day. While the hash is unchanged, all compared
 * payslips have been compensated, and later payslips need not compare them again. If it differs or is missing, they are
 * compared.
 */
import { sql } from '@suite/chassis/database';
import { daysAfter } from '@suite/time-zones';
import type { Db } from '../../operations.ts';
import type { EarlierPayslip } from '../payroll-facts/money-rows.ts';
import { monthsAfter } from '../payroll-facts/tax-year.rules.ts';

/** Run or payslip with the fields that determine which earlier payslips are compared. */
interface ComparingRun extends Pick<EarlierPayslip, 'period_start' | 'period_end' | 'currency'> {
  settings: Pick<EarlierPayslip['settings'], 'arrears_months'>;
}

/** Returns the first day whose payslips are compared with current data. */
export const arrearsSince = ({ period_start, settings }: Pick<ComparingRun, 'period_start' | 'settings'>): string =>
  monthsAfter(period_start, -settings.arrears_months);

/** Maximum number of days from the start of a period to the first examined day. */
const PERIOD_DAYS_MAX = 31;
export const firstFact = (run: Pick<ComparingRun, 'period_start' | 'settings'>): string =>
  daysAfter(arrearsSince(run), -PERIOD_DAYS_MAX);

/** Checks if a run compares an earlier payslip. */
const isCompared = (run: ComparingRun, { regular, period_end, currency }: EarlierPayslip): boolean =>
  regular && currency === run.currency && arrearsSince(run) <= period_end && period_end < run.period_start;

interface MarkRequest {
  /** ID of the payslip. A payslip that is being calculated is not final. */
  id: string;
  employee_id: string;
  since: string;
  until: string;
}

/** Returns the current hashes of payslips, by payslip ID. */
async function marksOf(db: Db, requests: readonly MarkRequest[]): Promise<Map<string, string>> {
  if (requests.length === 0) return new Map();
  const column = (name: keyof MarkRequest) => requests.map((one) => one[name]);
  const rows = await db.rows<{ id: string; mark: string }>(sql`
    WITH company AS MATERIALIZED (
      SELECT until, payroll_company_facts(until) AS mark FROM unnest(${[...new Set(column('until'))]}::date[]) AS day (until))
    SELECT slip.id, company.mark || ' ' || payroll_past_mark(slip.id, slip.employee_id, slip.since, slip.until) AS mark
    FROM unnest(${column('id')}::uuid[], ${column('employee_id')}::uuid[], ${column('since')}::date[], ${column('until')}::date[])
      AS slip (id, employee_id, since, until) JOIN company USING (until)`);
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}

/**
 * Reads the marks of the payslips to calculate, before their input data. A concurrent change then counts as a change.
 */
export const readArrearsMarks = (
  db: Db,
  run: ComparingRun,
  payslips: readonly Pick<MarkRequest, 'id' | 'employee_id'>[],
): Promise<Map<string, string>> =>
  marksOf(
    db,
    payslips.map(({ id, employee_id }) => ({ id, employee_id, since: firstFact(run), until: run.period_end })),
  );

/**
 * Returns the employee's most recently calculated payslip if it compared earlier ones. For other payslips, the set of
 * final payslips would differ.
 */
function lastComparingPayslip(run: ComparingRun, payslips: readonly EarlierPayslip[]): EarlierPayslip | undefined {
  const known = payslips.filter(({ regular, arrears_mark }) => regular && arrears_mark !== null);
  const last = known.toReversed().toSorted((one, other) => Number(other.calculated_at) - Number(one.calculated_at))[0];
  return last?.currency === run.currency ? last : undefined;
}

/**
 * Returns the payslips that a regular run must compare with current data, by employee. Payslips already compared by the
 * last payslip without later changes are excluded.
 */
export async function payslipsToCompare(
  db: Db,
  run: ComparingRun & { type: string },
  earlier: ReadonlyMap<string, readonly EarlierPayslip[]>,
): Promise<Map<string, EarlierPayslip[]>> {
  if (run.type !== 'regular') return new Map();
  const last = new Map([...earlier].map(([id, payslips]) => [id, lastComparingPayslip(run, payslips)]));
  const requests = [...last.values()].flatMap((payslip) =>
    payslip
      ? { id: payslip.id, employee_id: payslip.employee_id, since: firstFact(payslip), until: payslip.period_end }
      : [],
  );
  const now = await marksOf(db, requests);
  const compared = [...earlier].map(([id, payslips]) => {
    const before = last.get(id);
    const isSame = before !== undefined && now.get(before.id) === before.arrears_mark;
    const isDone = (payslip: EarlierPayslip) => isSame && (payslip === before || isCompared(before, payslip));
    return [id, payslips.filter((payslip) => isCompared(run, payslip) && !isDone(payslip))] as const;
  });
  return new Map(compared.filter(([, payslips]) => payslips.length > 0));
}
