/** Warnings of a run: excluded employees, and debts that remain after the last payslip. */
import { sql } from '@suite/chassis/database';
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { currenciesOf } from '../payroll-facts/employees-by-currency.ts';
import { openDebts } from '../../employment/open-debts/debts.ts';
import type { Debtor } from '../../employment/open-debts/debts.rules.ts';
import type { PayrollWarning } from '../payroll-facts/payroll-warning.ts';
import { decryptPart } from '../payslips/payslip-encryption.ts';
import { employeesOfRun, formerDebtors, type PayrollPeriod } from './payroll-members.ts';

const WARNINGS_MAX = 500;

interface WarningsContext {
  db: Db;
  cipher: Pick<FieldCipher, 'open'>;
}

/** Returns the employees of a regular run without a payslip in it. */
async function employeesWithoutPayslip(context: WarningsContext, run: PayrollPeriod): Promise<PayrollWarning[]> {
  if (run.type !== 'regular') return [];
  const { db } = context;
  const members = await employeesOfRun(db, run);
  const paid = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM payroll_entries WHERE payroll_id = ${run.id}::uuid`);
  const withPayslip = new Set(paid.map(({ employee_id }) => employee_id));
  const out = members.filter((id) => !withPayslip.has(id)).slice(0, WARNINGS_MAX);
  const currencies = await currenciesOf(context, run, out);
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
interface FinalPayslip {
  id: string;
  employee_id: string;
  status: string;
  lines_sealed: string | null;
}

const lastPayslips = (db: Db, { id, period_end }: PayrollPeriod): Promise<FinalPayslip[]> =>
  db.rows<FinalPayslip>(sql`
    SELECT slip.id, slip.employee_id, slip.status, slip.lines_sealed FROM payroll_entries AS slip
    WHERE slip.payroll_id = ${id}::uuid AND slip.regular AND slip.calculated_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM employments WHERE employments.employee_id = slip.employee_id
        AND (employments.exit_date IS NULL OR employments.exit_date > ${period_end}::date))
    ORDER BY slip.employee_id LIMIT ${WARNINGS_MAX}`);

/**
 * Returns warnings about debts that remain after an employee's last payslip. Chosen: each later regular run repeats the
 * warning until the debt is settled, because an exit can be entered after the last payslip is final.
 */
async function outstandingDebts({ db, cipher }: WarningsContext, run: PayrollPeriod): Promise<PayrollWarning[]> {
  const payslips = await lastPayslips(db, run);
  const debtors: Debtor[] = payslips.map(({ employee_id, status, ...payslip }) => ({
    employee_id,
    taken: status === 'draft' ? (decryptPart(cipher, payslip, 'lines')?.deductions ?? []) : [],
  }));
  const withPayslip = new Set(payslips.map(({ employee_id }) => employee_id));
  const former = run.type === 'regular' ? await formerDebtors(db, run) : [];
  for (const employee_id of former.slice(0, WARNINGS_MAX))
    if (!withPayslip.has(employee_id)) debtors.push({ employee_id, taken: [] });
  if (debtors.length === 0) return [];
  return await openDebts({ db, cipher }, debtors, run, 'paid');
}

/** Returns the warnings of a run, for callers who may see individual amounts. */
export const warningsOf = async (context: WarningsContext, run: PayrollPeriod): Promise<PayrollWarning[]> => [
  ...(await employeesWithoutPayslip(context, run)),
  ...(await outstandingDebts(context, run)),
];
