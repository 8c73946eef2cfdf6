/** How proposals are shown, and what may happen to them. */
import { type Caller, lifecycle, type ListRequest, paginate, raw, readOne } from '@suite/chassis';
import type { Db, Work } from '../operations.ts';
import { linesIn } from '../documents/lines.ts';
import { tellingAllowed } from '../transitions.ts';
import { holdOffer, presentStatus } from '../documents/validity.ts';
import { assertExists, permitted } from '../records.ts';
import { ProposalDetails, type ProposalRow } from './proposal.schema.ts';

export const proposalStates = lifecycle('proposal', {
  draft: { send: 'sent', accept: 'accepted' },
  sent: { accept: 'accepted', reject: 'rejected', expire: 'expired', revise: 'draft' },
  accepted: { convert: 'converted' },
  rejected: {},
  expired: {},
  converted: { reopen: 'accepted' },
});

export const isClient = ({ kind }: Caller): boolean => kind === 'client' || kind === 'vendor';

export const DELETABLE = ['draft', 'rejected', 'expired'];
export const EDITABLE = ['draft', 'sent'];

const PERMISSIONS: Record<string, string> = {
  ...{ send: 'proposal.send', accept: 'proposal.update', reject: 'proposal.reject', convert: 'proposal.convert' },
  ...{ update: 'proposal.update', delete: 'proposal.delete' },
};
const OF_CLIENTS = { accept: 'proposal.view', reject: 'proposal.view' };
const OF_DRAFTS = { ...PERMISSIONS, accept: 'proposal.accept_on_behalf' };

function permissionsFor(caller: Caller, status: string): Record<string, string> {
  if (isClient(caller)) return OF_CLIENTS;
  return status === 'draft' ? OF_DRAFTS : PERMISSIONS;
}

/** What the caller may do with a proposal in a state. */
export const proposalActions = (caller: Caller, status: string): string[] =>
  permitted(
    caller,
    [
      ...proposalStates.allowed(status),
      ...(EDITABLE.includes(status) ? ['update'] : []),
      ...(DELETABLE.includes(status) ? ['delete'] : []),
    ],
    permissionsFor(caller, status),
  );

/** Moves a proposal. @returns false when it is there already @throws InvalidTransition, with what the caller may do instead */
export const moveProposal = (
  { db, caller }: Pick<Work, 'db' | 'caller'>,
  id: string,
  verb: 'send' | 'accept' | 'reject' | 'convert' | 'revise',
  patch: object,
): Promise<boolean> =>
  tellingAllowed(proposalStates.move(db.proposal, id, verb, patch), (status) => proposalActions(caller, status));

const asSeenBy = (caller: Caller, row: ProposalRow): ProposalRow => ({
  ...row,
  allowed_actions: proposalActions(caller, row.status),
});

/** Made anew each time: whether an offer still holds depends on the moment. */
const view = () => ({
  table: 'proposals',
  compute: { status: presentStatus('proposals'), allowed_actions: raw('NULL') },
});

/** One page of the proposals that the caller may see. */
export async function listProposals(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, view());
  return { ...found, rows: (found.rows as ProposalRow[]).map((row) => asSeenBy(caller, row)) };
}

/** A proposal with its lines. @throws NotFound also when the caller may not see it */
export const readProposal = async (db: Db, caller: Caller, id: string): Promise<ProposalRow> =>
  asSeenBy(
    caller,
    await readOne(db, ProposalDetails, id, { ...view(), expand: { lines: linesIn(db, 'proposal_id') } }),
  );

/** @throws NotFound when there is no such proposal for this caller */
export const assertProposal = (db: Db, id: string): Promise<void> => assertExists(db, 'proposals', id);

/** Holds a proposal until the transaction ends. @throws NotFound also when the caller may not see it */
export async function holdProposal(db: Db, id: string): Promise<void> {
  await holdOffer(db, 'proposals', id);
  await assertProposal(db, id);
}
