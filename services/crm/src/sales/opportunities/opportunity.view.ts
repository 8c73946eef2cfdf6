/** Views of opportunities. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { type Opportunity, OpportunityColumns } from './opportunity.schema.ts';
import { opportunityStates } from './opportunity.rules.ts';
import { userLabels } from '@suite/user-copies';
import type { z } from 'zod';

export type OpportunityRow = z.input<typeof Opportunity>;

const withActions = (caller: Caller, row: OpportunityRow): OpportunityRow => ({
  ...row,
  allowed_actions: opportunityStates.allowedTo(caller, row),
});

const view = {
  table: 'opportunities',
  compute: { allowed_actions: sql`NULL` },
};

const expansions = (db: Db): Record<string, Expansion> => ({
  owner: one('owner_id', userLabels(db)),
  source: one('source_id', (ids) => db.rows(sql`SELECT id, name FROM sources WHERE id = ANY(${ids}::uuid[])`)),
});

/** Returns a page of the opportunities visible to the caller. */
export async function listOpportunities(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, { ...view, expand: expansions(db) });
  return { ...found, rows: (found.rows as OpportunityRow[]).map((row) => withActions(caller, row)) };
}

/** Returns an opportunity after a change, even if the caller has just assigned it to another user. */
export const readOpportunity = async (db: Db, caller: Caller, id: string): Promise<OpportunityRow> =>
  withActions(caller, await readOne(db, OpportunityColumns, id, view));
