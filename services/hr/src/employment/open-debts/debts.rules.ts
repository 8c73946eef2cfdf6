/** Warnings about debts of employees who leave. */
import { sum } from '@suite/money';

/** A warning about a debt of an employee. */
export interface DebtWarning {
  code: 'loan_open' | 'recovery_open';
  employee_id: string;
  message: string;
  amount: string;
  currency: string;
}

/** Employee whose debts are warned about. */
export interface Debtor {
  employee_id: string;
  /** Deductions of a last payslip that is not final yet. A final one has already reduced the debts. */
  taken: readonly { of?: string | undefined; amount: string }[];
}

const SOURCES = { loan_open: 'of a loan', recovery_open: 'of earlier payslips' } as const;
/** The rest of a message: after the last payslip, and when the employee gives or receives notice. */
const ENDINGS = {
  paid: 'remain outstanding after the last payslip of this employee. Collect this amount separately.',
  leaving: 'are outstanding. The last payslip deducts as much as the net pay allows. Collect the rest separately.',
} as const;

/** Whether the last payslip was paid, or the employee is leaving. */
export type DebtStage = keyof typeof ENDINGS;

/** Returns the warnings about the remaining debts of one kind. */
export function debtsOf(
  code: DebtWarning['code'],
  debts: ReadonlyMap<string, readonly { id: string; left: string }[]>,
  debtors: readonly Debtor[],
  currency: string,
  stage: DebtStage,
): DebtWarning[] {
  return debtors.flatMap(({ employee_id, taken }): DebtWarning[] => {
    const open = debts.get(employee_id) ?? [];
    const deducted = taken.filter(({ of }) => open.some(({ id }) => id === of));
    const amount = sum([...open.map(({ left }) => left), ...deducted.map((line) => `-${line.amount}`)], currency);
    if (Number(amount) <= 0) return [];
    const message = `${amount} ${currency} ${SOURCES[code]} ${ENDINGS[stage]}`;
    return [{ code, employee_id, message, amount, currency }];
  });
}
