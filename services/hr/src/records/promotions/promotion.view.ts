/** Views of promotions in lists and responses. */
import { raw, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { visibleToEmployee } from '../../employees/employee-records/employee-record.rules.ts';
import { listOwn, type RecordReader, viewAbout } from '../../employees/employee-records/employee-record.view.ts';
import type { Db } from '../../operations.ts';
import { setupLabels } from '../../organisation/setup/setup-label.ts';
import { salariesOfPage } from './promotion-salary.ts';
import { promotionStates } from './promotion.rules.ts';
import { PlainPromotion, Promotion } from './promotion.schema.ts';

interface Reader {
  db: Db;
  caller: Caller;
  keys: Keys;
}

/** Approving a salary requires the permission to see it. The allowed actions omit `approve` without the permission. */
function plainView(reader: RecordReader) {
  const view = viewAbout(reader, 'promotions', promotionStates);
  if (reader.caller.permissions.includes('employee.salary')) return view;
  const actions = sql`CASE WHEN promotions.salary_sealed IS NULL THEN (${view.compute['allowed_actions']})
    ELSE array_remove((${view.compute['allowed_actions']}), 'approve') END`;
  return { ...view, compute: { ...view.compute, allowed_actions: actions } };
}

function viewOf(reader: Reader) {
  const { expand, ...view } = plainView(reader);
  const designations = setupLabels(reader.db, 'designations');
  return {
    ...view,
    expand: {
      ...expand,
      from_designation: one('from_designation_id', designations),
      to_designation: one('to_designation_id', designations),
      salary: salariesOfPage(reader),
    },
  };
}

/** Returns a page of the promotions that the caller can see. */
export const listPromotions = (reader: Reader, request: ListRequest) => paginate(reader.db, request, viewOf(reader));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnPromotions = (reader: Reader, request: ListRequest) =>
  listOwn(reader, request, viewOf(reader), { told: raw(visibleToEmployee('promotions')) });

/** Returns a promotion. @throws NotFound */
export const readPromotion = (reader: Reader, id: string) => readOne(reader.db, Promotion, id, viewOf(reader));

/** Returns a promotion as commands return it. */
export function readPlainPromotion(reader: RecordReader, id: string) {
  const { expand: _, ...view } = plainView(reader);
  return readOne(reader.db, PlainPromotion, id, view);
}
