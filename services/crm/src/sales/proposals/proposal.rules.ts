/** Lifecycle of a proposal, and its permissions. */
import { Forbidden } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';

export const isClient = ({ kind }: Caller): boolean => kind === 'client' || kind === 'vendor';
const isColleague = (caller: Caller): boolean => !isClient(caller);

/** Clients need only access to the proposal to answer it. Staff need a permission to record an answer. */
const answerRules = (permission: string, ofDrafts = permission) => ({
  permission: 'proposal.view',
  if: (caller: Caller, status: string) =>
    isClient(caller) ? status !== 'draft' : caller.permissions.includes(status === 'draft' ? ofDrafts : permission),
});

export const proposalStates = lifecycle(
  'proposal',
  {
    draft: { send: 'sent', accept: 'accepted' },
    sent: { accept: 'accepted', reject: 'rejected', expire: 'expired', revise: 'draft' },
    accepted: { convert: 'converted' },
    rejected: {},
    expired: {},
    converted: { reopen: 'accepted' },
  },
  {
    actions: {
      send: { permission: 'proposal.send', if: isColleague },
      accept: answerRules('proposal.update', 'proposal.accept_on_behalf'),
      reject: answerRules('proposal.reject'),
      convert: { permission: 'proposal.convert', if: isColleague },
      update: { permission: 'proposal.update', in: ['draft', 'sent'], if: isColleague },
      delete: { permission: 'proposal.delete', in: ['draft', 'rejected', 'expired'], if: isColleague },
      expire: { by: 'crm.expire-offers' },
      revise: { by: 'proposals.update' },
      reopen: { by: ['crm.forget-deleted-draft', 'crm.note-cancelled-invoice'] },
    },
  },
);

/**
 * Checks that a caller may answer a proposal. Chosen: a client answers for the customer without any permission other
 * than seeing the proposal. They must use their own session, never an API key. A staff user who records an answer needs
 * a permission.
 */
export function assertMayAnswer(caller: Caller, permission: string): void {
  const may = isClient(caller) ? caller.session_id !== undefined : caller.permissions.includes(permission);
  if (!may) throw Forbidden({ permission });
}

/** Checks that a staff user may accept in general: a sent proposal, or a draft in the customer's name. */
export function assertMayAccept(caller: Caller): void {
  if (!caller.permissions.includes('proposal.accept_on_behalf')) assertMayAnswer(caller, 'proposal.update');
}
