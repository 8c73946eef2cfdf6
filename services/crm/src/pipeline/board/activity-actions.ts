/** Actions on the tasks, calls and files of leads and deals. */
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { RecordKind } from './board.ts';

interface RecordActions<A extends string> {
  noun: string;
  words: readonly A[];
  shownTo(caller: Caller, table: string): Sql;
}

/**
 * Returns the actions on rows of leads and of deals. They require the permission for the lead or the deal. Rows of a
 * converted lead cannot change.
 */
export const actionsByRecord = <A extends string>({ lead, deal }: Record<RecordKind, RecordActions<A>>) => ({
  noun: lead.noun,
  nounOf: (row: object) => ((row as { lead_id: string | null }).lead_id === null ? deal.noun : lead.noun),
  words: lead.words,
  shownTo(caller: Caller, table: string): Sql {
    const lead_id = raw(`${table}.lead_id`);
    return sql`CASE WHEN ${lead_id} IS NULL THEN ${deal.shownTo(caller, table)}
      WHEN EXISTS (SELECT FROM leads WHERE leads.id = ${lead_id} AND leads.status = 'converted') THEN '{}'::text[]
      ELSE ${lead.shownTo(caller, table)} END`;
  },
});
