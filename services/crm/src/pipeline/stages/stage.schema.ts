import {
  choice,
  Color,
  Id,
  idOf,
  inner,
  input,
  BaseMoneyOut,
  MoneyOut,
  Name,
  Percentage,
  record,
  refTo,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { stageActions } from './stage.rules.ts';
import { pageRequest } from './page-request.schema.ts';

const StageType = choice('open', 'ongoing', 'on_hold', 'won', 'lost').describe(
  'Meaning of the stage. A lead in a `lost` stage is lost. A deal in a `won` or `lost` stage is closed.',
);

const Position = z
  .int()
  .min(0)
  .describe('Zero-based position without gaps. Inserting a stage moves the following ones.');

const row = {
  pipeline_id: Id,
  name: z.string(),
  type: StageType,
  color: Color,
  position: z.int(),
  allowed_actions: Actions(stageActions),
};

/** A column of the lead board. */
export const LeadStage = record({
  ...row,
  lead_count: z.int().describe('Number of leads on the board that are visible to the caller.'),
  value_sum: MoneyOut.describe('Total expected value of the leads in the stage.'),
}).meta({ id: 'LeadStage' });

/** Deal stage. */
export const DealStage = record({
  ...row,
  probability: inner(z.int()),
  deal_count: z.int().describe('Number of deals visible to the caller.'),
  value_sum: BaseMoneyOut.describe(
    'Total price of the visible deals in base currency. Excludes deals in other currencies.',
  ),
}).meta({ id: 'DealStage' });

const grammar = {
  filter: ['pipeline_id', 'name', 'type', 'position', 'created_at', 'updated_at'],
  sort: ['position', 'name', 'created_at', 'updated_at'],
  order: 'position',
  search: true,
} as const;

export const LeadStageFilter = list(LeadStage, grammar);
export const DealStageFilter = list(DealStage, grammar);

const fields = {
  pipeline_id: refTo('pipelines'),
  name: Name,
  type: StageType.default('open'),
  color: Color.default('#64748b'),
  position: Position.optional(),
};
const changes = {
  name: Name.optional(),
  type: StageType.optional(),
  color: Color.optional(),
  position: Position.optional(),
  version,
};
const Probability = Percentage.describe(
  'Probability of winning a deal in this stage, in percent. 100 if won, 0 if lost.',
);

export const LeadStageInput = input(fields);
export const LeadStageChanges = input(changes);
export const DealStageInput = input({ ...fields, probability: Probability.optional() });
export const DealStageChanges = input({ ...changes, probability: Probability.optional() });

/** Stage that receives the records of a deleted one. */
export const StageRemoval = {
  move_to: Id.optional().describe('Stage of the same pipeline that receives the records.'),
};

/** Lead stage from a form. A stage with an ID is updated, one without is created. */
export const LeadStageSave = input({
  ...changes,
  id: idOf('lead_stages').optional(),
  pipeline_id: refTo('pipelines')
    .optional()
    .describe(
      'ID of the pipeline of a new stage. Defaults to the default pipeline. The pipeline of a stage cannot change.',
    ),
  name: Name,
});

export const LeadStageRequest = input({
  pipeline_id: refTo('pipelines').optional().describe('Defaults to the default pipeline.'),
  ...pageRequest(100),
});
