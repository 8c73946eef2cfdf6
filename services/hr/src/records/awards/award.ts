/** Creates, updates and deletes awards. */
import { randomUUIDv7 } from 'node:crypto';
import { remove, sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import { lockRecordEmployee, lockRecord } from '../../employees/employee-records/employee-record.ts';
import { type RecordReader, recordView } from '../../employees/employee-records/employee-record.view.ts';
import { date, dates } from '../../employees/employees/employee-columns.ts';
import type { CommandContext } from '../../operations.ts';
import { inReach, isInReach } from '../../employment/employment/record-scope.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import { awardActions } from './award.rules.ts';
import { Award, type AwardChanges, type AwardInput, PlainAward } from './award.schema.ts';

/** Allowed actions on awards. Callers change only awards of the employees in their record scope. */
const actions = {
  shownTo: (caller: Caller) => sql`
    CASE WHEN ${inReach(caller, 'award', sql`awards.employee_id`)}
      THEN ${awardActions.allowedTo(caller, {})}::text[] ELSE '{}'::text[] END`,
};

const viewOf = (context: RecordReader) => recordView(context, 'awards', actions);

/** Returns a page of the awards that the caller can see. */
export const listAwards = (context: RecordReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Lists the caller's own awards and public awards, one page. @throws NotAnEmployee */
export async function listOwnAwards(context: RecordReader, request: ListRequest) {
  const { id } = await currentEmployee(context.db, context.caller);
  // The query has two parts. Each uses its own index in list order.
  const from = sql`(
    SELECT * FROM awards WHERE employee_id = ${id}::uuid
    UNION ALL SELECT * FROM awards WHERE public AND employee_id <> ${id}::uuid)`;
  return await paginate(context.db, request, { ...viewOf(context), from });
}

/** Returns an award. @throws NotFound */
export const readAward = (context: RecordReader, id: string) => readOne(context.db, Award, id, viewOf(context));

function readPlain(context: RecordReader, id: string) {
  const { expand: _, ...view } = viewOf(context);
  return readOne(context.db, PlainAward, id, view);
}

/** Creates an award. @throws OwnRecord, EmploymentEnded, a 422 fault */
export async function createAward(context: CommandContext, { employee_id, ...body }: AwardInput) {
  await lockRecordEmployee(context, 'award', employee_id);
  const id = randomUUIDv7();
  await context.db.award.create({ data: { ...body, gift: body.gift ?? null, id, employee_id, date: date(body.date) } });
  return await readPlain(context, id);
}

/**
 * Locks an award for an update. Outside the record scope, public awards of others are read-only.
 * @throws OwnRecord, Stale, Forbidden
 */
async function openAward(context: CommandContext, id: string, expect: number | undefined): Promise<void> {
  const { employee } = await lockRecord(context, 'awards', id, expect);
  const { db, caller } = context;
  if (!(await isInReach(db, caller, 'award', employee.id))) throw Forbidden({ noun: 'award', record_scope: 'all' });
}

/** Updates an award. @throws OwnRecord, Stale */
export async function changeAward(
  context: CommandContext,
  id: string,
  { version: _, date: day, ...rest }: AwardChanges,
  expect: number | undefined,
) {
  await openAward(context, id, expect);
  await context.db.award.updateMany({ where: { id }, data: { ...rest, ...dates({ date: day }) } });
  return await readPlain(context, id);
}

/** Deletes an award. @throws OwnRecord */
export async function removeAward(context: CommandContext, id: string) {
  await openAward(context, id, undefined);
  return await remove(context.db.award, id);
}
