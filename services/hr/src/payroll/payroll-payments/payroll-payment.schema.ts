import { BusinessDay, choice, foreignId, input, LongText, refTo } from '@suite/chassis/fields';
import { z } from 'zod';

const PAYSLIPS_MAX = 5_000;

export const PayrollPayment = input({
  bank_account_id: foreignId('finance.bank_account').describe('ID of the bank account that pays.'),
  paid_on: BusinessDay,
  method: choice('file', 'cash', 'other'),
  payroll_entry_ids: z
    .array(refTo('payroll_entries'))
    .min(1, 'Enter at least one payslip, or omit this field to pay all.')
    .max(PAYSLIPS_MAX)
    .optional()
    .describe('IDs of the payslips to pay. Defaults to all final payslips that are not withheld.'),
});

export const PayslipReason = input({ reason: LongText.min(1, 'Enter a reason.') });

export type PayrollPayment = z.output<typeof PayrollPayment>;
