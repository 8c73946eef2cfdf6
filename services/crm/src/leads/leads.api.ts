/**
 * Leads are potential customers. A lead moves through the stages of a pipeline until it is lost or converted to a
 * deal.
 */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed, upserted } from '@suite/chassis/operations';
import { z } from 'zod';
import { Deal } from '../deals/deal.schema.ts';
import { readDeal } from '../deals/deal.view.ts';
import { MemberInputs } from '../pipeline/members/member.schema.ts';
import { addMembers } from '../pipeline/members/member-operations.ts';
import { command, query } from '../operations.ts';
import { LabelSummary } from '../pipeline/labels/label.schema.ts';
import { NoPipeline } from '../pipeline/pipelines/pipeline.ts';
import { fetchStaff } from '@suite/user-copies';
import { ClientHasAccount, convertLead, EmailTaken, prepareConversion } from './lead-conversion.ts';
import { LeadConversion } from './lead-conversion.schema.ts';
import { createLead, removeLead, updateLead } from './lead.ts';
import { LeadIsConverted, leadBoard, leadStates } from '../pipeline/board/lead-board.ts';
import { Lead, LeadChanges, LeadFilter, LeadInput, SavedLead } from './lead.schema.ts';
import { LeadDetails, leadExpansions, showLead, withMembers } from './lead.view.ts';

export const list = query('GET /api/leads', {
  summary: 'List leads',
  description: 'Returns the leads that you may see. Expand `stage`, `owner`, `labels` and others for their details.',
  access: can('lead.view'),
  query: LeadFilter,
  reply: page(Lead),
  handle: ({ db, query }) => paginate(db, query, { table: 'leads', expand: leadExpansions(db) }),
});

export const show = query('GET /api/lead/show/{id}', {
  summary: 'Get a lead',
  description:
    'Returns a lead with labels, sources, users, tasks, calls, notes, e-mails, files, history and allowed actions.',
  access: can('lead.view'),
  params: { id: idOf('leads') },
  reply: ok(LeadDetails),
  handle: ({ db, params, ...context }) => showLead(db, context, params.id),
});

export const create = command('POST /api/lead/create', {
  summary: 'Create a lead',
  description:
    'Creates a lead. Pipeline, stage and owner default to the default pipeline, its first stage and you. Returns `no_pipeline` if the workspace has no pipeline.',
  access: can('lead.create'),
  body: LeadInput,
  reply: created(SavedLead),
  faults: [NoPipeline],
  prepare: ({ body, rpc }) => fetchStaff(rpc, { owner_id: body.owner_id, user_ids: body.user_ids }),
  handle: async ({ body, prepared, ...context }) => withMembers(context.db, await createLead(context, body, prepared)),
});

export const update = command('POST /api/lead/update/{id}', {
  summary: 'Update a lead',
  description:
    'Updates a lead. `stage_id` moves it, and the status follows from the stage. A converted lead accepts changes to `notes` only.',
  access: leadStates.can('update', 'move', 'lose', 'reopen'),
  params: { id: idOf('leads') },
  body: LeadChanges,
  reply: ok(SavedLead),
  faults: [LeadIsConverted],
  prepare: ({ body, rpc }) => fetchStaff(rpc, { owner_id: body.owner_id, user_ids: body.user_ids }),
  handle: async ({ params, body, prepared, expect, ...context }) =>
    withMembers(context.db, await updateLead(context, params.id, body, { expect, people: prepared })),
});

export const remove = command('DELETE /api/lead/delete/{id}', {
  summary: 'Delete a lead',
  description:
    'Deletes a lead with all its activities. Returns 409 `in_use` for a converted lead, because its deal refers to the lead.',
  access: leadStates.can('delete'),
  params: { id: idOf('leads') },
  reply: removed,
  handle: ({ db, params }) => removeLead(db, params.id),
});

export const convert = command('POST /api/lead/convert-to-deal/{id}', {
  summary: 'Convert a lead to a deal',
  description:
    'Converts a lead to a deal, once. Repeating the request returns the existing deal with 200. Reopen a lost lead first. A new client receives an invitation, and can sign in only after accepting it.',
  access: leadStates.can('convert'),
  params: { id: idOf('leads') },
  body: LeadConversion,
  reply: upserted(Deal),
  faults: [NoPipeline, EmailTaken, ClientHasAccount],
  prepare: ({ params, body, ...context }) => prepareConversion(context, params.id, body),
  async handle({ params, body, prepared, ...context }) {
    const { created, deal_id } = await convertLead(context, params.id, body, prepared);
    return { created, record: await readDeal(context.db, deal_id) };
  },
});

export const addLabel = command('POST /api/lead/add-label/{id}', {
  summary: 'Add labels to a lead',
  description:
    'Returns all labels of the lead. Adding a label twice has no further effect. Returns `lead_is_converted` for a converted lead.',
  access: can('lead.update'),
  params: { id: idOf('leads') },
  body: MemberInputs.label,
  reply: ok(z.array(LabelSummary)),
  faults: [LeadIsConverted],
  handle: ({ params, body, ...context }) =>
    addMembers(context, leadBoard, params.id, { member: 'label', members: body }),
});
