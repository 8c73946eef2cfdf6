import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { type Books, viewBooks } from '../../ledger/books/books.ts';
import type { Db } from '../../operations.ts';
import { fiscalYear } from './statements.ts';

/** First and last day of a report, inclusive, with its books. */
export interface ReportSpan {
  from: string;
  to: string;
  books: Books;
}

/**
 * Returns the span of a report. Defaults to the beginning of the fiscal year until today. @throws a 422 for a span that
 * ends before it begins
 */
export async function reportSpanOf(
  db: Db,
  caller: Caller,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<ReportSpan> {
  const books = await viewBooks(db, caller);
  const to = asked.to ?? today(caller.timezone);
  const from = asked.from ?? fiscalYear(to, books);
  if (from > to) throw invalid('from', `The first day must not be after the last day, ${to}.`);
  return { from, to, books };
}
