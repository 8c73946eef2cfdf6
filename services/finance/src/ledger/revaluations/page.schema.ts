/** Query parameters of reports that return one page of their rows. */
import { z } from 'zod';

/** Maximum number of rows in a response: each of them costs all callers of the service some time. */
const ROWS_MAX = 500;

/** Number in a query string. */
export const numberUpTo = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(1).max(max));

/** Returns the parameters of a page. @param rows the kind of rows, such as `customers` */
export const pageParameters = (rows: string) => ({
  page: numberUpTo(1_000_000).default(1).describe('Page number, starting at 1.'),
  per_page: numberUpTo(ROWS_MAX)
    .default(ROWS_MAX)
    .describe(`Number of ${rows} on a page, at most ${ROWS_MAX}. Defaults to ${ROWS_MAX}.`),
});

/** Page of a report. */
export interface ReportPage {
  page: number;
  per_page: number;
}

/** First page, for responses of commands. */
export const FIRST_PAGE: ReportPage = { page: 1, per_page: ROWS_MAX };
