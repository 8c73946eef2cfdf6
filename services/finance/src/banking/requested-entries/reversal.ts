/** Reversal of entries that another service has requested: by an opposite entry, never by a change. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { booksOf } from '../../ledger/books/books.ts';
import { journalLines, openPostingDay, reverseEntry, type LockScope } from '../../ledger/ledger/journal.ts';
import type { Db } from '../../operations.ts';

interface EntryReversal {
  journal_entry_id: string;
  number: string;
  date: string;
}

/** Response if there was nothing to reverse. */
const NOTHING: EntryReversal = { journal_entry_id: '', number: '', date: '' };

/**
 * Reverses a requested entry if it was posted. Chosen: the requesting service has already reversed its document, so the
 * reversal cannot be rejected. If the period is locked, the reversal is dated on the first open day, with a note.
 * @param date of the reversal. Defaults to the day of the entry if empty or earlier
 */
export async function reverseRequestedEntry(
  { db, caller }: { db: Db; caller: Caller },
  journal_entry_id: string | undefined,
  date: string,
): Promise<EntryReversal> {
  if (!journal_entry_id) return NOTHING;
  const { timezone } = await booksOf(db, caller);
  const [entry] = await db.rows<{ number: string; date: string; scope: LockScope }>(sql`
    SELECT number, date::text AS date, scope FROM journal_entries WHERE id = ${journal_entry_id}::uuid`);
  const lines = await journalLines(db, journal_entry_id);
  const day = await openPostingDay(
    db,
    date > entry!.date ? date : entry!.date,
    { scope: entry!.scope, lines },
    timezone,
  );
  const narration = `${entry!.number} reversed${day.note}`;
  const { id, number } = await reverseEntry(db, journal_entry_id, { date: day.date, narration });
  return { journal_entry_id: id, number, date: day.date };
}
