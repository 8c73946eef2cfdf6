import { z } from 'zod';

const RATE = 'Enter a rate as a decimal string such as "1.0842".';

/** Exchange rate between two currencies: the value of one unit. */
export const Rate = z
  .string(RATE)
  .regex(/^\d{1,9}(\.\d{1,10})?$/, RATE)
  .refine((rate) => /[1-9]/.test(rate), 'The rate must be more than zero.')
  .meta({ example: '1.0842' });
