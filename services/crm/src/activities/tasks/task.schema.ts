import {
  choice,
  Day,
  Id,
  foreignId,
  input,
  Name,
  PlannedDay,
  record,
  refTo,
  Time,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { taskActions, taskStates } from './task.rules.ts';
import { subject } from '../../pipeline/board/summaries.schema.ts';

export const Task = record({
  ...subject,
  name: z.string(),
  date: Day,
  time: Time,
  priority: choice('low', 'medium', 'high'),
  status: choice('todo', 'done'),
  assignee_id: Id.nullable(),
  reminder: Timestamp.nullable(),
  done_at: Timestamp.nullable(),
  allowed_actions: Actions(taskActions),
}).meta({ id: 'CrmTask' });

const Priority = choice('low', 'medium', 'high');

const task = {
  name: Name,
  date: PlannedDay,
  time: Time.describe("HH:MM in the workspace's time zone."),
  assignee_id: foreignId('platform.user').nullable().optional(),
  reminder: Timestamp.nullable().optional(),
};

export const TaskInputs = {
  lead: input({ lead_id: refTo('leads'), ...task, priority: Priority.default('medium') }),
  deal: input({ deal_id: refTo('deals'), ...task, priority: Priority.default('medium') }),
};

export const TaskChanges = input({
  ...z.object(task).partial().shape,
  priority: Priority.optional(),
  status: stateRequest(taskStates.lead, ['todo', 'done'], ['complete', 'reopen'])
    .optional()
    .describe('New status, or the action that leads to it (`complete`, `reopen`).'),
  version,
});
