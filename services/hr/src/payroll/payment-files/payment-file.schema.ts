import { BusinessDay, choice, Day, Id, foreignId, input, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';

export const FORMATS = ['pain.001.001.09', 'csv'] as const;

export const PaymentFileInput = input({
  bank_account_id: foreignId('finance.bank_account').describe('ID of the bank account that pays.'),
  execution_date: BusinessDay.optional().describe(
    'Date of execution, from today to 30 days later. Defaults to the payment date of the run if it is within these days.',
  ),
  format: choice(...FORMATS),
});

/** Bank file with payment instructions. */
export const PaymentFile = z
  .object({
    id: Id,
    payroll_id: Id,
    message_id: z.string().describe('Message ID for the bank. Identical content has the same ID.'),
    format: choice(...FORMATS),
    bank_account_id: Id,
    execution_date: Day,
    payslip_count: z.int(),
    created_at: Timestamp,
    file: z.string().describe('Download path of the file.'),
  })
  .meta({ id: 'PaymentFile' });

export type PaymentFileInput = z.output<typeof PaymentFileInput>;
