import { choice, foreignId, Id, input, Name, LongText, record, refTo, Timestamp, version } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { callActions } from './call.rules.ts';
import { subject } from '../../pipeline/board/summaries.schema.ts';

export const Call = record({
  ...subject,
  subject: z.string(),
  type: choice('inbound', 'outbound'),
  at: Timestamp,
  duration_seconds: z.int().describe('Duration in seconds.'),
  assignee_id: Id,
  description: z.string().nullable(),
  result: z.string().nullable(),
  allowed_actions: Actions(callActions),
}).meta({ id: 'CrmCall' });

const DAY_S = 24 * 60 * 60;
const call = {
  subject: Name,
  type: choice('inbound', 'outbound'),
  at: Timestamp,
  duration_seconds: z.int().min(0).max(DAY_S).describe('Duration in seconds.'),
  assignee_id: foreignId('platform.user')
    .optional()
    .describe('ID of the user who made or received the call. Defaults to the caller.'),
  description: LongText.nullable().optional(),
  result: LongText.max(500).min(1).nullable().optional(),
};

export const CallInputs = {
  lead: input({ lead_id: refTo('leads'), ...call }),
  deal: input({ deal_id: refTo('deals'), ...call }),
};

export const CallChanges = input({ ...z.object(call).partial().shape, version });
