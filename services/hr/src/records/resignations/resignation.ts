/** Resignations: recorded, decided, and effective once the employee has left. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import {
  type EmployeeRecord,
  lockPending,
  lockRecordEmployee,
  type RecordKind,
  removePending,
} from '../../employees/employee-records/employee-record.ts';
import type { Decision } from '../../employees/employee-records/employee-record.schema.ts';
import { listOwn, type RecordReader, recordView } from '../../employees/employee-records/employee-record.view.ts';
import { date, dates } from '../../employees/employees/employee-columns.ts';
import { type LockedEmployee, lockEmployee } from '../../employment/employment/employment.ts';
import { assertLongEnough, assertMayLeave, decideNotice } from '../exit-notices/exit-notice.ts';
import { withWarnings } from '../exit-notices/exit-warnings.ts';
import { AlreadyDecided, resignationStates } from '../exit-notices/exit-notice.rules.ts';
import type { CommandContext } from '../../operations.ts';
import { lockCurrentEmployee } from '../../employment/employee-users/current-employee.ts';
import {
  ResignationColumns,
  Resignation,
  type ResignationChanges,
  type ResignationInput,
} from './resignation.schema.ts';

const KIND: RecordKind = { table: 'resignations', rows: (db) => db.resignation, states: resignationStates };

interface Row extends EmployeeRecord {
  notice_date: string;
  last_day: string;
  waive_notice: boolean;
}

const viewOf = (context: RecordReader) => recordView(context, KIND.table, resignationStates);

/** Returns a page of the resignations that the caller can see. */
export const listResignations = (context: RecordReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnResignations = (context: RecordReader, request: ListRequest) =>
  listOwn(context, request, viewOf(context));

/** Returns a resignation. @throws NotFound */
export const readResignation = (context: RecordReader, id: string) =>
  readOne(context.db, Resignation, id, viewOf(context));

function readPlain(context: RecordReader, id: string) {
  const { expand: _, ...view } = viewOf(context);
  return readOne(context.db, ResignationColumns, id, view);
}

async function storeResignation(
  context: CommandContext,
  employee: LockedEmployee,
  body: Omit<ResignationInput, 'employee_id'>,
) {
  await assertMayLeave(context, employee, body, 'last_day');
  const { notice_date, last_day, reason, waive_notice } = body;
  const id = randomUUIDv7();
  const days = { notice_date: date(notice_date), last_day: date(last_day) };
  await context.db.resignation.create({ data: { id, employee_id: employee.id, ...days, reason, waive_notice } });
  return await readPlain(context, id);
}

/**
 * Records the resignation of an employee. @throws OwnRecord, EmploymentEnded, AlreadyLeaving, NoticeTooShort,
 * ExitBeforeJoining, a 422
 */
export async function createResignation(context: CommandContext, { employee_id, ...body }: ResignationInput) {
  const employee = await lockRecordEmployee(context, 'resignation', employee_id);
  return await withWarnings(context, await storeResignation(context, employee, body));
}

/** Submits the caller's own resignation. @throws NotAnEmployee, and the faults of `createResignation` */
export async function resign(context: CommandContext, body: Pick<ResignationInput, 'last_day' | 'reason'>) {
  const { db, caller } = context;
  const { id } = await lockCurrentEmployee(db, caller);
  const notice_date = today(caller.timezone);
  return await storeResignation(context, await lockEmployee(db, id), { ...body, notice_date, waive_notice: false });
}

/** Withdraws the caller's pending resignation. @throws NotAnEmployee, NotFound, AlreadyDecided */
export async function retractResignation(context: CommandContext, id: string) {
  const { db, caller } = context;
  const self = await lockCurrentEmployee(db, caller);
  const [own] = await db.rows<{ status: string }>(sql`
    SELECT status FROM resignations WHERE id = ${id}::uuid AND employee_id = ${self.id}::uuid`);
  if (!own) throw NotFound();
  if (own.status !== 'pending' && own.status !== 'withdrawn') throw AlreadyDecided();
  await resignationStates.move(db.resignation, id, 'retract');
  return await readPlain(context, id);
}

/** Updates a pending resignation. @throws the faults of `createResignation`, Stale, InvalidTransition */
export async function changeResignation(
  context: CommandContext,
  id: string,
  { version: _, notice_date, last_day, ...rest }: ResignationChanges,
  expect: number | undefined,
) {
  const { db } = context;
  const { record, employee } = await lockPending<Row>(context, KIND, id, expect);
  const will = {
    notice_date: notice_date ?? record.notice_date,
    last_day: last_day ?? record.last_day,
    waive_notice: rest.waive_notice ?? record.waive_notice,
  };
  await assertLongEnough(db, employee, will, 'last_day');
  await db.resignation.updateMany({ where: { id }, data: { ...rest, ...dates({ notice_date, last_day }) } });
  return await withWarnings(context, await readPlain(context, id));
}

/** Deletes a pending resignation. @throws OwnRecord, InvalidTransition */
export const removeResignation = (context: CommandContext, id: string) => removePending(context, KIND, id);

/** Decides on a resignation. @throws the faults of `decideNotice` */
export async function decideResignation(
  context: CommandContext,
  id: string,
  decision: Decision,
  expect: number | undefined,
) {
  await decideNotice<Row>(context, KIND, { ...decision, id, expect }, ({ last_day }) => ({
    exit_date: last_day,
    cause: 'resigned',
  }));
  return await withWarnings(context, await readPlain(context, id));
}
