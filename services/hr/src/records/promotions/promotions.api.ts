/** Promotions to another designation or salary, effective on a day after approval. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { Decision, DecisionDryRun } from '../../employees/employee-records/employee-record.schema.ts';
import { EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { WrongDesignation } from '../../employment/employment/workplace.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { auditPromotions, withSalary } from './promotion-salary.ts';
import { promotionStates } from './promotion.rules.ts';
import {
  OwnPromotionFilter,
  PlainPromotion,
  Promotion,
  PromotionChanges,
  PromotionFilter,
  PromotionInput,
  WrittenPromotion,
} from './promotion.schema.ts';
import { changePromotion, createPromotion, decidePromotion, removePromotion } from './promotion.ts';
import { listOwnPromotions, listPromotions, readPromotion } from './promotion.view.ts';

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('promotions') };
const FAULTS = [OwnRecord, EmploymentEnded, WrongDesignation];

export const list = query('GET /api/promotions', {
  summary: 'List promotions',
  description: 'Returns the promotions that you may see. Expand `salary` if your permissions allow it.',
  access: can('promotion.view'),
  query: PromotionFilter,
  reply: page(Promotion),
  handle: ({ query, ...context }) => listPromotions(context, query),
  auditAccess: auditPromotions,
});

export const own = query('GET /api/hrm/promotions', {
  summary: 'List your promotions',
  description: 'Returns your approved promotions. Pending and rejected proposals are not included.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnPromotionFilter,
  reply: page(Promotion),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnPromotions(context, query),
});

export const show = query('GET /api/promotion/show/{id}', {
  summary: 'Get a promotion',
  description: 'Returns a promotion. Requires `promotion.view`, except for your own once approved.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: anyUser,
  params,
  reply: ok(Promotion),
  handle: ({ params: { id }, ...context }) => readPromotion(context, id),
  auditAccess: auditPromotions,
});

export const create = command('POST /api/promotion/create', {
  summary: 'Propose a promotion',
  description:
    'Creates a pending promotion to a designation of the department, a new salary, or both. Nothing changes until approval. A salary requires `employee.salary`. Dry runs and replays do not return it. Returns `designation_of_other_department` for other departments.',
  addition: ADDITION,
  access: can('promotion.create'),
  query: DecisionDryRun,
  body: PromotionInput,
  reply: created(WrittenPromotion),
  faults: FAULTS,
  handle: async ({ body, ...context }) => withSalary(context, await createPromotion(context, body)),
});

export const update = command('POST /api/promotion/update/{id}', {
  summary: 'Update a pending promotion',
  description:
    'Updates a pending promotion and checks it like a new one. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: promotionStates.can('update'),
  params,
  body: PromotionChanges,
  reply: ok(WrittenPromotion),
  faults: FAULTS,
  handle: async ({ params: { id }, body, expect, ...context }) =>
    withSalary(context, await changePromotion(context, id, body, expect)),
});

export const decide = command('POST /api/promotion/update-status/{id}', {
  summary: 'Approve or reject a promotion',
  description:
    'Decides on a promotion. An approved promotion takes effect at 00:00 of its day in the workspace time zone. Past days take effect immediately. The promotion is withdrawn automatically if the employee has left or changed department before that day. `remark` states the reason. A promotion with a salary requires `employee.salary`.',
  addition: ADDITION,
  access: promotionStates.can('approve', 'reject', 'withdraw'),
  params,
  query: DecisionDryRun,
  body: Decision,
  reply: ok(PlainPromotion),
  faults: FAULTS,
  handle: ({ params: { id }, body, expect, ...context }) => decidePromotion(context, id, body, expect),
});

export const remove = command('DELETE /api/promotion/delete/{id}', {
  summary: 'Delete a pending promotion',
  description: 'Deletes a pending promotion. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: promotionStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removePromotion(context, id),
});
