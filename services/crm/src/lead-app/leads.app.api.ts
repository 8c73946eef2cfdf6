/** Leads for the screens of the app: the same rules under other routes, and one response per screen. */
import { paginate } from '@suite/chassis/lists';
import { can, canSave, ok, page, removed, upserted } from '@suite/chassis/operations';
import { command, query } from '../operations.ts';
import { NoPipeline } from '../pipeline/pipelines/pipeline.ts';
import { fetchStaff, selectableUsers } from '@suite/user-copies';
import { Colleague, ColleagueFilter } from '../pipeline/users/user.schema.ts';
import { formChoices } from './lead-form.view.ts';
import { showHome } from './lead-home.view.ts';
import { moveLead, removeLead, saveLead } from '../leads/lead.ts';
import {
  FormChoices,
  Home,
  HomeRequest,
  LeadBoard,
  LeadBoardRequest,
  LeadReference,
  PlacedLead,
} from './lead-app.schema.ts';
import { LeadIsConverted, leadStates } from '../pipeline/board/lead-board.ts';
import { showLeadBoard } from './lead-board.view.ts';
import { LeadMove, LeadSave, SavedLead } from '../leads/lead.schema.ts';
import { LeadDetails, readPlacedLead, showLead, withMembers } from '../leads/lead.view.ts';

export const home = query('POST /api/lead/home', {
  summary: 'Get the lead dashboard',
  description:
    'Returns counts and values of leads and deals, your tasks and recent activity. `pipeline_id` defaults to all pipelines. Omits deals unless you have the permission `deal.view`.',
  access: can('lead.view'),
  body: HomeRequest,
  reply: ok(Home),
  handle: ({ db, caller, body }) => showHome(db, caller, body.pipeline_id),
});

export const board = query('POST /api/lead/leadboard', {
  summary: 'Get the lead board',
  description:
    'Returns the columns of a pipeline with count and value, and the first leads of each. Converted leads are not included.',
  access: can('lead.view'),
  body: LeadBoardRequest,
  reply: ok(LeadBoard),
  handle: ({ db, body }) => showLeadBoard(db, body),
});

export const details = query('POST /api/lead/lead-details', {
  summary: 'Get a lead',
  description:
    'Returns a lead with all its activities and allowed actions, like `GET /api/lead/show/{id}`. Send the ID in the body.',
  access: can('lead.view'),
  body: LeadReference,
  reply: ok(LeadDetails),
  handle: ({ db, body, ...context }) => showLead(db, context, body.id),
});

export const save = command('POST /api/lead/lead-create-update', {
  summary: 'Create or update a lead',
  description:
    'Updates the lead with this `id`, or with this `external_id`. Creates a lead if `id` is omitted and no lead has this `external_id`.',
  access: canSave({ creates: 'lead.create', changes: 'lead.update' }),
  body: LeadSave,
  reply: upserted(SavedLead),
  faults: [NoPipeline, LeadIsConverted],
  prepare: ({ body, rpc }) => fetchStaff(rpc, { owner_id: body.owner_id, user_ids: body.user_ids }),
  async handle({ body, prepared: people, expect, ...context }) {
    const { created, record } = await saveLead(context, body, { expect, people });
    return { created, record: await withMembers(context.db, record) };
  },
});

export const remove = command('POST /api/lead/lead-delete', {
  summary: 'Delete a lead',
  description:
    'Deletes a lead with all its activities, like `DELETE /api/lead/delete/{id}`. Returns 409 `in_use` for a converted lead.',
  access: leadStates.can('delete'),
  body: LeadReference,
  reply: removed,
  handle: ({ db, body }) => removeLead(db, body.id),
});

export const move = command('POST /api/lead/lead-stage-update', {
  summary: 'Move a lead on the board',
  description:
    'Moves a lead to a stage, to the top or to `position`. A stage of the type `lost` requires `lost_reason`.',
  access: leadStates.can('move', 'lose', 'reopen'),
  body: LeadMove,
  reply: ok(PlacedLead),
  faults: [LeadIsConverted],
  async handle({ body, expect, ...context }) {
    await moveLead(context, body, expect);
    return readPlacedLead(context.db, body.lead_id);
  },
});

export const choices = query('GET /api/lead/get-request-data', {
  summary: 'Get the options of the lead form',
  description: 'Returns the options of the lead form: pipelines with stages, sources, labels and users.',
  access: can('lead.view'),
  reply: ok(FormChoices),
  handle: ({ db }) => formChoices(db),
});

export const users = query('GET /api/lead/get-users', {
  summary: 'List users who can own leads',
  description: 'Returns active owners and staff users. Use it to select the owner of a lead.',
  access: can('lead.view'),
  query: ColleagueFilter,
  reply: page(Colleague),
  handle: ({ db, query }) => paginate(db, query, { table: 'users', where: selectableUsers }),
});
