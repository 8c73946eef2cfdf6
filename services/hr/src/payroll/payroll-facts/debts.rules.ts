/** Warnings about debts of employees who get no further payslip. */
import { sum } from '@suite/money';

/** A warning about an employee of a run. */
export interface PayrollWarning {
  code: 'salary_missing' | 'other_currency' | 'loan_open' | 'recovery_open';
  employee_id: string;
  message: string;
  amount: string | null;
  currency: string | null;
}

/** Debts of an employee who gets no further payslip. */
export interface Debtor {
  employee_id: string;
  /** Deductions of a last payslip that is not final yet. A final one has already reduced the debts. */
  taken: readonly { of?: string | undefined; amount: string }[];
}

const MESSAGES = {
  loan_open: 'of a loan remain outstanding after the last payslip of this employee.',
  recovery_open: 'of earlier payslips remain outstanding after the last payslip of this employee.',
} as const;

/** Returns the warnings about the remaining debts of one kind. */
export function debtsOf(
  code: keyof typeof MESSAGES,
  debts: ReadonlyMap<string, readonly { id: string; left: string }[]>,
  debtors: readonly Debtor[],
  currency: string,
): PayrollWarning[] {
  return debtors.flatMap(({ employee_id, taken }): PayrollWarning[] => {
    const open = debts.get(employee_id) ?? [];
    const deducted = taken.filter(({ of }) => open.some(({ id }) => id === of));
    const amount = sum([...open.map(({ left }) => left), ...deducted.map((line) => `-${line.amount}`)], currency);
    if (Number(amount) <= 0) return [];
    const message = `${amount} ${currency} ${MESSAGES[code]} Collect this amount separately.`;
    return [{ code, employee_id, message, amount, currency }];
  });
}
