import { choice, Day, Id, BaseMoneyOut, MoneyOut } from '@suite/chassis/fields';
import { z } from 'zod';
import { AsOf } from '../../ledger/ledger/as-of.schema.ts';
import { numberUpTo, pageParameters } from '../../ledger/revaluations/page.schema.ts';

const Account = z.object({ id: Id, code: z.string(), name: z.string(), type: z.string() });

export const Span = {
  from: Day.optional().describe('First day. Defaults to the first day of the fiscal year.'),
  to: Day.optional().describe('Last day. Defaults to today.'),
};

/** Trial balance: every account with its postings, and the totals of both sides. */
export const TrialBalance = z
  .object({
    as_of: Day,
    currency: z.string(),
    accounts: z.array(
      Account.extend({
        class: z.string(),
        debit: MoneyOut,
        credit: MoneyOut,
        balance: MoneyOut.describe('Debit less credit.'),
      }),
    ),
    debit_total: MoneyOut,
    credit_total: MoneyOut,
    difference: MoneyOut.describe('Debits less credits. Zero in balanced books.'),
  })
  .meta({ id: 'TrialBalance' });

const Amount = Account.extend({ amount: MoneyOut });

export const ProfitAndLoss = z
  .object({
    from: Day,
    to: Day,
    currency: z.string(),
    revenue: z.array(Amount),
    cost_of_sales: z.array(Amount),
    expenses: z.array(Amount),
    revenue_total: MoneyOut,
    cost_of_sales_total: MoneyOut,
    gross_profit: MoneyOut,
    expenses_total: MoneyOut,
    net_profit: MoneyOut,
  })
  .meta({ id: 'ProfitAndLoss' });

export const BalanceSheet = z
  .object({
    as_of: Day,
    currency: z.string(),
    assets: z.array(Amount),
    liabilities: z.array(Amount),
    equity: z.array(Amount),
    earnings_before: MoneyOut.describe('Earnings of earlier fiscal years.'),
    earnings: MoneyOut.describe('Earnings of the fiscal year until the day.'),
    assets_total: MoneyOut,
    liabilities_total: MoneyOut,
    equity_total: MoneyOut.describe('Total equity, including earnings.'),
    difference: MoneyOut.describe('Assets less liabilities and equity. Zero in balanced books.'),
  })
  .meta({ id: 'BalanceSheet' });

const TaxAmounts = {
  output: MoneyOut.describe('Tax on sales, less returns and reversals.'),
  input: MoneyOut.describe('Tax on purchases, less returns and reversals.'),
  payable: MoneyOut.describe('Amount payable to the tax office: output less input.'),
};

export const TaxSummary = z
  .object({
    from: Day,
    to: Day,
    currency: z.string(),
    taxes: z.array(
      z.object({
        tax_id: Id.nullable().describe(
          'ID of the tax in the catalogue. `null` for untaxed amounts and for adjustments.',
        ),
        name: z.string().nullable().describe('Name of the tax at the time of posting.'),
        kind: choice('percent', 'fixed', 'exempt')
          .nullable()
          .describe(
            '`percent` or `fixed` for taxes, `exempt` for amounts without any tax. `null` for adjustments, which have no base.',
          ),
        rate: z.string().nullable().describe('Rate at the time of posting. A tax has a row for each rate.'),
        output_base: MoneyOut.describe('Net sales subject to the tax, less returns and reversals.'),
        input_base: MoneyOut.describe('Net purchases subject to the tax, less returns and reversals.'),
        ...TaxAmounts,
      }),
    ),
    output_total: TaxAmounts.output,
    input_total: TaxAmounts.input,
    payable_total: TaxAmounts.payable,
  })
  .meta({ id: 'TaxSummary' });

const Buckets = {
  not_due: MoneyOut,
  days_1_30: MoneyOut,
  days_31_60: MoneyOut,
  days_61_90: MoneyOut,
  days_over_90: MoneyOut,
  credits: MoneyOut.describe('Unallocated payments and notes.'),
  total: MoneyOut.describe('Open amount, less the credits.'),
};

export const Ageing = z
  .object({
    kind: choice('customer', 'vendor'),
    as_of: Day,
    currency: z.string(),
    party_count: z.int().describe('Number of customers or vendors with open amounts, on all pages.'),
    page: z.int().describe('Page number, starting at 1.'),
    per_page: z.int().describe('Maximum number of customers or vendors on a page.'),
    parties: z.array(
      z.object({
        id: Id,
        code: z.string(),
        name: z.string(),
        ...Buckets,
        by_currency: z
          .array(z.object({ currency: z.string(), ...Buckets }))
          .describe('The same amounts per document currency.'),
      }),
    ),
    totals: z.object(Buckets).describe('Totals of all customers or vendors, not only of the page.'),
  })
  .meta({ id: 'Ageing' });

