/** Encrypted parts of a payslip. Each part has a separate column, so that only the required parts are decrypted. */
import type { PayInput } from '../../employment/pay-computation/facts/input.ts';
import type { Explanation } from '../../employment/pay-computation/formula/working.ts';
import type { LeftOver, ComputedPayslip } from '../../employment/pay-computation/slip/payslip.ts';
import type { CipherLocation, FieldCipher } from '@suite/field-encryption';
import type { BankAccount } from '../../employment/employee-users/bank-account.rules.ts';

/** Leave of an employee in the period, in days by type. */
export interface LeaveTaken {
  leave_type_id: string;
  name: string;
  days: string;
  paid: boolean;
}

/** Amounts and day counts of a payslip. */
export interface PayslipFigures
  extends Pick<
    ComputedPayslip,
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
  /** Amounts that could not be deducted. They become recoveries when the payslip is final. */
  left_over: readonly LeftOver[];
  leave: readonly LeaveTaken[];
  /** Hash of the facts of the period, used to detect arrears. */
  facts_hash: string;
}

/** Lines of a payslip. */
export type PayslipLines = Pick<ComputedPayslip, 'earnings' | 'deductions' | 'employer'>;

/** Totals of the tax year, including this payslip. */
export interface YearToDate {
  gross: string;
  tax: string;
  net: string;
  taxable: string;
  tax_by_code: Readonly<Record<string, string>>;
}

/** Encrypted content of a payslip. */
export interface PayslipParts {
  inputs: PayInput;
  figures: PayslipFigures;
  lines: PayslipLines;
  ytd: YearToDate;
  /** Bank account at the time of the calculation. Null if the employee had none. */
  bank: BankAccount | null;
  explain: readonly Explanation[];
}
export type PayslipPart = keyof PayslipParts;

const PARTS = ['inputs', 'figures', 'lines', 'ytd', 'bank', 'explain'] as const satisfies PayslipPart[];
/** Large and rarely read parts, stored in a separate table under the payslip's ID. */
const WORKING: ReadonlySet<PayslipPart> = new Set(['inputs', 'explain']);

/** Returns the location of an encrypted part. */
export const payslipPlace = (id: string, part: PayslipPart): CipherLocation => ({
  table: WORKING.has(part) ? 'payslip_workings' : 'payroll_entries',
  column: `${part}_sealed`,
  id,
});

/** Columns of the encrypted parts. */
export type SealedParts = Record<`${PayslipPart}_sealed`, string | null>;

/** Encrypts all parts of a payslip. */
export const sealPayslip = (sealed: Pick<FieldCipher, 'seal'>, id: string, parts: PayslipParts): SealedParts =>
  Object.fromEntries(
    PARTS.map((part) => {
      const value = parts[part];
      return [`${part}_sealed`, value && sealed.seal(payslipPlace(id, part), JSON.stringify(value))];
    }),
  ) as SealedParts;

/** Decrypts a part of a payslip. @returns null if the part is missing, such as before the calculation */
export const openPart = <Part extends PayslipPart>(
  sealed: Pick<FieldCipher, 'open'>,
  row: { id: string } & Partial<SealedParts>,
  part: Part,
): PayslipParts[Part] | null => {
  const value = row[`${part}_sealed`];
  return value ? (JSON.parse(sealed.open(payslipPlace(row.id, part), value)) as PayslipParts[Part]) : null;
};
