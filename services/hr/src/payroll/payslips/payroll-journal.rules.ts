/** Journal of a run: one line for each account and component, and none for an employee. */
import { compare, subtract, sum } from '@suite/money';
import type { ComponentTotal } from './payroll-totals.ts';

/** Roles of finance accounts that a run posts to, for components without an account. */
type PayrollRole = 'salaries_expense' | 'salaries_payable' | 'payroll_liabilities' | 'employee_advances';

/** Journal line, with an account or the role of an account. */
export interface PayrollJournalLine {
  account_id: string | null;
  role: PayrollRole | null;
  memo: string;
  debit: string;
  credit: string;
}

/** Payslip lines for lent or outstanding money, which are not components. */
const DEBT_CODES = new Set(['loan', 'recovery', 'carried_over']);

interface SignedPosting extends Pick<PayrollJournalLine, 'account_id' | 'role' | 'memo'> {
  /** Signed amount, positive for a debit. */
  amount: string;
}

const negative = (amount: string, currency: string): string => subtract('0', amount, currency);
const accountOfTotal = (
  { account_id, code }: ComponentTotal,
  role: PayrollRole,
): Pick<SignedPosting, 'account_id' | 'role'> =>
  DEBT_CODES.has(code)
    ? { account_id: null, role: 'employee_advances' }
    : account_id
      ? { account_id, role: null }
      : { account_id: null, role };

/**
 * Returns the postings of a component. An employer contribution is a cost and a liability. An uncovered deduction is a
 * liability in full, and an employee advance for the shortfall. Its later recovery credits these advances.
 */
function postingsOf(total: ComponentTotal, currency: string): SignedPosting[] {
  const { kind, code, name, amount } = total;
  if (kind === 'earning') {
    const memo = DEBT_CODES.has(code) ? name : 'Salaries';
    return [{ ...accountOfTotal(total, 'salaries_expense'), memo, amount }];
  }
  const liability = { ...accountOfTotal(total, 'payroll_liabilities'), memo: name, amount: negative(amount, currency) };
  if (kind === 'deduction') return [liability];
  if (kind === 'left_over') return [{ account_id: null, role: 'employee_advances', memo: name, amount }, liability];
  return [{ account_id: null, role: 'salaries_expense', memo: "Employer's contributions", amount }, liability];
}

const MEMO_MAX = 500;

/**
 * Groups postings by account into one line whose memo names all components. Without an account, there is one line for
 * each component.
 */
const groupOf = ({ account_id, role, memo }: SignedPosting): string => account_id ?? `${role} ${memo}`;
const memoOf = (group: readonly SignedPosting[]): string =>
  [...new Set(group.map(({ memo }) => memo))].join(', ').slice(0, MEMO_MAX);

/**
 * Returns the journal that approving a run posts. The journal balances: earnings are paid out, withheld for others, or
 * were lent before.
 * @param net total net pay
 */
export function journalOf(totals: readonly ComponentTotal[], net: string, currency: string): PayrollJournalLine[] {
  const payable: SignedPosting = {
    account_id: null,
    role: 'salaries_payable',
    memo: 'Net pay',
    amount: negative(net, currency),
  };
  const postings = [...totals.flatMap((total) => postingsOf(total, currency)), payable];
  const lines = [...Map.groupBy(postings, groupOf).values()].map((group) => ({
    ...group[0]!,
    memo: memoOf(group),
    amount: sum(
      group.map(({ amount }) => amount),
      currency,
    ),
  }));
  const zero = sum([], currency);
  return lines
    .filter(({ amount }) => compare(amount, '0') !== 0)
    .map(({ amount, ...line }) =>
      compare(amount, '0') > 0
        ? { ...line, debit: amount, credit: zero }
        : { ...line, debit: zero, credit: negative(amount, currency) },
    )
    .toSorted((one, other) => Number(compare(other.debit, '0')) - Number(compare(one.debit, '0')));
}
