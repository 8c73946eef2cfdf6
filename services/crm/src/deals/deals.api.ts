/** Deals are sales in progress. The type of its stage makes a deal open, won or lost. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { z } from 'zod';
import { fetchCustomer } from '../sales/references/customer.ts';
import { MemberInputs } from '../pipeline/members/member.schema.ts';
import { addMembers } from '../pipeline/members/member-operations.ts';
import { command, query, type Rpc } from '../operations.ts';
import { LabelSummary } from '../pipeline/labels/label.schema.ts';
import { NoPipeline } from '../pipeline/pipelines/pipeline.ts';
import { fetchClients, fetchStaff } from '@suite/user-copies';
import { createDeal, type DealReferences, removeDeal, updateDeal } from './deal.ts';
import { dealBoard, dealStates } from '../pipeline/board/deal-board.ts';
import { Deal, DealChanges, DealFilter, DealInput, SavedDeal } from './deal.schema.ts';
import { DealDetails, listDeals, readSavedDeal, showDeal } from './deal.view.ts';

/** Requests all users of the body from platform, and the customer from finance. */
async function fetchReferences(
  rpc: Rpc,
  { user_ids, client_ids, customer_id }: DealInput | DealChanges,
): Promise<DealReferences> {
  const customer = await fetchCustomer(rpc, customer_id);
  return {
    people: [...(await fetchStaff(rpc, { user_ids })), ...(await fetchClients(rpc, { client_ids }))],
    customer,
  };
}

export const list = query('GET /api/deals', {
  summary: 'List deals',
  description:
    'Returns the deals that you may see. Clients see their own deals. Expand `stage`, `users`, `clients` and others for their details.',
  access: can('deal.view'),
  query: DealFilter,
  reply: page(Deal),
  handle: ({ db, query }) => listDeals(db, query),
});

export const show = query('GET /api/deal/show/{id}', {
  summary: 'Get a deal',
  description:
    'Returns a deal with members, tasks, calls, notes, e-mails, files and history. Clients see the summary only, without notes and tasks.',
  access: can('deal.view'),
  params: { id: idOf('deals') },
  reply: ok(DealDetails),
  handle: ({ db, params, ...context }) => showDeal(db, context, params.id),
});

export const create = command('POST /api/deal/create', {
  summary: 'Create a deal',
  description:
    'Creates a deal with you as a member. Pipeline and stage default to the default pipeline and its first stage. Returns `no_pipeline` if the workspace has no pipeline.',
  access: can('deal.create'),
  body: DealInput,
  reply: created(SavedDeal),
  faults: [NoPipeline],
  prepare: ({ body, rpc }) => fetchReferences(rpc, body),
  handle: async ({ body, prepared, ...context }) =>
    readSavedDeal(context.db, await createDeal(context, body, prepared)),
});

export const update = command('POST /api/deal/update/{id}', {
  summary: 'Update a deal',
  description: 'Updates a deal. `stage_id` moves it, and the status follows from the stage.',
  access: dealStates.can('update', 'win', 'lose', 'reopen'),
  params: { id: idOf('deals') },
  body: DealChanges,
  reply: ok(SavedDeal),
  prepare: ({ body, rpc }) => fetchReferences(rpc, body),
  async handle({ params, body, prepared: known, expect, ...context }) {
    await updateDeal(context, params.id, body, { expect, ...known });
    return readSavedDeal(context.db, params.id);
  },
});

export const remove = command('DELETE /api/deal/delete/{id}', {
  summary: 'Delete a deal',
  description:
    'Deletes a deal with all its activities. Returns 409 `in_use` if it was converted from a lead, because the lead refers to it.',
  access: dealStates.can('delete'),
  params: { id: idOf('deals') },
  reply: removed,
  deletes: 'crm.deal',
  handle: ({ db, params }) => removeDeal(db, params.id),
});

export const addLabel = command('POST /api/deal/add-label/{id}', {
  summary: 'Add labels to a deal',
  description: 'Returns all labels of the deal. Adding a label twice has no further effect.',
  access: can('deal.update'),
  params: { id: idOf('deals') },
  body: MemberInputs.label,
  reply: ok(z.array(LabelSummary)),
  handle: ({ params, body, ...context }) =>
    addMembers(context, dealBoard, params.id, { member: 'label', members: body }),
});
