/** Warnings: issued, acknowledged by the employee, closed, or expired on their day. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import { clock, today } from '@suite/chassis/runtime';
import {
  type ChangeableKind,
  type EmployeeRecord,
  lockPending,
  lockRecordEmployee,
  lockRecord,
  removePending,
} from '../../employees/employee-records/employee-record.ts';
import { listOwn, type RecordReader, recordView } from '../../employees/employee-records/employee-record.view.ts';
import { date, dates } from '../../employees/employees/employee-columns.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { lockCurrentEmployee } from '../../employment/employee-users/current-employee.ts';
import { assertDays, WarningOver, warningStates } from './warning.rules.ts';
import {
  PlainWarning,
  Warning,
  type WarningChanges,
  type WarningDecision,
  type WarningInput,
} from './warning.schema.ts';

const KIND: ChangeableKind = { table: 'warnings', rows: (db) => db.warning, states: warningStates };

interface Row extends EmployeeRecord {
  date: string;
  expires_on: string | null;
}

function viewOf(context: RecordReader) {
  const { compute, ...view } = recordView(context, KIND.table, warningStates);
  return { ...view, compute: { ...compute, by: sql`warnings.created_by` } };
}

/** Returns a page of the warnings that the caller can see. */
export const listWarnings = (context: RecordReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnWarnings = (context: RecordReader, request: ListRequest) =>
  listOwn(context, request, viewOf(context));

/** Returns a warning. @throws NotFound */
export const readWarning = (context: RecordReader, id: string) => readOne(context.db, Warning, id, viewOf(context));

function readPlain(context: RecordReader, id: string) {
  const { expand: _, ...view } = viewOf(context);
  return readOne(context.db, PlainWarning, id, view);
}

/** Issues a warning. @throws OwnRecord, EmploymentEnded, a 422 fault */
export async function createWarning(context: CommandContext, { employee_id, expires_on, ...body }: WarningInput) {
  const { db, caller } = context;
  await lockRecordEmployee(context, 'warning', employee_id);
  assertDays({ ...body, expires_on }, today(caller.timezone));
  const id = randomUUIDv7();
  await db.warning.create({ data: { ...body, ...dates({ expires_on }), id, employee_id, date: date(body.date) } });
  return await readPlain(context, id);
}

/** Updates a warning before its acknowledgment. @throws OwnRecord, Stale, InvalidTransition, a 422 fault */
export async function changeWarning(
  context: CommandContext,
  id: string,
  { version: _, date: day, expires_on, ...rest }: WarningChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const { record } = await lockPending<Row>(context, KIND, id, expect);
  assertDays({ date: day ?? record.date, expires_on }, today(caller.timezone));
  await db.warning.updateMany({ where: { id }, data: { ...rest, ...dates({ date: day, expires_on }) } });
  return await readPlain(context, id);
}

/** Deletes a warning before its acknowledgment. @throws OwnRecord, InvalidTransition */
export const removeWarning = (context: CommandContext, id: string) => removePending(context, KIND, id);

/** Closes a warning. @throws OwnRecord, Stale, InvalidTransition */
export async function decideWarning(
  context: CommandContext,
  id: string,
  { action, remark }: WarningDecision,
  expect: number | undefined,
) {
  const { db, caller } = context;
  await lockRecord<Row>(context, KIND.table, id, expect);
  await warningStates.move(db.warning, id, action, { closed_at: clock.now(), remark: remark ?? null }, caller);
  return await readPlain(context, id);
}

/** Acknowledges a warning to the caller. @throws NotAnEmployee, NotFound for other employees' warnings, WarningOver */
export async function acknowledgeWarning(context: CommandContext, id: string) {
  const { db, caller } = context;
  const self = await lockCurrentEmployee(db, caller);
  const [own] = await db.rows<{ status: string }>(sql`
    SELECT status FROM warnings WHERE id = ${id}::uuid AND employee_id = ${self.id}::uuid`);
  if (!own) throw NotFound();
  if (own.status === 'closed' || own.status === 'expired') throw WarningOver();
  await warningStates.move(db.warning, id, 'acknowledge', { acknowledged_at: clock.now() });
  return await readPlain(context, id);
}

/** Expires a warning that has not been closed. */
export async function expireWarning(db: Db, id: string): Promise<void> {
  const { set, guard } = warningStates.moving('expire');
  await db.rows(sql`UPDATE warnings SET ${set} WHERE id = ${id}::uuid AND ${guard}`);
}
