/** The sources of journal entries: the types of records that post, and the purposes that they post for. */
import { z } from 'zod';

/** The types of records that post to the ledger. Other services add a type here before they post with it. */
export const SourceType = z.enum(
  [
    'allocation',
    'bank_account',
    'bank_transfer',
    'commission',
    'deallocation',
    'exchange_difference',
    'expense',
    'manual',
    'opening_balance',
    'payroll',
    'payroll_loan',
    'pos_order',
    'purchase_invoice',
    'purchase_return',
    'refund',
    'revaluation',
    'revenue',
    'sales_invoice',
    'sales_return',
    'stock_account_change',
    'stock_adjustment',
  ],
  'Choose a source type that posts to the ledger.',
);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PURPOSE = new RegExp(
  '^(?:reversal of )*(?:post|complete|apply|opening|next day|commission(?: cancelled)?|' +
    `(?:approve|pay|recover)(?:\\.\\d{1,9})*|(?:account|allocation|refund) ${UUID})$`,
);

/** The purpose of an entry. Some name a part of the source: `refund 0198…`, `pay.2`. */
export const Purpose = z
  .string()
  .regex(PURPOSE, 'Enter a purpose that entries have, such as `post`, `pay.1` or `reversal of post`.');
