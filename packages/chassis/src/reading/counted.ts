/** Counts that are not made again for a moment. */
import type { Sql } from '@prisma/client/runtime/client';
import type { Rows } from '../database/database.ts';
import { current, roleFor } from '../database/running.ts';

/** The question that a count answers: who sees a part of the rows is told a number of his own. */
export function questionOf({ text, values }: Sql): string {
  const now = current();
  const caller = now.context.caller;
  const by = roleFor(now, text) === 'true' ? [] : [caller?.user_id, caller?.kind, caller?.team, now.seen?.reach.listed];
  return JSON.stringify([text, values, by]);
}

/**
 * Reads rows that count others, unless they were read a moment ago. They are forgotten when something is committed in the workspace
 * by this process, and at most two seconds old where another replica writes, as the total of a list is.
 * Others are given the same rows: nobody changes them.
 * @param statement groups what it counts; its text names the tables that the caller sees
 * @param size how many rows were counted
 */
export async function counted<Row>(db: Rows, statement: Sql, size: (rows: Row[]) => number): Promise<Row[]> {
  const { counts } = current();
  const read = () => db.rows<Row>(statement);
  if (!counts) return await read();
  const question = questionOf(statement);
  return counts.get<Row[]>(question) ?? (await counts.count(question, read, size));
}
