/** Leads as the app and the board use them: the same rules under other routes, and views that a screen reads at once. */
import { can, canSave, ok, page, paginate, removed, upserted } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { NoPipeline } from '../pipelines/pipeline.ts';
import { askForStaff, colleagues } from '@suite/users';
import { Colleague, ColleagueFilter } from '../users/user.schema.ts';
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
import { LeadIsConverted, leadStates } from '../board/lead-board.ts';
import { showLeadBoard } from './lead-board.view.ts';
import { Lead, LeadMove, LeadSave } from '../leads/lead.schema.ts';
import { LeadDetails, readPlacedLead, showLead } from '../leads/lead.view.ts';

export const home = query('POST /api/lead/home', {
  summary: 'Get the lead dashboard',
  access: can('lead.view'),
  body: HomeRequest,
  reply: ok(Home),
  handle: ({ db, caller, body }) => showHome(db, caller, body.pipeline_id),
});

export const board = query('POST /api/lead/leadboard', {
  summary: 'Get the lead board',
  description:
    'The columns of a pipeline with count and sum, and the first leads of each. Converted leads have left the board.',
  access: can('lead.view'),
  body: LeadBoardRequest,
  reply: ok(LeadBoard),
  handle: ({ db, body }) => showLeadBoard(db, body),
});

export const details = query('POST /api/lead/lead-details', {
  summary: 'Get a lead',
  access: can('lead.view'),
  body: LeadReference,
  reply: ok(LeadDetails),
  handle: ({ db, body, ...view }) => showLead(db, view, body.id),
});

export const save = command('POST /api/lead/lead-create-update', {
  summary: 'Create or update a lead',
  description:
    'With `id`, or with the `external_id` of an existing lead, it changes that lead; otherwise it creates one.',
  access: canSave({ creates: 'lead.create', changes: 'lead.update' }),
  body: LeadSave,
  reply: upserted(Lead),
  faults: [NoPipeline, LeadIsConverted],
  prepare: ({ body, rpc }) => askForStaff(rpc, { owner_id: body.owner_id, user_ids: body.user_ids }),
  handle: ({ body, prepared: people, expect, ...work }) => saveLead(work, body, { expect, people }),
});

export const remove = command('POST /api/lead/lead-delete', {
  summary: 'Delete a lead',
  access: leadStates.can('delete'),
  body: LeadReference,
  reply: removed,
  handle: ({ db, body }) => removeLead(db, body.id),
});

export const move = command('POST /api/lead/lead-stage-update', {
  summary: 'Move a lead on the board',
  description:
    'Into a stage, on top or at a position of the column. Into a stage of the type `lost` it needs a `lost_reason`.',
  access: leadStates.can('move', 'lose', 'reopen'),
  body: LeadMove,
  reply: ok(PlacedLead),
  faults: [LeadIsConverted],
  async handle({ body, expect, ...work }) {
    await moveLead(work, body, expect);
    return readPlacedLead(work.db, body.lead_id);
  },
});

export const choices = query('GET /api/lead/get-request-data', {
  summary: 'Get the options of the lead form',
  description: 'Pipelines with their stages, sources, labels and colleagues.',
  access: can('lead.view'),
  reply: ok(FormChoices),
  handle: ({ db }) => formChoices(db),
});

export const users = query('GET /api/lead/get-users', {
  summary: 'List users who can own leads',
  access: can('lead.view'),
  query: ColleagueFilter,
  reply: page(Colleague),
  handle: ({ db, query }) => paginate(db, query, { table: 'users', where: colleagues }),
});
