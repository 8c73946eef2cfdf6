/**
 * Marks of what arrears depend on. Each payslip that looks back keeps one: of the facts from the first day that it looked at until
 * its own last one, and of which other payslips were final then. While that is the same, it has made up for all payslips that it
 * looked at, and was computed from the same facts itself; the next one need not compute them anew. Where anything differs, and
 * where nothing is known, it does.
 */
import { sql } from '@suite/chassis';
import { daysAfter } from '@suite/wall-clock';
import type { Db } from '../operations.ts';
import type { EarlierSlip } from '../payroll-facts/money-rows.ts';
import { monthsAfter } from '../payroll-facts/tax-year.rules.ts';

/** A run, or a payslip of one, as far as it says at which payslips it looks back. */
interface Looking extends Pick<EarlierSlip, 'period_start' | 'period_end' | 'currency'> {
  settings: Pick<EarlierSlip['settings'], 'arrears_months'>;
}

/** The first day of which payslips are compared with the facts of now. */
export const arrearsSince = ({ period_start, settings }: Pick<Looking, 'period_start' | 'settings'>): string =>
  monthsAfter(period_start, -settings.arrears_months);

/** The most days that a period begins before the first day that is looked at. */
const PERIOD_DAYS_MAX = 31;
export const firstFact = (run: Pick<Looking, 'period_start' | 'settings'>): string =>
  daysAfter(arrearsSince(run), -PERIOD_DAYS_MAX);

/** Whether a run looks back at a payslip. */
const looksAt = (run: Looking, { regular, period_end, currency }: EarlierSlip): boolean =>
  regular && currency === run.currency && arrearsSince(run) <= period_end && period_end < run.period_start;

interface Asked {
  /** The payslip; one that is being calculated is final in no case. */
  id: string;
  employee_id: string;
  since: string;
  until: string;
}

/** The marks of payslips as they are now, by the payslips' ids. */
async function marksOf(db: Db, asked: readonly Asked[]): Promise<Map<string, string>> {
  if (asked.length === 0) return new Map();
  const column = (name: keyof Asked) => asked.map((one) => one[name]);
  const rows = await db.rows<{ id: string; mark: string }>(sql`
    WITH company AS MATERIALIZED (
      SELECT until, payroll_company_facts(until) AS mark FROM unnest(${[...new Set(column('until'))]}::date[]) AS day (until))
    SELECT slip.id, company.mark || ' ' || payroll_past_mark(slip.id, slip.employee_id, slip.since, slip.until) AS mark
    FROM unnest(${column('id')}::uuid[], ${column('employee_id')}::uuid[], ${column('since')}::date[], ${column('until')}::date[])
      AS slip (id, employee_id, since, until) JOIN company USING (until)`);
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}

/** Reads the marks of payslips that a run is about to calculate, before their facts are read: what changes in between is a change. */
export const readArrearsMarks = (
  db: Db,
  run: Looking,
  slips: readonly Pick<Asked, 'id' | 'employee_id'>[],
): Promise<Map<string, string>> =>
  marksOf(
    db,
    slips.map(({ id, employee_id }) => ({ id, employee_id, since: firstFact(run), until: run.period_end })),
  );

/** The payslip of somebody that was calculated last, if it looked back. Another one would find that not all were final then. */
function lastOf(run: Looking, slips: readonly EarlierSlip[]): EarlierSlip | undefined {
  const known = slips.filter(({ regular, arrears_mark }) => regular && arrears_mark !== null);
  const last = known.toReversed().toSorted((one, other) => Number(other.calculated_at) - Number(one.calculated_at))[0];
  return last?.currency === run.currency ? last : undefined;
}

/**
 * The payslips that a regular run has to compare with the facts of now, by employee: those that it looks back at, less those for
 * which the last payslip has done so and nothing changed since.
 */
export async function slipsToCompare(
  db: Db,
  run: Looking & { type: string },
  earlier: ReadonlyMap<string, readonly EarlierSlip[]>,
): Promise<Map<string, EarlierSlip[]>> {
  if (run.type !== 'regular') return new Map();
  const last = new Map([...earlier].map(([id, slips]) => [id, lastOf(run, slips)]));
  const asked = [...last.values()].flatMap((slip) =>
    slip ? { id: slip.id, employee_id: slip.employee_id, since: firstFact(slip), until: slip.period_end } : [],
  );
  const now = await marksOf(db, asked);
  const compared = [...earlier].map(([id, slips]) => {
    const before = last.get(id);
    const isSame = before !== undefined && now.get(before.id) === before.arrears_mark;
    const isDone = (slip: EarlierSlip) => isSame && (slip === before || looksAt(before, slip));
    return [id, slips.filter((slip) => looksAt(run, slip) && !isDone(slip))] as const;
  });
  return new Map(compared.filter(([, slips]) => slips.length > 0));
}
