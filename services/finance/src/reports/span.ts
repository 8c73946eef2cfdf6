import { type Caller, today } from '@suite/chassis';
import { type Books, viewBooks } from '../accounts/books.ts';
import type { Db } from '../operations.ts';
import { fiscalYear } from './statements.ts';

/** The days that a report is about, both included, and the books that it is of. */
export interface Spanned {
  from: string;
  to: string;
  books: Books;
}

/** From the beginning of the fiscal year until today, unless it is said otherwise. */
export async function spanOf(
  db: Db,
  caller: Caller,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<Spanned> {
  const books = await viewBooks(db, caller);
  const to = asked.to ?? today(caller.timezone);
  return { from: asked.from ?? fiscalYear(to, books), to, books };
}
