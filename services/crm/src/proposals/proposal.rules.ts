/** What may happen to a proposal, and who may do it. */
import { type Caller, Forbidden, InvalidTransition, lifecycle } from '@suite/chassis';
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

/**
 * Whether somebody may answer a proposal. Chosen: a client answers for the customer, with nothing but the right to see it
 * and in a session of their own, never by an API key; a colleague who notes an answer needs a permission.
 */
export function assertMayAnswer(caller: Caller, permission: string): void {
  const may = isClient(caller) ? caller.session_id !== undefined : caller.permissions.includes(permission);
  if (!may) throw Forbidden({ permission });
}

/** Whether a colleague may accept something at all: a proposal that was sent, or a draft in the customer's name. */
export function assertMayAccept(caller: Caller): void {
  if (!caller.permissions.includes('proposal.accept_on_behalf')) assertMayAnswer(caller, 'proposal.update');
}

/** Refuses to convert what cannot be. @throws InvalidTransition */
export function assertConvertible(caller: Caller, status: string): void {
  if (status !== 'accepted' && status !== 'converted') {
    throw InvalidTransition({ from: status, action: 'convert', allowed: proposalActions(caller, status) });
  }
}
