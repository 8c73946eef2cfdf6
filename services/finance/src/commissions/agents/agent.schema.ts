import { Id, foreignId, input, ShortText, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { agentActions } from './agent.rules.ts';

/** Agent who sells for a commission. */
export const Agent = record({
  user_id: Id.describe('ID of the user linked to the agent.'),
  name: z.string(),
  code: z.string(),
  plan_id: Id.describe('ID of the plan for future sales.'),
  active: z.boolean(),
  plan: z.object({ id: Id, name: z.string() }).nullable().optional(),
  allowed_actions: Actions(agentActions),
}).meta({ id: 'Agent' });

export const AgentFilter = list(Agent, {
  filter: ['user_id', 'name', 'code', 'plan_id', 'active', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name', 'code'],
  search: true,
  expand: ['plan'],
});

const code = ShortText(50).min(1);

export const AgentInput = input({
  user_id: foreignId('platform.user'),
  name: Name,
  code,
  plan_id: refTo('commission_plans'),
});

export const AgentChanges = input({
  user_id: foreignId('platform.user').optional(),
  name: Name.optional(),
  code: code.optional(),
  plan_id: refTo('commission_plans').optional(),
  active: z.boolean().optional().describe('`false` archives the agent, who is then excluded from new invoices.'),
  version,
});

export type AgentInput = z.output<typeof AgentInput>;
export type AgentChanges = z.output<typeof AgentChanges>;
