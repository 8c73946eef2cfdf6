/** The journal of a run: one line for each account and component, and none for a person. */
import { compare, subtract, sum } from '@suite/money';
import type { ComponentTotal } from './payroll-totals.ts';

/** The accounts of finance that a run posts to where a component names none. */
type PayrollRole = 'salaries_expense' | 'salaries_payable' | 'payroll_liabilities' | 'employee_advances';

/** A line of the journal: an account, or the role of one. */
export interface PayrollJournalLine {
  account_id: string | null;
  role: PayrollRole | null;
  memo: string;
  debit: string;
  credit: string;
}

/** Lines of payslips that are money lent or owed, and no component. */
const ADVANCES = new Set(['loan', 'recovery', 'carried_over']);

interface Posting extends Pick<PayrollJournalLine, 'account_id' | 'role' | 'memo'> {
  /** Positive for a debit. */
  amount: string;
}

const negative = (amount: string, currency: string): string => subtract('0', amount, currency);
const placeOf = ({ account_id, code }: ComponentTotal, role: PayrollRole): Pick<Posting, 'account_id' | 'role'> =>
  ADVANCES.has(code)
    ? { account_id: null, role: 'employee_advances' }
    : account_id
      ? { account_id, role: null }
      : { account_id: null, role };

/**
 * The sides of a component. The employer's part is a cost, and a debt to whom it is paid. A deduction for which there was no money
 * is owed to whom it is for all the same, and by the employee: recovering it later credits the advances that it is written to here.
 */
function postingsOf(total: ComponentTotal, currency: string): Posting[] {
  const { kind, code, name, amount } = total;
  if (kind === 'earning') {
    const memo = ADVANCES.has(code) ? name : 'Salaries';
    return [{ ...placeOf(total, 'salaries_expense'), memo, amount }];
  }
  const owed = { ...placeOf(total, 'payroll_liabilities'), memo: name, amount: negative(amount, currency) };
  if (kind === 'deduction') return [owed];
  if (kind === 'left_over') return [{ account_id: null, role: 'employee_advances', memo: name, amount }, owed];
  return [{ account_id: null, role: 'salaries_expense', memo: "Employer's contributions", amount }, owed];
}

const MEMO_MAX = 500;

/** One line for each account, which names all that is booked on it; where only a use is known, one for each component. */
const groupOf = ({ account_id, role, memo }: Posting): string => account_id ?? `${role} ${memo}`;
const memoOf = (group: readonly Posting[]): string =>
  [...new Set(group.map(({ memo }) => memo))].join(', ').slice(0, MEMO_MAX);

/**
 * The journal that approving a run posts. It balances: what is earned is paid out, kept back for others, or was lent before.
 * @param net the sum of what is paid out
 */
export function journalOf(totals: readonly ComponentTotal[], net: string, currency: string): PayrollJournalLine[] {
  const payable: Posting = {
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
