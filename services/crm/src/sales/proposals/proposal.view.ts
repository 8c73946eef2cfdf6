/** Views of proposals. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { documentLines } from '../documents/lines.ts';
import { currentStatusCondition, currentStatus } from '../documents/validity.ts';
import { ProposalDetails, type ProposalRow } from './proposal.schema.ts';
import { proposalStates } from './proposal.rules.ts';

const toCallerView = (caller: Caller, row: ProposalRow): ProposalRow => ({
  ...row,
  allowed_actions: proposalStates.allowedTo(caller, row),
});

/** Creates the view for each request, because the validity of an offer depends on the current time. */
const view = () => ({
  table: 'proposals',
  compute: { status: currentStatus('proposals'), allowed_actions: sql`NULL` },
});

/** Returns a page of the proposals visible to the caller. */
export async function listProposals(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, {
    ...view(),
    conditions: { status: (filter) => currentStatusCondition('proposals', filter) },
  });
  return { ...found, rows: (found.rows as ProposalRow[]).map((row) => toCallerView(caller, row)) };
}

/** Returns a proposal with its lines. @throws NotFound if it does not exist or the caller cannot see it */
export const readProposal = async (db: Db, caller: Caller, id: string): Promise<ProposalRow> =>
  toCallerView(
    caller,
    await readOne(db, ProposalDetails, id, { ...view(), expand: { lines: documentLines(db, 'proposal_id') } }),
  );
