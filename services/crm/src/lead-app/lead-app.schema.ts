/** Schemas of the board and of the app's screens. */
import { Day, Id, idOf, input, ShortText, BaseMoneyOut, MoneyOut, refTo } from '@suite/chassis/fields';
import { z } from 'zod';
import { PipelineSummary, StageSummary } from '../pipeline/board/summaries.schema.ts';
import { Activity } from '../activities/activities/activity.schema.ts';
import { LabelSummary } from '../pipeline/labels/label.schema.ts';
import { SourceSummary } from '../pipeline/sources/source.schema.ts';
import { UserLabel } from '@suite/user-copies';
import { UserChoice } from '../pipeline/users/user.schema.ts';
import { Lead } from '../leads/lead.schema.ts';

/** Reference to a lead in a request body. */
export const LeadReference = input({ id: idOf('leads') });

/** Lead with its position in the column. */
export const PlacedLead = Lead.extend({ position: z.int().nullable() }).meta({ id: 'PlacedLead' });

export const LeadBoardRequest = input({
  pipeline_id: refTo('pipelines').optional().describe('Defaults to the default pipeline.'),
  stage_id: refTo('lead_stages').optional().describe('ID of the stage whose further leads are returned.'),
  per_column: z.int().min(1).max(100).default(20),
  offset: z.int().min(0).max(10_000).default(0).describe('Number of leads to skip in each column.'),
  owner_id: refTo('users').optional(),
  label_id: refTo('labels').optional(),
  q: ShortText(200).optional(),
});
export type LeadBoardRequest = z.output<typeof LeadBoardRequest>;

const LeadCard = Lead.pick({
  id: true,
  name: true,
  subject: true,
  company: true,
  expected_value: true,
  next_follow_up: true,
  score: true,
  status: true,
  lost_reason: true,
  stage_id: true,
  owner_id: true,
  last_activity_at: true,
  allowed_actions: true,
  version: true,
})
  .extend({
    position: z.int().nullable().describe('Position in the column. `null` while a filter hides other cards.'),
    owner: UserLabel.nullable(),
    labels: z.array(LabelSummary),
  })
  .meta({ id: 'LeadCard' });

export const LeadBoard = z
  .object({
    pipeline: PipelineSummary,
    columns: z.array(
      StageSummary.extend({
        position: z.int(),
        count: z.int().describe('Number of leads in the column, returned or not.'),
        sum: BaseMoneyOut.describe('Total expected value in base currency.'),
        leads: z.array(LeadCard),
      }),
    ),
  })
  .meta({ id: 'LeadBoard' });

export const HomeRequest = input({
  pipeline_id: refTo('pipelines').optional().describe('ID of a pipeline. Returns its leads and deals only.'),
});

const count = z.int();
export const Home = z
  .object({
    today: Day,
    currency: z.string(),
    leads: z.object({ open: count, lost: count, converted: count, new_this_month: count, open_value: MoneyOut }),
    deals: z
      .object({
        open: count,
        won: count,
        lost: count,
        won_this_month: count,
        open_value: MoneyOut,
        weighted_value: MoneyOut,
        won_value_this_month: MoneyOut,
      })
      .nullable()
      .describe('Totals of deals in base currency. `null` without the permission to view deals.'),
    tasks: z.object({ overdue: count, today: count }).describe("Caller's own open tasks."),
    recent: z.array(Activity.extend({ lead_id: Id, lead_name: z.string() })).describe('Last ten activities of leads.'),
  })
  .meta({ id: 'CrmHome' });

/** Choices of a lead form. */
export const FormChoices = z
  .object({
    pipelines: z.array(PipelineSummary.extend({ is_default: z.boolean(), stages: z.array(StageSummary) })),
    sources: z.array(SourceSummary),
    labels: z.array(LabelSummary.extend({ pipeline_id: Id.nullable() })),
    users: z.array(UserChoice),
  })
  .meta({ id: 'LeadFormChoices' });
