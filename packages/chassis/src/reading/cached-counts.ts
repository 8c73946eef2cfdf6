/** Counts that are cached for a short time. */
import type { Sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { currentTransaction, roleFor } from '../database/running.ts';

/** Returns the key of a count. Callers who see only some of the rows get a separate count. */
export function countKeyOf({ text, values }: Sql): string {
  const now = currentTransaction();
  const caller = now.context.caller;
  const by = roleFor(now, text) === 'true' ? [] : [caller?.user_id, caller?.kind, caller?.team, now.seen?.reach.listed];
  return JSON.stringify([text, values, by]);
}

/**
 * Reads rows that count others, unless they were read a moment ago. A commit of this process in the workspace discards
 * them. If another replica writes, they are at most two seconds old, like the total of a list. Concurrent callers share
 * the rows, so no code may change them.
 * @param statement groups what it counts. Its text names the tables that the caller sees
 * @param size returns the number of counted rows
 */
export async function readCounts<Row>(db: RowReader, statement: Sql, size: (rows: Row[]) => number): Promise<Row[]> {
  const { counts } = currentTransaction();
  const read = () => db.rows<Row>(statement);
  if (!counts) return await read();
  const question = countKeyOf(statement);
  return counts.get<Row[]>(question) ?? (await counts.count(question, read, size));
}
