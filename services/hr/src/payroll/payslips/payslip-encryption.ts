/** Encrypted parts of a payslip. Each part has a separate column, so that only the required parts are decrypted. */
import type { PayInput } from '../../employment/pay-computation/facts/input.ts';
import type { Explanation } from '../../employment/pay-computation/formula/calculation.ts';
import type { RemainingDebt, ComputedPayslip } from '../../employment/pay-computation/payslip/payslip.ts';
import type { CipherLocation, FieldCipher } from '@suite/field-encryption';
import type { BankAccount } from '../../employment/employee-users/bank-account.rules.ts';

/** Leave of an employee in the period, in days by type. */
export interface LeaveUsage {
  leave_type_id: string;
  name: string;
  days: string;
  paid: boolean;
}

/** Amounts and day counts of a payslip. */
export interface PayslipAmounts
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
  left_over: readonly RemainingDebt[];
  leave: readonly LeaveUsage[];
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
  figures: PayslipAmounts;
  lines: PayslipLines;
  ytd: YearToDate;
  /** Bank account at the time of the calculation. Null if the employee had none. */
  bank: BankAccount | null;
  explain: readonly Explanation[];
}
export type PayslipPart = keyof PayslipParts;

const PARTS = ['inputs', 'figures', 'lines', 'ytd', 'bank', 'explain'] as const satisfies PayslipPart[];
/** Large and rarely read parts, stored in a separate table under the payslip's ID. */
const LARGE_PARTS: ReadonlySet<PayslipPart> = new Set(['inputs', 'explain']);

/** Returns the location of an encrypted part. */
export const payslipCipherLocation = (id: string, part: PayslipPart): CipherLocation => ({
  table: LARGE_PARTS.has(part) ? 'payslip_workings' : 'payroll_entries',
  column: `${part}_sealed`,
  id,
});

/** Columns of the encrypted parts. */
export type EncryptedParts = Record<`${PayslipPart}_sealed`, string | null>;

/** Encrypts all parts of a payslip. */
export const encryptPayslip = (cipher: Pick<FieldCipher, 'seal'>, id: string, parts: PayslipParts): EncryptedParts =>
  Object.fromEntries(
    PARTS.map((part) => {
      const value = parts[part];
      return [`${part}_sealed`, value && cipher.seal(payslipCipherLocation(id, part), JSON.stringify(value))];
    }),
  ) as EncryptedParts;

/** Decrypts a part of a payslip. @returns null if the part is missing, such as before the calculation */
export const decryptPart = <Part extends PayslipPart>(
  cipher: Pick<FieldCipher, 'open'>,
  row: { id: string } & Partial<EncryptedParts>,
  part: Part,
): PayslipParts[Part] | null => {
  const value = row[`${part}_sealed`];
  return value ? (JSON.parse(cipher.open(payslipCipherLocation(row.id, part), value)) as PayslipParts[Part]) : null;
};
