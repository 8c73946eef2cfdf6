/** Paginated choices for requests with the page in the body. */
import type { Page } from '@suite/chassis/lists';
import { z } from 'zod';

/** Maximum number of options that a form offers from another service. */
export const CHOICES_MAX = 500;

/** Returns the pagination fields of a request body. */
export const paging = (limit: number) => ({
  page: z.int().min(1).max(CHOICES_MAX).default(1).describe('Page number, starting at 1.'),
  limit: z.int().min(1).max(100).default(limit).describe('Number of records per page.'),
});

interface Paging {
  page: number;
  limit: number;
}

/** Returns rows that were read for one page as a page. */
export const pageOf = (rows: object[], { page, limit }: Paging, total: number, total_is_exact = true): Page => ({
  rows,
  page,
  per_page: limit,
  total,
  total_is_exact,
  next_cursor: null,
});

/** Returns a page of all choices, or of the choices that the other service returned. */
export const pageAmong = (all: object[], asked: Paging): Page =>
  pageOf(
    all.slice((asked.page - 1) * asked.limit, asked.page * asked.limit),
    asked,
    all.length,
    all.length < CHOICES_MAX,
  );
