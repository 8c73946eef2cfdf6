import { Day } from '@suite/chassis';

/** The day that a report is about. */
export const AsOf = { as_of: Day.optional().describe('The last day that counts; today, when it is not given.') };
