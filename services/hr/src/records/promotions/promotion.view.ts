/** Views of promotions in lists and responses. */
import { raw, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { visibleToEmployee } from '../../employees/employee-records/employee-record.rules.ts';
import { listOwn, type RecordReader, recordView } from '../../employees/employee-records/employee-record.view.ts';
import type { Db } from '../../operations.ts';
import { setupLabels } from '../../organisation/setup/setup-label.ts';
import { salariesOfPage } from './promotion-salary.ts';
import { promotionStates } from './promotion.rules.ts';
import { PlainPromotion, Promotion } from './promotion.schema.ts';

interface PromotionReader {
  db: Db;
  caller: Caller;
  keys: Keys;
}

/** Approving a salary requires the permission to see it. The allowed actions omit `approve` without the permission. */
function plainView(context: RecordReader) {
  const view = recordView(context, 'promotions', promotionStates);
  if (context.caller.permissions.includes('employee.salary')) return view;
  const actions = sql`CASE WHEN promotions.salary_sealed IS NULL THEN (${view.compute['allowed_actions']})
    ELSE array_remove((${view.compute['allowed_actions']}), 'approve') END`;
  return { ...view, compute: { ...view.compute, allowed_actions: actions } };
}

function viewOf(context: PromotionReader) {
  const { expand, ...view } = plainView(context);
  const designations = setupLabels(context.db, 'designations');
  return {
    ...view,
    expand: {
      ...expand,
      from_designation: one('from_designation_id', designations),
      to_designation: one('to_designation_id', designations),
      salary: salariesOfPage(context),
    },
  };
}

/** Returns a page of the promotions that the caller can see. */
export const listPromotions = (context: PromotionReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnPromotions = (context: PromotionReader, request: ListRequest) =>
  listOwn(context, request, viewOf(context), { condition: raw(visibleToEmployee('promotions')) });

/** Returns a promotion. @throws NotFound */
export const readPromotion = (context: PromotionReader, id: string) =>
  readOne(context.db, Promotion, id, viewOf(context));

/** Returns a promotion as commands return it. */
export function readPlainPromotion(context: RecordReader, id: string) {
  const { expand: _, ...view } = plainView(context);
  return readOne(context.db, PlainPromotion, id, view);
}
