/** The sealed parts of a payslip: each lies in a column of its own, and is opened by whoever needs it alone. */
import type { Explanation, LeftOver, PayInput, Payslip } from '@suite/payroll';
import type { Place, Sealed } from '@suite/sealed';
import type { BankAccount } from '../employees/employee-seals.ts';

/** Days of leave that somebody took in the period, by type. */
export interface LeaveTaken {
  leave_type_id: string;
  name: string;
  days: string;
  paid: boolean;
}

/** The figures of a payslip. */
export interface PayslipFigures
  extends Pick<
    Payslip,
    | 'working_days'
    | 'payment_days'
    | 'lop_days'
    | 'absent_days'
    | 'overtime_minutes'
    | 'gross'
    | 'total_deductions'
    | 'employer_cost'
    | 'net'
    | 'taxable'
    | 'tax'
    | 'tax_by_code'
  > {
  /** Amounts that could not be taken, and become recoveries when the payslip is final. */
  left_over: readonly LeftOver[];
  leave: readonly LeaveTaken[];
  /** The fingerprint of the facts of its period, by which arrears are noticed. */
  facts_hash: string;
}

/** The lines of a payslip. */
export type PayslipLines = Pick<Payslip, 'earnings' | 'deductions' | 'employer'>;

/** The sums of the tax year with this payslip. */
export interface YearToDate {
  gross: string;
  tax: string;
  net: string;
  taxable: string;
  tax_by_code: Readonly<Record<string, string>>;
}

/** All that is sealed of a payslip. */
export interface PayslipParts {
  inputs: PayInput;
  figures: PayslipFigures;
  lines: PayslipLines;
  ytd: YearToDate;
  /** The account as it was when the payslip was calculated; none where the person has none. */
  bank: BankAccount | null;
  explain: readonly Explanation[];
}
export type PayslipPart = keyof PayslipParts;

const PARTS = ['inputs', 'figures', 'lines', 'ytd', 'bank', 'explain'] as const satisfies PayslipPart[];
/** The parts that are large and rarely read: they lie beside the payslip, under its id. */
const WORKING: ReadonlySet<PayslipPart> = new Set(['inputs', 'explain']);

/** The place of a sealed part. */
export const payslipPlace = (id: string, part: PayslipPart): Place => ({
  table: WORKING.has(part) ? 'payslip_workings' : 'payroll_entries',
  column: `${part}_sealed`,
  id,
});

/** The columns of sealed parts. */
export type SealedParts = Record<`${PayslipPart}_sealed`, string | null>;

/** Seals all parts of a payslip. */
export const sealPayslip = (sealed: Pick<Sealed, 'seal'>, id: string, parts: PayslipParts): SealedParts =>
  Object.fromEntries(
    PARTS.map((part) => {
      const value = parts[part];
      return [`${part}_sealed`, value && sealed.seal(payslipPlace(id, part), JSON.stringify(value))];
    }),
  ) as SealedParts;

/** Opens a part of a payslip. @returns null where it has none, as before it is calculated */
export const openPart = <Part extends PayslipPart>(
  sealed: Pick<Sealed, 'open'>,
  row: { id: string } & Partial<SealedParts>,
  part: Part,
): PayslipParts[Part] | null => {
  const value = row[`${part}_sealed`];
  return value ? (JSON.parse(sealed.open(payslipPlace(row.id, part), value)) as PayslipParts[Part]) : null;
};
