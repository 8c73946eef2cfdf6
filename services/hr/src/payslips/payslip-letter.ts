/** Payslips on paper. */
import type { Caller, Send } from '@suite/chassis';
import { subtract } from '@suite/money';
import { asPdf, type Letter } from '@suite/pdf';
import type { z } from 'zod';
import type { Rpc } from '../operations.ts';
import type { Payslip } from './payslip.schema.ts';

type Shown = z.output<typeof Payslip>;

const MARKS: Readonly<Record<string, string>> = {
  draft: 'DRAFT',
  failed: 'DRAFT',
  cancelled: 'CANCELLED',
  reversed: 'REVERSED',
};

/** The earnings as lines of the letter: no quantity, and no price. */
const linesOf = ({ earnings }: Shown): Letter['lines'] =>
  earnings.map(({ name, amount, days }) => ({
    product_name: name,
    description: days === undefined ? null : `${days} days`,
    qty: null,
    unit_name: null,
    unit_price: null,
    discount: null,
    taxes: [],
    amount,
  }));

const listOf = (entries: readonly (readonly [name: string, value: string])[]): string | null =>
  entries.length === 0 ? null : entries.map(([name, value]) => `${name}: ${value}`).join('\n');

/** The texts below the sums: what the employer pays on top, leave, the year, and the account. */
function textsOf({ employer, leave, ytd, bank, currency }: Shown): Letter['texts'] {
  const money = (amount: string) => `${amount} ${currency}`;
  return [
    ["Employer's contributions", listOf(employer.map(({ name, amount }) => [name, money(amount)]))],
    ['Leave in the period', listOf(leave.map(({ name, days }) => [name, `${days} days`]))],
    [
      'This tax year',
      ytd &&
        listOf([
          ['Gross', money(ytd.gross)],
          ['Tax', money(ytd.tax)],
          ['Net', money(ytd.net)],
        ]),
    ],
    ['Paid to', bank && `${bank.name}, account ending in ${bank.account.last_4}`],
  ];
}

/** Prints a payslip: what was earned, what is kept back of it, and what is paid. */
export async function printPayslip({
  record,
  caller,
  rpc,
}: {
  record: Shown;
  caller: Caller;
  rpc: Pick<Rpc, 'platform'>;
}): Promise<Send> {
  const { number, status, currency, gross, net, deductions, employee } = record;
  const own = currency ?? caller.currency;
  const zero = subtract('0', '0', own);
  const total = gross ?? zero;
  const letter: Letter = {
    title: 'Payslip',
    number,
    mark: MARKS[status] ?? null,
    from: await rpc.platform.getLetterhead({}),
    to: { name: employee?.name ?? '' },
    currency: own,
    facts: [
      ['Employee no.', { text: employee?.code ?? null }],
      ['From', { day: record.period_start }],
      ['Through', { day: record.period_end }],
      ...(record.pay_date ? [['Day of pay', { day: record.pay_date }] as const] : []),
      ['Working days', { text: record.working_days }],
      ['Paid days', { text: record.payment_days }],
    ],
    lines: linesOf(record),
    discount: null,
    sums: {
      subtotal: total,
      discount: zero,
      price: total,
      added: [],
      total,
      total_name: 'Gross',
      included: [],
      net: total,
    },
    settlement: [
      ...deductions.map(({ name, amount }) => [name, subtract('0', amount, own)] as const),
      ['Net pay', net ?? zero],
    ],
    texts: textsOf(record),
  };
  return await asPdf(letter, caller.workspace_id);
}
