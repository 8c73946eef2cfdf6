import {
  choice,
  PlannedDay,
  Day,
  Id,
  foreignId,
  input,
  ShortText,
  Money,
  MoneyOut,
  Name,
  LongText,
  Percentage,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { opportunityStates } from './opportunity.rules.ts';
import { SourceSummary } from '../../pipeline/sources/source.schema.ts';
import { UserLabel } from '@suite/user-copies';

export const OpportunityStage = choice(
  'prospecting',
  'qualification',
  'proposal',
  'negotiation',
  'closed_won',
  'closed_lost',
);

/** Possible sale to a customer. */
export const Opportunity = record({
  name: z.string(),
  customer_id: Id.nullable(),
  customer_name: z.string().nullable(),
  contact: z.string().nullable(),
  amount: MoneyOut.describe('Amount in the workspace currency.'),
  stage: OpportunityStage,
  probability: z.int().describe('Probability in percent, from 0 to 100.'),
  expected_close: Day.nullable(),
  closed_at: Timestamp.nullable(),
  owner_id: Id,
  source_id: Id.nullable(),
  description: z.string().nullable(),
  allowed_actions: Actions(opportunityStates),
  owner: UserLabel.nullable().optional(),
  source: SourceSummary.nullable().optional(),
}).meta({ id: 'Opportunity' });

/** Opportunity columns without the fields that are loaded on demand. */
export const OpportunityColumns = Opportunity.omit({ owner: true, source: true });

export const OpportunityFilter = list(Opportunity, {
  filter: [
    ...(['name', 'customer_id', 'amount', 'stage', 'probability', 'expected_close', 'owner_id', 'source_id'] as const),
    ...(['closed_at', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'name', 'amount', 'expected_close', 'probability'],
  search: true,
  expand: ['owner', 'source'],
});

const optional = {
  customer_id: foreignId('finance.customer').nullable().optional(),
  contact: ShortText().min(1).nullable().optional(),
  amount: Money.optional(),
  stage: OpportunityStage.optional(),
  probability: Percentage.optional().describe(
    'Probability in percent. Defaults to the default of the stage. Closed opportunities have 100 or 0.',
  ),
  expected_close: PlannedDay.nullable().optional(),
  owner_id: foreignId('platform.user').optional().describe('Defaults to the caller.'),
  source_id: refTo('sources').nullable().optional(),
  description: LongText.nullable().optional(),
};

export const OpportunityInput = input({ name: Name, ...optional });
export const OpportunityChanges = input({
  name: Name.optional(),
  ...optional,
  stage: stateRequest(opportunityStates, OpportunityStage.options, [
    ...(['prospect', 'qualify', 'propose', 'negotiate', 'reopen', 'win', 'lose'] as const),
  ])
    .optional()
    .describe('New stage, or the action from `allowed_actions` that leads to it.'),
  version,
});

export type OpportunityInput = z.output<typeof OpportunityInput>;
export type OpportunityChanges = z.output<typeof OpportunityChanges>;
