/** What may happen to a proposal, and who may do it. */
import { type Caller, lifecycle } from '@suite/chassis';
import { permitted } from '../transitions.ts';

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
