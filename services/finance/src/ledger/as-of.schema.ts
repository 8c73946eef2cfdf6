import { Day } from '@suite/chassis';

/** The day that a report is about. */
export const AsOf = { as_of: Day.optional().describe('Last day of the report. Defaults to today.') };
