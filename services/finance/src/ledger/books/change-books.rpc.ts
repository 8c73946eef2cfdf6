/** Method for platform, whose workspace settings contain base currency and fiscal year. */
import { Currency } from '@suite/chassis/fields';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { method } from '../../operations.ts';
import { changeBooks, CurrencyInUse, FiscalYearLocked } from './books-change.ts';

const MonthDay = z.string().regex(/^\d{2}-\d{2}$/, 'Enter a month and a day such as 04-01.');
const none = z.literal('');

/** Changes the base currency or the first day of the fiscal year, and returns the current values. */
export const changeBooksOfWorkspace = method(FinanceServiceDefinition.methods.changeBooks, {
  summary: 'Change currency and fiscal year',
  only: ['platform'],
  idempotent: true,
  dry_run: true,
  input: z.object({
    idempotency_key: z.string().min(1).max(255),
    base_currency: Currency.or(none),
    fiscal_year_start: MonthDay.or(none),
    known_fiscal_year_start: MonthDay.or(none),
  }),
  faults: [CurrencyInUse, FiscalYearLocked],
  handle: ({ input, ...context }) => changeBooks(context, input),
});
