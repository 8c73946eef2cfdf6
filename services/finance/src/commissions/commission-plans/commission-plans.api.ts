/** Commission plans define how much agents earn, and whether on posting or on payment. */
import { idOf } from '@suite/chassis/fields';
import { paginate, readOne } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { salesAgent } from '../../operations.ts';
import { changePlan, createPlan, planView, removePlan } from './plan.ts';
import { CommissionPlan, CommissionPlanChanges, CommissionPlanFilter, CommissionPlanInput } from './plan.schema.ts';
import { planActions } from './plan.rules.ts';

const ADDITION = 'The specification only reads commissions: without this, no agents and commissions would exist.';

const { query, command } = salesAgent;

export const list = query('GET /api/commission-plans', {
  summary: 'List commission plans',
  description: 'Returns commission plans with their rates and validity, active and inactive.',
  addition: ADDITION,
  access: can('commission.view'),
  query: CommissionPlanFilter,
  reply: page(CommissionPlan),
  handle: ({ db, query }) => paginate(db, query, planView),
});

export const show = query('GET /api/commission-plan/show/{id}', {
  summary: 'Get a commission plan',
  description: 'Returns a commission plan with its rates, tiers and limits.',
  addition: ADDITION,
  access: can('commission.view'),
  params: { id: idOf('commission_plans') },
  reply: ok(CommissionPlan),
  handle: ({ db, params }) => readOne(db, CommissionPlan, params.id, planView),
});

export const create = command('POST /api/commission-plan/create', {
  summary: 'Create a commission plan',
  description: 'Creates a plan: a percentage, tiers, a fixed amount, or a fixed amount with one of the others.',
  addition: ADDITION,
  access: can('commission.update'),
  body: CommissionPlanInput,
  reply: created(CommissionPlan),
  handle: async ({ db, caller, body }) => {
    const id = await createPlan(db, body, caller);
    return await readOne(db, CommissionPlan, id, planView);
  },
});

export const update = command('POST /api/commission-plan/update/{id}', {
  summary: 'Update a commission plan',
  description: 'Updates a plan for future sales. Posted sales keep the previous terms.',
  addition: ADDITION,
  access: planActions.can('update'),
  params: { id: idOf('commission_plans') },
  body: CommissionPlanChanges,
  reply: ok(CommissionPlan),
  handle: async ({ db, caller, params, body, expect }) => {
    await changePlan(db, params.id, body, caller, expect);
    return await readOne(db, CommissionPlan, params.id, planView);
  },
});

export const remove = command('DELETE /api/commission-plan/delete/{id}', {
  summary: 'Delete a commission plan',
  description: 'Deletes a plan. Returns 409 `in_use` if an agent or a sale uses it. Deactivate the plan instead.',
  addition: ADDITION,
  access: planActions.can('delete'),
  params: { id: idOf('commission_plans') },
  reply: removed,
  handle: async ({ db, params }) => {
    await readOne(db, CommissionPlan, params.id, planView);
    return await removePlan(db, params.id);
  },
});
