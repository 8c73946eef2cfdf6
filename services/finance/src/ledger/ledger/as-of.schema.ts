import { Day } from '@suite/chassis/fields';

/** Date of a report. */
export const AsOf = { as_of: Day.optional().describe('Last day of the report. Defaults to today.') };
