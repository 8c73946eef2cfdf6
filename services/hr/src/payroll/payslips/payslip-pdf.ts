/** Payslips as PDF. */
import type { Caller, Keys } from '@suite/chassis/identity';
import type { ResponseWriter } from '@suite/chassis/operations';
import { subtract } from '@suite/money';
import { sendPdf, type PdfLabel, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import type { Db, Rpc } from '../../operations.ts';
import { type PayslipEmployee, payslipEmployee } from './payslip-employee.ts';
import type { Payslip } from './payslip.schema.ts';

type PayslipView = z.output<typeof Payslip>;

const MARKS: Readonly<Record<string, PdfLabel>> = {
  draft: 'draft',
  failed: 'draft',
  cancelled: 'cancelled',
  reversed: 'reversed',
};

/** Returns earnings as lines of the PDF, without quantity and price. Arrears show their period. */
const linesOf = ({ earnings }: PayslipView): PdfDocument['lines'] =>
  earnings.map(({ name, amount, days, of_period }) => ({
    product_name: name,
    description: null,
    facts: [
      ...(days === undefined ? [] : [['days', { number: days }] as const]),
      ...(of_period
        ? [['period_from', { day: of_period.from }] as const, ['period_through', { day: of_period.to }] as const]
        : []),
    ],
    qty: null,
    unit_name: null,
    unit_price: null,
    discount: null,
    taxes: [],
    amount,
  }));

/** Returns the texts below the totals: employer contributions, leave, year totals and the bank account. */
function textsOf({ employer, leave, ytd, bank }: PayslipView): PdfDocument['texts'] {
  return [
    ['employer_contributions', employer.map(({ name, amount }) => [{ text: name }, { money: amount }] as const)],
    ['leave_in_period', leave.map(({ name, days }) => [{ text: name }, { number: days }] as const)],
    [
      'tax_year',
      ytd && [
        ['gross', { money: ytd.gross }],
        ['tax', { money: ytd.tax }],
        ['net', { money: ytd.net }],
      ],
    ],
    ['paid_to', bank && `${bank.bank_name} · •••• ${bank.account_number.last_4}`],
  ];
}

const factsOf = (record: PayslipView, { department, designation }: PayslipEmployee): PdfDocument['facts'] => [
  ['employee_number', { text: record.employee?.code ?? null }],
  ['department', { text: department }],
  ['designation', { text: designation }],
  ['period_from', { day: record.period_start }],
  ['period_through', { day: record.period_end }],
  ...(record.pay_date ? [['pay_date', { day: record.pay_date }] as const] : []),
  ...(record.working_days ? [['working_days', { number: record.working_days }] as const] : []),
  ...(record.payment_days ? [['paid_days', { number: record.payment_days }] as const] : []),
];

/** Returns the deductions with their total, then the net pay. */
function settlementOf({ deductions, total_deductions, net }: PayslipView, own: string): PdfDocument['settlement'] {
  const zero = subtract('0', '0', own);
  return [
    ...deductions.map(({ name, amount }) => [{ text: name }, subtract('0', amount, own)] as const),
    ...(total_deductions && deductions.length > 1
      ? [['total_deductions', subtract('0', total_deductions, own)] as const]
      : []),
    ['net_pay', net ?? zero],
  ];
}

interface PrintContext {
  record: PayslipView;
  caller: Caller;
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  keys: Pick<Keys, 'master'>;
  rpc: Pick<Rpc, 'platform'>;
}

/** Prints a payslip with earnings, deductions and net pay. */
export async function createPayslipPdf({ record, caller, rpc, read, keys }: PrintContext): Promise<ResponseWriter> {
  const { number, status, currency, gross, employee } = record;
  const own = currency ?? caller.currency;
  const zero = subtract('0', '0', own);
  const total = gross ?? zero;
  const known = await read((db) => payslipEmployee({ db, caller, keys }, record.employee_id));
  const from = await rpc.platform.getLetterhead({});
  const document: PdfDocument = {
    title: 'payslip',
    number,
    mark: MARKS[status] ?? null,
    // Chosen: the footer addresses customers (bank account, payment terms). Payslips show name and address instead.
    from: { ...from, footer: '' },
    to: { name: employee?.name ?? '', address: known.address, tax_number: known.tax_id },
    currency: own,
    facts: factsOf(record, known),
    lines: linesOf(record),
    discount: null,
    sums: {
      subtotal: total,
      discount: zero,
      price: total,
      added: [],
      total,
      total_name: 'gross',
      included: [],
      net: total,
    },
    settlement: settlementOf(record, own),
    texts: textsOf(record),
  };
  return await sendPdf(document, caller.workspace_id);
}
