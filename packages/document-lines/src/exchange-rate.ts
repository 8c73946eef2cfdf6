/** The exchange rate of an invoice that is created from another document. */
import { Id, input, version } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { CreateDraftInvoiceResponse } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';

const RATE = 'Enter a rate as a decimal string such as "1.0842".';

const Rate = z
  .string(RATE)
  .regex(/^\d{1,9}(\.\d{1,10})?$/, RATE)
  .refine((rate) => /[1-9]/.test(rate), 'Enter a rate above zero.')
  .meta({ example: '1.0842' });

/** The rate in the body of a conversion. */
export const conversionRate = Rate.optional().describe(
  'Exchange rate of the invoice: base currency per unit of its currency. Defaults to the last posted rate of the currency. Required without one.',
);

/** The body of a conversion to an invoice. */
export const ConversionInput = input({ rate: conversionRate, version });

/** The exchange rate of a draft in a foreign currency. */
export const ExchangeRate = z
  .object({
    rate: z.string().describe('Base currency per unit of the invoice currency.'),
    date: z.iso
      .date()
      .nullable()
      .describe('Day when this rate was last posted. `null` for a rate from the body or from an existing draft.'),
    age_days: z.int().nullable().describe('Days since `date`. `null` if `date` is `null`.'),
  })
  .meta({ id: 'ExchangeRate' });

/** The fields that a conversion adds to its document. */
export const conversionFields = {
  invoice_id: Id.nullable().describe('ID of the draft invoice. `null` in a dry run.'),
  exchange_rate: ExchangeRate.nullable().describe('Exchange rate of the draft. `null` in base currency.'),
};

const DAY_MS = 86_400_000;

/** Returns the exchange rate of a draft, with its age in the caller's time zone. Null in base currency. */
export function exchangeRateOf(
  { currency, rate, rate_date }: Pick<CreateDraftInvoiceResponse, 'currency' | 'rate' | 'rate_date'>,
  caller: Caller,
): z.input<typeof ExchangeRate> | null {
  if (currency === caller.currency || !rate) return null;
  const days = (Date.parse(today(caller.timezone)) - Date.parse(rate_date)) / DAY_MS;
  return { rate, date: rate_date || null, age_days: rate_date ? Math.max(0, days) : null };
}

/** Returns warnings about an exchange rate that was not entered for this invoice. */
export const rateWarnings = (rate: z.input<typeof ExchangeRate> | null): string[] =>
  rate?.date ? [`The exchange rate ${rate.rate} is from ${rate.date}, ${rate.age_days} days ago.`] : [];
