import {
  choice,
  Day,
  Email,
  Id,
  foreignId,
  idOf,
  input,
  ShortText,
  Money,
  MoneyOut,
  Name,
  LongText,
  Percentage,
  Phone,
  PlannedDay,
  record,
  refTo,
  Timestamp,
  Url,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { leadStates } from '../pipeline/board/lead-board.ts';
import { belongings, PipelineSummary, StageSummary } from '../pipeline/board/summaries.schema.ts';
import { AssignedProduct } from '../activities/products/product.schema.ts';
import { LabelSummary } from '../pipeline/labels/label.schema.ts';
import { SourceSummary } from '../pipeline/sources/source.schema.ts';
import { UserLabel } from '@suite/user-copies';

const Reason = LongText.max(500).min(1);
/** Origin of a visitor who filled in a form. */
export const Attribution = z
  .object({
    page_url: z.string().nullable(),
    referrer: z.string().nullable(),
    utm: z.object({
      source: z.string().optional(),
      medium: z.string().optional(),
      campaign: z.string().optional(),
      term: z.string().optional(),
      content: z.string().optional(),
    }),
  })
  .meta({ id: 'LeadAttribution' });

/** Lead, as returned in lists. */
export const Lead = record({
  external_id: z.string().nullable(),
  name: z.string(),
  subject: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string().nullable(),
  website: z.string().nullable(),
  job_title: z.string().nullable(),
  pipeline_id: Id,
  stage_id: Id,
  owner_id: Id,
  status: choice('open', 'lost', 'converted'),
  lost_reason: z.string().nullable(),
  expected_value: MoneyOut.nullable().describe('Amount in the workspace currency.'),
  next_follow_up: Day.nullable(),
  notes: z.string().nullable(),
  score: z.int().nullable(),
  origin: choice('manual', 'widget', 'api', 'import'),
  consent: z.object({ text: z.string(), at: Timestamp, ip: z.string() }).nullable(),
  attribution: Attribution.nullable().describe('Page, referrer and campaign of the first submission of a web form.'),
  last_activity_at: Timestamp,
  converted_at: Timestamp.nullable(),
  converted_deal_id: Id.nullable(),
  allowed_actions: Actions(leadStates),
  owner: UserLabel.nullable().optional(),
  pipeline: PipelineSummary.optional(),
  stage: StageSummary.optional(),
  labels: z.array(LabelSummary).optional(),
  sources: z.array(SourceSummary).optional(),
  users: z.array(UserLabel).optional(),
  products: z.array(AssignedProduct).optional(),
}).meta({ id: 'Lead' });

/** Lead in the response of a creation or update, with the records that the request can name. */
export const SavedLead = Lead.required({ labels: true, sources: true, users: true }).meta({ id: 'SavedLead' });

/** Lead columns without the fields that are loaded on demand. */
export const LeadColumns = Lead.omit({
  owner: true,
  pipeline: true,
  stage: true,
  labels: true,
  sources: true,
  users: true,
  products: true,
});

export const LeadFilter = list(Lead, {
  filter: [
    'external_id',
    'name',
    'email',
    'phone',
    'company',
    'pipeline_id',
    'stage_id',
    'owner_id',
    'status',
    'expected_value',
    'next_follow_up',
    'score',
    'origin',
    'last_activity_at',
    'converted_at',
    'created_at',
    'updated_at',
  ],
  sort: ['created_at', 'updated_at', 'last_activity_at', 'name', 'expected_value', 'next_follow_up'],
  search: true,
  through: belongings('lead'),
  expand: ['owner', 'pipeline', 'stage', 'labels', 'sources', 'users', 'products'],
});

const ids = (id: z.ZodUUID) => z.array(id).max(50);

/** Lead fields that requests can set, at creation and later. Null clears a value. */
const facts = {
  subject: ShortText().min(1).nullable(),
  email: Email.nullable(),
  phone: Phone.nullable(),
  company: ShortText().min(1).nullable(),
  website: Url.nullable(),
  job_title: ShortText().min(1).nullable(),
  owner_id: foreignId('platform.user'),
  expected_value: Money.nullable(),
  next_follow_up: PlannedDay.nullable(),
  notes: LongText.nullable(),
  score: Percentage.nullable(),
  pipeline_id: refTo('pipelines'),
  stage_id: refTo('lead_stages'),
  lost_reason: Reason.describe('Reason for the loss. Required if the stage has the type `lost`.'),
  label_ids: ids(refTo('labels')),
  source_ids: ids(refTo('sources')),
  user_ids: ids(foreignId('platform.user')),
};
const optional = z.object(facts).partial().shape;

export const LeadInput = input({ name: Name.optional(), ...optional, external_id: ShortText().min(1).optional() });

export const LeadChanges = input({ name: Name.optional(), ...optional, version });

/** Lead from a form or another system. A known lead is updated, an unknown one is created. */
export const LeadSave = input({
  id: idOf('leads').optional().describe('ID of the lead to update. Omit it to create a lead.'),
  external_id: ShortText().min(1).optional().describe('ID of the lead in another system. Use instead of `id`.'),
  name: Name.optional(),
  ...optional,
  version,
});

export const LeadMove = input({
  lead_id: refTo('leads'),
  stage_id: refTo('lead_stages'),
  position: z
    .int()
    .min(0)
    .optional()
    .describe('Zero-based position in the column, among visible leads. Defaults to the top.'),
  lost_reason: LongText.max(500)
    .min(1)
    .optional()
    .describe('Reason for the loss. Required if the stage has the type `lost`.'),
  version,
});

/** Row of `leads`. Database checks guarantee the constraints that Prisma's types cannot express. */
export type LeadRow = z.input<typeof Lead>;
export type LeadInput = z.output<typeof LeadInput>;
export type LeadChanges = z.output<typeof LeadChanges>;
export type LeadMove = z.output<typeof LeadMove>;
export type LeadSave = z.output<typeof LeadSave>;
