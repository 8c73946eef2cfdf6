import { BusinessDay, choice, Day, Id, foreignId, input, Timestamp } from '@suite/chassis';
import { z } from 'zod';

export const FORMATS = ['pain.001.001.09', 'csv'] as const;

export const PaymentFileInput = input({
  bank_account_id: foreignId('finance.bank_account').describe('The account that the money is to come from.'),
  execution_date: BusinessDay.optional().describe(
    'Today or up to 30 days later; the day of pay of the run, if it is not said and lies there.',
  ),
  format: choice(...FORMATS),
});

/** A file by which the bank is told whom to pay. */
export const PaymentFile = z
  .object({
    id: Id,
    payroll_id: Id,
    message_id: z.string().describe('By which the bank knows it: the same content has the same one.'),
    format: choice(...FORMATS),
    bank_account_id: Id,
    execution_date: Day,
    payslip_count: z.int(),
    created_at: Timestamp,
    file: z.string().describe('The path to get it from.'),
  })
  .meta({ id: 'PaymentFile' });

export type PaymentFileInput = z.output<typeof PaymentFileInput>;
