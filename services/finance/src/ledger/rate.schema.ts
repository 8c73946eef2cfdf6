import { z } from 'zod';

const RATE = 'Write a rate as a decimal string such as "1.0842".';

/** The exchange rate between two currencies: the worth of one unit. */
export const Rate = z
  .string(RATE)
  .regex(/^\d{1,9}(\.\d{1,10})?$/, RATE)
  .refine((rate) => /[1-9]/.test(rate), 'A rate is more than zero.')
  .meta({ example: '1.0842' });
