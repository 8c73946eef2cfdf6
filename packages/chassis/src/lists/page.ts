/** Pages of lists that are numbered only: all rows are in memory, or one statement reads the page. */
import type { Page } from './list.ts';

interface PageNumber {
  page: number;
  per_page: number;
}

/** Returns rows that were read for one page, as a page without a cursor. */
export const pageOf = (
  rows: object[],
  { page, per_page }: PageNumber,
  total: number,
  total_is_exact = true,
): Page & { next_cursor: null } => ({ rows, page, per_page, total, total_is_exact, next_cursor: null });

/** Returns one page of all rows. */
export const pageFrom = (all: object[], numbered: PageNumber, total_is_exact = true): Page =>
  pageOf(
    all.slice((numbered.page - 1) * numbered.per_page, numbered.page * numbered.per_page),
    numbered,
    all.length,
    total_is_exact,
  );

/** Returns all rows as one page. */
export const wholePage = (all: object[]): Page =>
  pageOf(all, { page: 1, per_page: Math.max(1, all.length) }, all.length);
