import { BusinessDay, choice, Currency, Day, Id, input, BaseMoneyOut, MoneyOut, record } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Rate } from '../ledger/rate.schema.ts';
import { revaluationStates } from './revaluation.rules.ts';

const CurrencyRate = z
  .object({ currency: Currency, rate: z.string().describe('Base currency per unit of the currency.') })
  .meta({ id: 'CurrencyRate' });

/** Foreign currency balance, before and after its revaluation. */
const RevaluationLine = z
  .object({
    kind: choice('bank_account', 'receivable', 'payable'),
    account_id: Id.describe('ID of the ledger account.'),
    account_code: z.string(),
    account_name: z.string(),
    document_type: z.string().nullable().describe('Type of the open document. `null` for bank accounts.'),
    document_id: Id.nullable(),
    number: z.string().nullable().describe('Number of the open document.'),
    customer_id: Id.nullable(),
    vendor_id: Id.nullable(),
    currency: Currency,
    amount: MoneyOut.describe('Balance in the currency. Payables and overdrawn accounts are negative.'),
    base_before: BaseMoneyOut.describe('Balance in base currency before the revaluation.'),
    base_after: BaseMoneyOut.describe('Balance in base currency at the rate of the day.'),
    difference: BaseMoneyOut.describe('Gain, or loss if negative, in base currency.'),
  })
  .meta({ id: 'RevaluationLine' });

/** Revaluation of foreign currency balances at the end of a period. */
export const Revaluation = record({
  date: Day.describe('Day of the revalued balances.'),
  reversal_date: Day.describe('The next day, on which the entry is reversed.'),
  status: choice('posted', 'reversed').describe('A `reversed` revaluation has no effect on any day.'),
  rates: z.array(CurrencyRate),
  gain: BaseMoneyOut.describe('Unrealised gain in base currency.'),
  loss: BaseMoneyOut.describe('Unrealised loss in base currency.'),
  journal_id: Id.nullable().describe('ID of the journal entry on the day. `null` if no value changed.'),
  reversal_journal_id: Id.nullable().describe('ID of the reversal on the next day. `null` if no value changed.'),
  allowed_actions: Actions(revaluationStates),
}).meta({ id: 'Revaluation' });

/** Revaluation with a page of its balances. */
export const RevaluationDetails = Revaluation.extend({
  lines: z.array(RevaluationLine).describe('Balances of the page: bank accounts, then receivables, then payables.'),
  lines_total: z.int().describe('Number of balances on all pages.'),
  page: z.int().describe('Page number, starting at 1.'),
  per_page: z.int().describe('Maximum number of balances on a page.'),
}).meta({ id: 'RevaluationDetails' });

export const RevaluationFilter = list(Revaluation, {
  filter: ['date', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'date'],
});

/** Request body of a revaluation. */
export const RevaluationInput = input({
  date: BusinessDay.describe(
    'Day of the revalued balances, such as the last day of a month. Must not be in the future.',
  ),
  rates: z
    .array(input({ currency: Currency, rate: Rate.describe('Base currency per unit of the currency on that day.') }))
    .min(1)
    .max(200)
    .describe('Rates for each foreign currency with a balance. Other currencies have no effect.'),
});
export type RevaluationInput = z.output<typeof RevaluationInput>;
