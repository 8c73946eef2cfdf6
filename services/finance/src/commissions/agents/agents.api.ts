/** Commission agents: users who earn commissions on sales. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { AsOf } from '../../ledger/ledger/as-of.schema.ts';
import { salesAgent } from '../../operations.ts';
import { fetchSeller, changeAgent, createAgent, removeAgent } from './agent.ts';
import { Agent, AgentChanges, AgentFilter, AgentInput } from './agent.schema.ts';
import { OutstandingCommissions } from '../commissions/commission.schema.ts';
import { agentView, readAgent } from './agent.view.ts';
import { outstandingOf } from './outstanding.ts';
import { agentActions } from './agent.rules.ts';

const ADDITION = 'The specification only reads commissions: without this, no agents and commissions would exist.';

const { query, command } = salesAgent;

export const list = query('GET /api/agents', {
  summary: 'List commission agents',
  description:
    'Returns commission agents with their plan. Inactive agents are included: filter by `active` to exclude them.',
  addition: ADDITION,
  access: can('commission.view'),
  query: AgentFilter,
  reply: page(Agent),
  handle: ({ db, query }) => paginate(db, query, agentView(db)),
});

export const show = query('GET /api/agent/show/{id}', {
  summary: 'Get a commission agent',
  description: 'Returns a commission agent with their plan. Get the outstanding commissions for the amounts.',
  addition: ADDITION,
  access: can('commission.view'),
  params: { id: idOf('agents') },
  reply: ok(Agent),
  handle: ({ db, params }) => readAgent(db, params.id),
});

export const create = command('POST /api/agent/create', {
  summary: 'Create a commission agent',
  description:
    'Creates a commission agent with a unique code. The plan applies to invoices that name the agent. A linked user sees their own commissions.',
  addition: ADDITION,
  access: can('commission.update'),
  body: AgentInput,
  reply: created(Agent),
  prepare: ({ rpc, caller, body }) => fetchSeller(rpc, caller, body),
  handle: async ({ db, body }) => await readAgent(db, await createAgent(db, body)),
});

export const update = command('POST /api/agent/update/{id}', {
  summary: 'Update a commission agent',
  description:
    'Updates an agent. A new plan applies to future sales. `active: false` excludes the agent from new invoices.',
  addition: ADDITION,
  access: agentActions.can('update'),
  params: { id: idOf('agents') },
  body: AgentChanges,
  reply: ok(Agent),
  prepare: ({ rpc, caller, body }) => fetchSeller(rpc, caller, body),
  handle: async ({ db, params, body, expect }) => {
    await changeAgent(db, params.id, body, expect);
    return await readAgent(db, params.id);
  },
});

export const remove = command('DELETE /api/agent/delete/{id}', {
  summary: 'Delete a commission agent',
  description:
    'Deletes an agent. Returns 409 `in_use` if an invoice or commission refers to them. Deactivate the agent instead.',
  addition: ADDITION,
  access: agentActions.can('delete'),
  params: { id: idOf('agents') },
  reply: removed,
  handle: async ({ db, params }) => {
    await readAgent(db, params.id);
    return await removeAgent(db, params.id);
  },
});

export const outstanding = query('GET /api/agents/{agent}/outstanding-commissions', {
  summary: 'Get outstanding commissions of an agent',
  description:
    'Returns commissions earned, clawed back and paid until `as_of`, and each unpaid commission. `as_of` defaults to today.',
  access: can('commission.view'),
  params: { agent: idOf('agents') },
  query: AsOf,
  reply: ok(OutstandingCommissions),
  handle: async ({ params, query, ...context }) => {
    const { id, code, name } = await readAgent(context.db, params.agent);
    return await outstandingOf(context, { id, code, name }, query.as_of ?? today(context.caller.timezone));
  },
});