export const AgeingQuery = {
  kind: choice('customer', 'vendor').default('customer'),
  ...AsOf,
  ...pageParameters('customers or vendors'),
};

const Balances = {
  opening_balance: MoneyOut.describe('Balance before the first day.'),
  closing_balance: MoneyOut.describe('Balance after the last day.'),
  base_opening_balance: BaseMoneyOut.describe('Balance before the first day, in base currency.'),
  base_closing_balance: BaseMoneyOut.describe('Balance after the last day, in base currency.'),
};

export const Statement = z
  .object({
    party: z.object({ id: Id, code: z.string(), name: z.string() }),
    from: Day,
    to: Day,
    currency: z.string().describe('Currency of the customer or vendor, for both balances.'),
    base_currency: z.string(),
    ...Balances,
    base_opening_balance: BaseMoneyOut.describe('Balance before the first day in all currencies, in base currency.'),
    base_closing_balance: BaseMoneyOut.describe('Balance after the last day in all currencies, in base currency.'),
    balances: z
      .array(z.object({ currency: z.string(), ...Balances }))
      .describe('The same amounts per currency, with the currency of the customer or vendor first.'),
    lines: z.array(
      z.object({
        date: Day,
        number: z.string().describe('Number of the entry.'),
        source_type: z.string(),
        source_id: Id,
        narration: z.string(),
        currency: z.string().describe('Currency of the document. An entry in two currencies has two lines.'),
        debit: MoneyOut.describe('Ledger debit: an invoice to a customer, or a payment to a vendor.'),
        credit: MoneyOut.describe('Ledger credit: a payment of a customer, or a bill of a vendor.'),
        balance: MoneyOut.describe(
          'Outstanding amount after this line in this currency. Positive if the customer owes you, or if you owe the vendor.',
        ),
        base_debit: BaseMoneyOut,
        base_credit: BaseMoneyOut,
        base_balance: BaseMoneyOut.describe('Balance after the entry in all currencies, in base currency.'),
      }),
    ),
  })
  .meta({ id: 'Statement' });

export const IntegrityQuery = {
  from: numberUpTo(1_000_000)
    .default(1)
    .describe('Number of the first check to run: `next` of the previous response. Defaults to 1.'),
};

export const Integrity = z
  .object({
    sound: z
      .boolean()
      .nullable()
      .describe('Whether all checks of this response passed. `null` if none failed, but some checks did not run.'),
    checks: z.array(
      z.object({
        number: z.int().describe('Position of the check, from 1.'),
        name: z.string(),
        holds: z
          .boolean()
          .nullable()
          .describe(
            'Whether the check passes. `null` if it takes longer than a request: an operator can run `npm run audit`.',
          ),
        violations: z.array(z.string()),
      }),
    ),
    next: z
      .int()
      .nullable()
      .describe('Number of the first check that did not run, for `from`. `null` after the last check.'),
    control_accounts: z.array(
      z.object({ role: z.string(), code: z.string(), booked: MoneyOut, open: MoneyOut, difference: MoneyOut }),
    ),
    pending: z
      .array(
        z.object({
          type: choice(
            ...([
              'adjustment',
              'pos_order',
              'pos_refund',
              'sales_invoice',
              'purchase_invoice',
              'sales_return',
            ] as const),
            'purchase_return',
          ),
          id: Id,
          number: z.string().nullable(),
          business_date: Day,
          value: MoneyOut.describe('Change of the stock value that is not yet posted.'),
        }),
      )
      .describe('Movements that are not posted yet. They take seconds, or require an operator.'),
    inventory: z.object({
      booked: MoneyOut,
      stock: MoneyOut.describe('Value of stock in inventory.'),
      pending: MoneyOut.describe('Stock value that is not posted yet.'),
      difference: MoneyOut.describe('Posted and pending value less the stock value.'),
      accounts: z.array(
        z.object({
          id: Id,
          code: z.string(),
          name: z.string(),
          booked: MoneyOut,
          stock: MoneyOut,
          difference: MoneyOut,
        }),
      ),
    }),
    trial_balance: z.object({ debit: MoneyOut, credit: MoneyOut, difference: MoneyOut }),
    entries: z.int(),
  })
  .meta({ id: 'Integrity' });
