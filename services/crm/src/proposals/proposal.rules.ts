/** The lifecycle of a proposal and its permissions. */
import { type Caller, Forbidden, lifecycle } from '@suite/chassis';

export const isClient = ({ kind }: Caller): boolean => kind === 'client' || kind === 'vendor';
const isColleague = (caller: Caller): boolean => !isClient(caller);

/** A client answers with nothing but the right to see it; a colleague who notes an answer needs a permission. */
const answers = (permission: string, ofDrafts = permission) => ({
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
      accept: answers('proposal.update', 'proposal.accept_on_behalf'),
      reject: answers('proposal.reject'),
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
