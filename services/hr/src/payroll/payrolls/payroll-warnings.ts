/** Warnings of a run: excluded employees, and debts that remain after the last payslip. */
import { sql } from '@suite/chassis/database';
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { currenciesOf } from '../payroll-facts/paid-in.ts';
import { openDebts } from '../../employment/open-debts/debts.ts';
import type { Debtor } from '../../employment/open-debts/debts.rules.ts';
import type { PayrollWarning } from '../payroll-facts/payroll-warning.ts';
import { openPart } from '../payslips/payslip-seals.ts';
import { employeesOfRun, formerDebtors, type PayrollPeriod } from './payroll-members.ts';

const WARNINGS_MAX = 500;

interface Work {
  db: Db;
  sealed: Pick<FieldCipher, 'open'>;
}

/** Returns the employees of a regular run without a payslip in it. */
async function leftOut(work: Work, run: PayrollPeriod): Promise<PayrollWarning[]> {
  if (run.type !== 'regular') return [];
  const { db } = work;
  const members = await employeesOfRun(db, run);
  const paid = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM payroll_entries WHERE payroll_id = ${run.id}::uuid`);
  const known = new Set(paid.map(({ employee_id }) => employee_id));
  const out = members.filter((id) => !known.has(id)).slice(0, WARNINGS_MAX);
  const currencies = await currenciesOf(work, run, out);
  return out.flatMap((employee_id): PayrollWarning[] => {
    const own = currencies.get(employee_id)!;
    if (own.includes(run.currency)) return [];
    const [currency = null] = own;
    if (currency === null) {
      const message = 'This employee has no salary in the period and is excluded.';
      return [{ code: 'salary_missing', employee_id, message, amount: null, currency }];
    }
    const message = `This employee is paid in ${currency} and is excluded. Run a payroll in ${currency}.`;
    return [{ code: 'other_currency', employee_id, message, amount: null, currency }];
  });
}

/** Payslip of an employee who has left by the end of its period. */
interface LastSlip {
  id: string;
  employee_id: string;
  status: string;
  lines_sealed: string | null;
}

const lastSlips = (db: Db, { id, period_end }: PayrollPeriod): Promise<LastSlip[]> =>
  db.rows<LastSlip>(sql`
    SELECT slip.id, slip.employee_id, slip.status, slip.lines_sealed FROM payroll_entries AS slip
    WHERE slip.payroll_id = ${id}::uuid AND slip.regular AND slip.calculated_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM employments WHERE employments.employee_id = slip.employee_id
        AND (employments.exit_date IS NULL OR employments.exit_date > ${period_end}::date))
    ORDER BY slip.employee_id LIMIT ${WARNINGS_MAX}`);

/**
 * Returns warnings about debts that remain after an employee's last payslip. Chosen: each later regular run repeats the
 * warning until the debt is settled, because an exit can be entered after the last payslip is final.
 */
async function stillOwed({ db, sealed }: Work, run: PayrollPeriod): Promise<PayrollWarning[]> {
  const slips = await lastSlips(db, run);
  const debtors: Debtor[] = slips.map(({ employee_id, status, ...slip }) => ({
    employee_id,
    taken: status === 'draft' ? (openPart(sealed, slip, 'lines')?.deductions ?? []) : [],
  }));
  const known = new Set(slips.map(({ employee_id }) => employee_id));
  const former = run.type === 'regular' ? await formerDebtors(db, run) : [];
  for (const employee_id of former.slice(0, WARNINGS_MAX))
    if (!known.has(employee_id)) debtors.push({ employee_id, taken: [] });
  if (debtors.length === 0) return [];
  return await openDebts({ db, sealed }, debtors, run, 'paid');
}

/** Returns the warnings of a run, for callers who may see individual amounts. */
export const warningsOf = async (work: Work, run: PayrollPeriod): Promise<PayrollWarning[]> => [
  ...(await leftOut(work, run)),
  ...(await stillOwed(work, run)),
];
