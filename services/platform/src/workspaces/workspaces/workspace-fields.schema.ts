import { z } from 'zod';

/** Day that each year has, as MM-DD: not 29 February, nor the 31st of a month with 30 days. */
const DAY_OF_EACH_YEAR =
  /^(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))$/;

/** First day of the fiscal year. */
export const FiscalYearStart = z
  .string()
  .regex(
    DAY_OF_EACH_YEAR,
    'Enter the first day of the fiscal year as MM-DD, such as 04-01. Each year must have the day.',
  )
  .meta({ example: '04-01' });

/** First day of the week. */
export const WeekStart = z
  .int('Enter a day from 1 (Monday) to 7 (Sunday).')
  .min(1, 'Enter a day from 1 (Monday) to 7 (Sunday).')
  .max(7, 'Enter a day from 1 (Monday) to 7 (Sunday).')
  .meta({ example: 1 });
