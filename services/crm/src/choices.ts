/** Choices that a body asks for, by pages as lists have them. */
import type { Page } from '@suite/chassis';
import { z } from 'zod';

/** The most options that a form offers from another service. */
export const CHOICES_MAX = 500;

/** The page of the choices that a body asks for. */
export const paging = (limit: number) => ({
  page: z.int().min(1).max(CHOICES_MAX).default(1).describe('The page, counted from 1.'),
  limit: z.int().min(1).max(100).default(limit).describe('Number of records per page.'),
});

interface Paging {
  page: number;
  limit: number;
}

/** A page that was read as such. */
export const pageOf = (rows: object[], { page, limit }: Paging, total: number, total_is_exact = true): Page => ({
  rows,
  page,
  per_page: limit,
  total,
  total_is_exact,
  next_cursor: null,
});

/** A page out of all choices, or out of as many as the other service answers. */
export const pageAmong = (all: object[], asked: Paging): Page =>
  pageOf(
    all.slice((asked.page - 1) * asked.limit, asked.page * asked.limit),
    asked,
    all.length,
    all.length < CHOICES_MAX,
  );
