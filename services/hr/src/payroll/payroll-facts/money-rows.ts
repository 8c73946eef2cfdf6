/** Reads the debts of employees, and the amounts that earlier payslips paid them. */
import { sql } from '@suite/chassis/database';
import type { OpenLoan, OpenRecovery } from '../../employment/pay-computation/facts/input.ts';
import type { CipherLocation, FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { openPart, type PayslipFigures } from '../payslips/payslip-seals.ts';
import { FINAL } from '../payslips/payslip.rules.ts';
import type { RunSettings } from './run-settings.ts';

type Opener = Pick<FieldCipher, 'open'>;
const placeIn =
  (table: string) =>
  (id: string, column: string): CipherLocation => ({ table, column, id });
const [ofRecovery, ofLoan] = [placeIn('recoveries'), placeIn('employee_loans')];

/**
 * Returns the open recoveries of employees in a currency, by employee. A recovery has the currency of its run or loan.
 */
export async function readRecoveries(
  db: Db,
  sealed: Opener,
  ids: readonly string[],
  currency: string,
): Promise<Map<string, OpenRecovery[]>> {
  const rows = await db.rows<{ id: string; employee_id: string; since: string; left_sealed: string }>(sql`
    SELECT owed.id, owed.employee_id, owed.created_at::date::text AS since, owed.left_sealed FROM recoveries AS owed
      LEFT JOIN payroll_entries AS slip ON slip.id = owed.entry_id LEFT JOIN payrolls AS run ON run.id = slip.payroll_id
      LEFT JOIN employee_loans AS loan ON loan.id = owed.loan_id
    WHERE owed.employee_id = ANY (${ids}::uuid[]) AND owed.status = 'open'
      AND coalesce(run.currency, loan.currency, ${currency}) = ${currency}`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  return new Map(
    [...people].map(([id, all]) => [
      id,
      all.map((row) => ({
        id: row.id,
        since: row.since,
        left: sealed.open(ofRecovery(row.id, 'left_sealed'), row.left_sealed),
      })),
    ]),
  );
}

interface LoanRow {
  id: string;
  employee_id: string;
  since: string;
  amount_sealed: string;
  instalment_sealed: string;
  left_sealed: string | null;
}

/** Returns the open loans of employees in a currency, by employee. Includes loans whose repayment begins later. */
export async function readLoans(
  db: Db,
  sealed: Opener,
  ids: readonly string[],
  currency: string,
): Promise<Map<string, OpenLoan[]>> {
  const rows = await db.rows<LoanRow>(sql`
    SELECT id, employee_id, first_period::text AS since, amount_sealed, instalment_sealed, left_sealed FROM employee_loans
    WHERE employee_id = ANY (${ids}::uuid[]) AND status = 'open'
      AND coalesce(currency, ${currency}) = ${currency}`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  const opened = ({ id, since, ...row }: LoanRow): OpenLoan => ({
    id,
    since,
    instalment: sealed.open(ofLoan(id, 'instalment_sealed'), row.instalment_sealed),
    left: row.left_sealed
      ? sealed.open(ofLoan(id, 'left_sealed'), row.left_sealed)
      : sealed.open(ofLoan(id, 'amount_sealed'), row.amount_sealed),
  });
  return new Map([...people].map(([id, all]) => [id, all.map(opened)]));
}

/** Earlier final payslip. */
export interface EarlierSlip {
  id: string;
  employee_id: string;
  regular: boolean;
  period_start: string;
  period_end: string;
  pay_date: string;
  currency: string;
  frequency: 'monthly' | 'fortnightly' | 'weekly';
  settings: RunSettings;
  lines_sealed: string;
  calculated_at: Date;
  arrears_mark: string | null;
  figures: PayslipFigures;
}

/** Returns the final payslips of employees that were paid or earned since a day, by employee, oldest first. */
export async function readEarlierSlips(
  db: Db,
  sealed: Opener,
  ids: readonly string[],
  since: string,
): Promise<Map<string, EarlierSlip[]>> {
  const rows = await db.rows<Omit<EarlierSlip, 'figures'> & { figures_sealed: string }>(sql`
    SELECT slip.id, slip.employee_id, slip.regular, slip.period_start::text AS period_start, slip.period_end::text AS period_end,
      run.pay_date::text AS pay_date, run.currency, run.frequency, run.settings, slip.lines_sealed, slip.figures_sealed,
      slip.calculated_at, slip.arrears_mark
    FROM payroll_entries AS slip JOIN payrolls AS run ON run.id = slip.payroll_id
    WHERE slip.employee_id = ANY (${ids}::uuid[]) AND slip.status = ANY (${[...FINAL]}::text[])
      AND greatest(slip.period_end, run.pay_date) >= ${since}::date
    ORDER BY slip.period_start, slip.id`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  const opened = ({ figures_sealed, ...row }: (typeof rows)[number]): EarlierSlip => ({
    ...row,
    figures: openPart(sealed, { id: row.id, figures_sealed }, 'figures')!,
  });
  return new Map([...people].map(([id, all]) => [id, all.map(opened)]));
}
