/** Proposals: offers that a customer accepts or rejects. An accepted one becomes a draft invoice, once. */
import { can, created, DryRun, idOf, ok, page, removed } from '@suite/chassis';
import { printFaults } from '@suite/pdf';
import { printProposal } from './proposal-letter.ts';
import { ValidityIsOver } from '../documents/validity.ts';
import { acceptProposal, askForRecipient, rejectProposal, sendProposal } from './proposal-answer.ts';
import { Seen } from '../documents/document.schema.ts';
import { ConversionInput } from '@suite/document-lines';
import { convertProposal, DraftWasDeleted, prepareInvoice } from './proposal-conversion.ts';
import { proposalStates } from './proposal.rules.ts';
import { command, query } from './operations.ts';
import {
  askForProposal,
  createProposal,
  ProposalIsSettled,
  removeProposal,
  updateProposal,
  assertProposal,
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

export const list = query('GET /api/sales-proposal', {
  summary: 'List proposals',
  description: 'A client sees what was sent to the customer that they stand for.',
  access: can('proposal.view'),
  query: ProposalFilter,
  reply: page(Proposal),
  handle: ({ db, caller, query }) => listProposals(db, caller, query),
});

export const show = query('GET /api/sales-proposal/show/{proposal_id}', {
  summary: 'Get a proposal',
  description: 'With its lines and the allowed actions. As a PDF for `Accept: application/pdf`.',
  access: can('proposal.view'),
  params,
  reply: ok(ProposalDetails),
  faults: printFaults,
  handle: ({ db, caller, params }) => readProposal(db, caller, params.proposal_id),
  formats: { pdf: printProposal },
});

export const create = command('POST /api/sales-proposal/create', {
  summary: 'Create a proposal',
  description: 'A draft. Products and taxes are copied into its lines; totals are computed. It has no number yet.',
  access: can('proposal.create'),
  body: ProposalInput,
  reply: created(ProposalDetails),
  prepare: ({ body, rpc }) => askForProposal(rpc, body),
  handle: ({ body, prepared, ...work }) => createProposal(work, body, prepared),
});

export const update = command('POST /api/sales-proposal/update/{proposal_id}', {
  summary: 'Update a proposal',
  description: 'A draft; or one that was sent, which becomes a draft again as the next revision.',
  access: proposalStates.can('update'),
  params,
  body: ProposalChanges,
  reply: ok(ProposalDetails),
  faults: [ProposalIsSettled],
  async prepare({ params, body, rpc, read }) {
    await read((db) => assertProposal(db, params.proposal_id));
    return await askForProposal(rpc, body);
  },
  handle: ({ params, body, prepared, expect, ...work }) =>
    updateProposal(work, params.proposal_id, body, { ...prepared, expect }),
});

export const remove = command('DELETE /api/sales-proposal/delete/{proposal_id}', {
  summary: 'Delete a proposal',
  description: 'A draft, or one that was rejected or has run out.',
  access: proposalStates.can('delete'),
  params,
  reply: removed,
  handle: ({ db, caller, params }) => removeProposal(db, caller, params.proposal_id),
});

export const send = command('POST /api/sales-proposal/sent/{proposal_id}', {
  summary: 'Send a proposal',
  description: 'From now on its customer can see and answer it. It gets its number the first time.',
  access: proposalStates.can('send'),
  params,
  body: Seen,
  reply: ok(ProposalDetails),
  faults: [ValidityIsOver],
  prepare: ({ params, ...means }) => askForRecipient(means, params.proposal_id),
  handle: ({ params, prepared: recipient, expect, ...work }) =>
    sendProposal(work, params.proposal_id, recipient, expect),
});

export const accept = command('POST /api/sales-proposal/accept/{proposal_id}', {
  summary: 'Accept a proposal',
  description:
    'By the client whom it was sent to, in a session of their own; or noted by a colleague who may change proposals. A draft is accepted in the name of the customer with the permission `proposal.accept_on_behalf`.',
  access: proposalStates.can('accept'),
  params,
  body: AcceptanceInput,
  reply: ok(ProposalDetails),
  faults: [ValidityIsOver],
  handle: ({ params, body, expect, request, ...work }) =>
    acceptProposal({ ...work, address: request.address }, params.proposal_id, body, expect),
});

export const reject = command('POST /api/sales-proposal/reject/{proposal_id}', {
  summary: 'Reject a proposal',
  description: 'By the client to whom it was sent; or recorded by a colleague with the permission `proposal.reject`.',
  access: proposalStates.can('reject'),
  params,
  body: RejectionInput,
  reply: ok(ProposalDetails),
  handle: ({ params, body, expect, ...work }) => rejectProposal(work, params.proposal_id, body.reason, expect),
});

export const convert = command('POST /api/sales-proposal/convert-to-invoice/{proposal_id}', {
  summary: 'Convert a proposal to an invoice',
  description:
    'An accepted proposal becomes a draft invoice with the prices and taxes that were offered. Happens once: repeating it returns the same invoice. When the draft is deleted, or its invoice is cancelled, the proposal is accepted again. A proposal in a foreign currency needs a `rate` if the currency was never booked; otherwise the last rate is used, and `exchange_rate` reports its date and age.',
  access: proposalStates.can('convert'),
  params,
  query: { dry_run: DryRun },
  body: ConversionInput,
  reply: ok(ProposalConversion),
  faults: [DraftWasDeleted],
  prepare: ({ params, query, body, ...means }) =>
    prepareInvoice(means, params.proposal_id, { dry_run: query.dry_run, rate: body.rate }),
  handle: ({ params, query, prepared: drafted, expect, ...work }) =>
    convertProposal(work, params.proposal_id, drafted, { expect, dry_run: query.dry_run }),
});
