/** Page of a list whose query is sent in a body. */
import { z } from 'zod';

/** Returns the fields of a body that request a page. @param limit the default number of records per page */
export const pageRequest = (limit: number) => ({
  page: z.int().min(1).max(500).default(1).describe('Page number, starting at 1.'),
  limit: z.int().min(1).max(100).default(limit).describe('Number of records per page.'),
});
