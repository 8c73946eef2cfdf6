import {
  choice,
  Day,
  Id,
  inner,
  input,
  LongText,
  Money,
  MoneyOut,
  Name,
  PlannedDay,
  record,
  refTo,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { milestoneStates } from './milestone.rules.ts';

const Status = choice('incomplete', 'complete');

/** Milestone of a project. */
export const Milestone = record({
  project_id: Id,
  title: z.string(),
  summary: z.string().nullable(),
  start_date: Day.nullable(),
  end_date: Day.nullable(),
  status: Status,
  is_overdue: z.boolean().describe('Whether the end date has passed and the milestone is incomplete.'),
  progress: z.int().describe('Percentage of completed tasks. Excludes cancelled tasks.'),
  cost: inner(
    MoneyOut.nullable().describe("Cost in the project's currency. `null` if the caller does not manage the project."),
  ),
  client_visible: inner(z.boolean()),
  allowed_actions: Actions(milestoneStates),
}).meta({ id: 'ProjectMilestone' });

/** Milestone in the response of a change. */
export const ChangedMilestone = Milestone.extend({
  open_tasks: inner(z.int().describe('Number of tasks that are neither completed nor cancelled.')),
}).meta({ id: 'ChangedMilestone' });

export const MilestoneFilter = list(Milestone, {
  filter: ['project_id', 'status', 'is_overdue', 'start_date', 'end_date', 'client_visible', 'created_at'],
  sort: ['created_at', 'updated_at', 'end_date', 'start_date', 'title', 'progress'],
  search: true,
});

const facts = {
  start_date: PlannedDay.nullish(),
  end_date: PlannedDay.nullish(),
  cost: Money.nullish(),
  summary: LongText.nullish(),
  client_visible: z.boolean().optional(),
};

export const MilestoneInput = input({ project_id: refTo('projects'), title: Name, ...facts });

export const MilestoneChanges = input({
  title: Name.optional(),
  ...facts,
  status: stateRequest(milestoneStates, Status.options, ['complete', 'reopen'])
    .optional()
    .describe('New status, or the action from `allowed_actions` that leads to it.'),
  version,
});

export type MilestoneInput = z.output<typeof MilestoneInput>;
export type MilestoneChanges = z.output<typeof MilestoneChanges>;
