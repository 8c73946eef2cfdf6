import {
  choice,
  Currency,
  PlannedDay,
  Day,
  Id,
  foreignId,
  inner,
  input,
  Money,
  MoneyOut,
  Name,
  LongText,
  Phone,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { dealStates } from '../pipeline/board/deal-board.ts';
import { belongings, PipelineSummary, StageSummary } from '../pipeline/board/summaries.schema.ts';
import { AssignedProduct } from '../activities/products/product.schema.ts';
import { LabelSummary } from '../pipeline/labels/label.schema.ts';
import { SourceSummary } from '../pipeline/sources/source.schema.ts';
import { UserLabel } from '@suite/user-copies';

/** Deal, as returned in lists. */
export const Deal = record({
  name: z.string(),
  price: MoneyOut,
  currency: Currency,
  phone: z.string().nullable(),
  pipeline_id: Id,
  stage_id: Id,
  status: choice('open', 'won', 'lost'),
  probability: inner(z.int().describe('Probability in percent, from 0 to 100.')),
  weighted_value: inner(MoneyOut.describe('Price multiplied by the probability.')),
  expected_close: Day.nullable(),
  closed_at: Timestamp.nullable(),
  lost_reason: inner(z.string().nullable()),
  lead_id: Id.nullable(),
  customer_id: Id.nullable(),
  customer_name: z.string().nullable().describe('Name of the customer in finance.'),
  notes: inner(z.string().nullable()),
  last_activity_at: Timestamp,
  allowed_actions: Actions(dealStates),
  pipeline: PipelineSummary.optional(),
  stage: StageSummary.optional(),
  labels: inner(z.array(LabelSummary)),
  sources: inner(z.array(SourceSummary)),
  users: z.array(UserLabel).optional(),
  clients: z.array(UserLabel).optional(),
  products: z.array(AssignedProduct).optional(),
}).meta({ id: 'Deal' });

/** Deal in the response of a creation or update, with the records that the request can name. */
export const SavedDeal = Deal.required({ users: true, clients: true }).meta({ id: 'SavedDeal' });

/** Deal columns without the fields that are loaded on demand. */
export const DealColumns = Deal.omit({
  pipeline: true,
  stage: true,
  labels: true,
  sources: true,
  users: true,
  clients: true,
  products: true,
});

export const DealFilter = list(Deal, {
  filter: [
    'name',
    'price',
    'currency',
    'pipeline_id',
    'stage_id',
    'status',
    'expected_close',
    'closed_at',
    'lead_id',
    'customer_id',
    'last_activity_at',
    'created_at',
    'updated_at',
  ],
  sort: ['created_at', 'updated_at', 'last_activity_at', 'name', 'price', 'expected_close'],
  search: true,
  through: {
    ...belongings('deal'),
    client_id: { table: 'deal_clients', key: 'deal_id', column: 'client_id' },
  },
  expand: ['pipeline', 'stage', 'labels', 'sources', 'users', 'clients', 'products'],
});

const ids = (id: z.ZodUUID) => z.array(id).max(50);

/** Deal fields that requests can set, at creation and later. Null clears a value. */
const facts = {
  phone: Phone.nullable(),
  expected_close: PlannedDay.nullable(),
  notes: LongText.nullable(),
  customer_id: foreignId('finance.customer').nullable().describe('ID of the finance customer of the deal.'),
  pipeline_id: refTo('pipelines'),
  stage_id: refTo('deal_stages'),
  lost_reason: LongText.max(500).min(1).describe('Reason for the loss. Required if the stage has the type `lost`.'),
  label_ids: ids(refTo('labels')),
  source_ids: ids(refTo('sources')),
  user_ids: ids(foreignId('platform.user')),
  client_ids: ids(foreignId('platform.user')),
};
const optional = z.object(facts).partial().shape;

export const DealInput = input({
  name: Name,
  price: Money.default('0'),
  currency: Currency.optional().describe('Defaults to the base currency of the workspace.'),
  ...optional,
});

export const DealChanges = input({
  name: Name.optional(),
  price: Money.optional(),
  currency: Currency.optional(),
  ...optional,
  version,
});

/** Deal in the shape of its schema. */
export type DealRow = z.input<typeof Deal>;
export type DealInput = z.output<typeof DealInput>;
export type DealChanges = z.output<typeof DealChanges>;
