/** Warnings of a payroll run. */
import type { DebtWarning } from '../../employment/open-debts/debts.rules.ts';

/** A warning about an employee of a run. */
export type PayrollWarning =
  | DebtWarning
  | {
      code: 'salary_missing' | 'other_currency';
      employee_id: string;
      message: string;
      amount: null;
      currency: string | null;
    };
