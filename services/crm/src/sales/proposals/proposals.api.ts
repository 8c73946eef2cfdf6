/** Proposals are offers that a customer accepts or rejects. An accepted proposal becomes a draft invoice, once. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { printFaults } from '@suite/pdf';
import { printProposal } from './proposal-pdf.ts';
import { ValidityIsOver } from '../documents/validity.ts';
import { acceptProposal, fetchRecipient, rejectProposal, sendProposal } from './proposal-answer.ts';
import { DocumentAction } from '../documents/document.schema.ts';
import { ConversionInput } from '@suite/document-lines';
import { convertProposal, DraftWasDeleted, prepareProposalInvoice } from './proposal-conversion.ts';
import { proposalStates } from './proposal.rules.ts';
import { proposals } from '../../operations.ts';
import {
  fetchReferences,
  fetchChangeReferences,
  createProposal,
  ProposalIsSettled,
  removeProposal,
  updateProposal,
} from './proposal.ts';
import {
  AcceptanceInput,
  Proposal,
  ProposalChanges,
  ProposalConversion,
  ProposalDetails,
  ProposalFilter,
  ProposalInput,
  RejectionInput,
} from './proposal.schema.ts';
import { listProposals, readProposal } from './proposal.view.ts';

const params = { proposal_id: idOf('proposals') };

export const list = proposals.query('GET /api/sales-proposal', {
  summary: 'List proposals',
  description: 'Returns the proposals that you may see. Clients see the sent proposals of their customer.',
  access: can('proposal.view'),
  query: ProposalFilter,
  reply: page(Proposal),
  handle: ({ db, caller, query }) => listProposals(db, caller, query),
});

export const show = proposals.query('GET /api/sales-proposal/show/{proposal_id}', {
  summary: 'Get a proposal',
  description: 'Returns the proposal with its lines and allowed actions. Send `Accept: application/pdf` to get a PDF.',
  access: can('proposal.view'),
  params,
  reply: ok(ProposalDetails),
  faults: printFaults,
  handle: ({ db, caller, params }) => readProposal(db, caller, params.proposal_id),
  formats: { pdf: printProposal },
});

export const create = proposals.command('POST /api/sales-proposal/create', {
  summary: 'Create a proposal',
  description:
    'Creates a draft proposal without a number. Copies products and taxes into its lines and calculates the totals.',
  access: can('proposal.create'),
  body: ProposalInput,
  reply: created(ProposalDetails),
  prepare: ({ body, rpc }) => fetchReferences(rpc, body),
  handle: ({ body, prepared, ...context }) => createProposal(context, body, prepared),
});

export const update = proposals.command('POST /api/sales-proposal/update/{proposal_id}', {
  summary: 'Update a proposal',
  description:
    'Updates a draft. Changing a sent proposal turns it into a draft, as the next revision. Returns `proposal_is_settled` for other statuses.',
  access: proposalStates.can('update'),
  params,
  body: ProposalChanges,
  reply: ok(ProposalDetails),
  faults: [ProposalIsSettled],
  prepare: ({ params, body, ...context }) => fetchChangeReferences(context, params.proposal_id, body),
  handle: ({ params, body, prepared, expect, ...context }) =>
    updateProposal(context, params.proposal_id, body, { ...prepared, expect }),
});

export const remove = proposals.command('DELETE /api/sales-proposal/delete/{proposal_id}', {
  summary: 'Delete a proposal',
  description:
    'Deletes a draft, or a rejected or expired proposal. Returns 409 `invalid_transition` for other statuses.',
  access: proposalStates.can('delete'),
  params,
  reply: removed,
  handle: ({ db, caller, params }) => removeProposal(db, caller, params.proposal_id),
});

export const send = proposals.command('POST /api/sales-proposal/sent/{proposal_id}', {
  summary: 'Send a proposal',
  description:
    'Makes a draft visible to the customer, who can accept or reject it. Assigns the number on the first sending. Returns `validity_is_over` after `valid_until`.',
  access: proposalStates.can('send'),
  params,
  body: DocumentAction,
  reply: withDateWarnings(ok(ProposalDetails), { record: 'issue_date' }),
  faults: [ValidityIsOver],
  prepare: ({ params, ...context }) => fetchRecipient(context, params.proposal_id),
  handle: ({ params, prepared: recipient, expect, ...context }) =>
    sendProposal(context, params.proposal_id, recipient, expect),
});

export const accept = proposals.command('POST /api/sales-proposal/accept/{proposal_id}', {
  summary: 'Accept a proposal',
  description:
    'Accepts a proposal as the client who received it, or records the acceptance as staff. Accepting a draft requires `proposal.accept_on_behalf`. Returns `validity_is_over` after `valid_until`.',
  access: proposalStates.can('accept'),
  params,
  body: AcceptanceInput,
  reply: withDateWarnings(ok(ProposalDetails), { record: 'issue_date' }),
  faults: [ValidityIsOver],
  handle: ({ params, body, expect, request, ...context }) =>
    acceptProposal({ ...context, address: request.address }, params.proposal_id, body, expect),
});

export const reject = proposals.command('POST /api/sales-proposal/reject/{proposal_id}', {
  summary: 'Reject a proposal',
  description:
    'Rejects a proposal as the client who received it. Staff with `proposal.reject` can record the rejection.',
  access: proposalStates.can('reject'),
  params,
  body: RejectionInput,
  reply: ok(ProposalDetails),
  handle: ({ params, body, expect, ...context }) => rejectProposal(context, params.proposal_id, body.reason, expect),
});

export const convert = proposals.command('POST /api/sales-proposal/convert-to-invoice/{proposal_id}', {
  summary: 'Convert a proposal to an invoice',
  description:
    'Creates a draft invoice with the offered prices and taxes, once. Repeating the request returns the same invoice, even if the draft was reduced. If the draft is deleted or its invoice is cancelled, the status of the proposal returns to `accepted`. A foreign currency defaults to its last exchange rate, shown in `exchange_rate`, or requires `rate`.',
  access: proposalStates.can('convert'),
  params,
  query: { dry_run: DryRun },
  body: ConversionInput,
  reply: ok(ProposalConversion),
  faults: [DraftWasDeleted],
  prepare: ({ params, query, body, ...context }) =>
    prepareProposalInvoice(context, params.proposal_id, { dry_run: query.dry_run, rate: body.rate }),
  handle: ({ params, query, prepared: drafted, expect, ...context }) =>
    convertProposal(context, params.proposal_id, drafted, { expect, dry_run: query.dry_run }),
});
