/** Counts of submissions by token and by outcome. */
import { enterWorkspace, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Form } from '../lead-forms/form-lookup.ts';
import type { Db, Write } from '../../operations.ts';

/**
 * Counts a use of a token, across all replicas. @returns the number of uses in the current hour, and the end of that
 * hour
 */
export const countHit = (write: Write, { workspace_id, token_id }: Form): Promise<{ count: number; ends: Date }> =>
  write(async (db) => {
    await enterWorkspace(workspace_id, null);
    const now = clock.now();
    const isOver = sql`widget_hits.since <= ${now}::timestamptz - interval '1 hour'`;
    const [hits] = await db.rows<{ count: number; ends: Date }>(sql`
      UPDATE widget_hits SET
        hits = CASE WHEN ${isOver} THEN 1 ELSE hits + 1 END,
        since = CASE WHEN ${isOver} THEN ${now}::timestamptz ELSE since END
      WHERE token_id = ${token_id}::uuid
      RETURNING hits AS count, since + interval '1 hour' AS ends`);
    return { count: hits!.count, ends: new Date(hits!.ends) };
  });

/** Outcomes of submissions that are counted. */
type SubmissionOutcome = 'submitted' | 'merged' | 'spam' | 'refused';

/** Counts the outcomes of a submission. */
export async function countOutcome(db: Db, widget_id: string, ...outcomes: SubmissionOutcome[]): Promise<void> {
  const [submitted, merged, spam, refused] = (['submitted', 'merged', 'spam', 'refused'] as const).map((one) =>
    Number(outcomes.includes(one)),
  );
  await db.rows(sql`
    UPDATE widget_counts SET submitted = submitted + ${submitted}::int, merged = merged + ${merged}::int,
      spam = spam + ${spam}::int, refused = refused + ${refused}::int
    WHERE widget_id = ${widget_id}::uuid`);
}
