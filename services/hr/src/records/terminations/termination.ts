/** Terminations: requested, decided, and in effect after the last day. */
import { randomUUIDv7 } from 'node:crypto';
import { raw } from '@suite/chassis/database';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import {
  type EmployeeRecord,
  lockPending,
  lockRecordEmployee,
  type RecordKind,
  removePending,
} from '../../employees/employee-records/employee-record.ts';
import { visibleToEmployee } from '../../employees/employee-records/employee-record.rules.ts';
import type { Decision } from '../../employees/employee-records/employee-record.schema.ts';
import { listOwn, type RecordReader, recordView } from '../../employees/employee-records/employee-record.view.ts';
import { date, dates } from '../../employees/employees/employee-columns.ts';
import type { ExitCause } from '../../employment/employment/exit.ts';
import { assertLongEnough, assertMayLeave, decideNotice } from '../exit-notices/exit-notice.ts';
import { withWarnings } from '../exit-notices/exit-warnings.ts';
import { type ExitNotice, terminationStates } from '../exit-notices/exit-notice.rules.ts';
import type { CommandContext } from '../../operations.ts';
import {
  TerminationColumns,
  Termination,
  type TerminationChanges,
  type TerminationInput,
} from './termination.schema.ts';

const KIND: RecordKind = { table: 'terminations', rows: (db) => db.termination, states: terminationStates };

interface TerminationTerms {
  type: string;
  notice_date: string;
  date: string;
  waive_notice: boolean;
}
type Row = EmployeeRecord & TerminationTerms;

const viewOf = (context: RecordReader) => recordView(context, KIND.table, terminationStates);

/** Returns a page of the terminations that the caller can see. */
export const listTerminations = (context: RecordReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnTerminations = (context: RecordReader, request: ListRequest) =>
  listOwn(context, request, viewOf(context), { condition: raw(visibleToEmployee(KIND.table)) });

/** Returns a termination. @throws NotFound */
export const readTermination = (context: RecordReader, id: string) =>
  readOne(context.db, Termination, id, viewOf(context));

function readPlain(context: RecordReader, id: string) {
  const { expand: _, ...view } = viewOf(context);
  return readOne(context.db, TerminationColumns, id, view);
}

/** No notice period applies after the death of an employee. */
const noticeOf = ({ type, notice_date, date: last_day, waive_notice }: TerminationTerms): ExitNotice =>
  type === 'death' ? { notice_date: last_day, last_day, waive_notice: true } : { notice_date, last_day, waive_notice };

/**
 * Creates a pending termination. @throws OwnRecord, EmploymentEnded, AlreadyLeaving, NoticeTooShort, ExitBeforeJoining,
 * a 422 fault
 */
export async function createTermination(context: CommandContext, { employee_id, ...body }: TerminationInput) {
  const { db, caller } = context;
  const employee = await lockRecordEmployee(context, 'termination', employee_id);
  const notice_date = body.notice_date ?? today(caller.timezone);
  await assertMayLeave(context, employee, noticeOf({ ...body, notice_date }), 'date');
  const id = randomUUIDv7();
  const days = { notice_date: date(notice_date), date: date(body.date) };
  await db.termination.create({ data: { ...body, id, employee_id, ...days } });
  return await withWarnings(context, await readPlain(context, id));
}

/** Updates a pending termination. @throws the faults of `createTermination`, Stale, InvalidTransition */
export async function changeTermination(
  context: CommandContext,
  id: string,
  { version: _, notice_date, date: last_day, ...rest }: TerminationChanges,
  expect: number | undefined,
) {
  const { db } = context;
  const { record, employee } = await lockPending<Row>(context, KIND, id, expect);
  const will = {
    type: rest.type ?? record.type,
    notice_date: notice_date ?? record.notice_date,
    date: last_day ?? record.date,
    waive_notice: rest.waive_notice ?? record.waive_notice,
  };
  await assertLongEnough(db, employee, noticeOf(will), 'date');
  await db.termination.updateMany({ where: { id }, data: { ...rest, ...dates({ notice_date, date: last_day }) } });
  return await withWarnings(context, await readPlain(context, id));
}

/** Deletes a pending termination. @throws OwnRecord, InvalidTransition */
export const removeTermination = (context: CommandContext, id: string) => removePending(context, KIND, id);

const causeOf = (type: string): ExitCause => (type === 'retirement' ? 'retired' : 'terminated');

/** Decides on a termination. @throws the faults of `decideNotice` */
export async function decideTermination(
  context: CommandContext,
  id: string,
  decision: Decision,
  expect: number | undefined,
) {
  await decideNotice<Row>(context, KIND, { ...decision, id, expect }, ({ type, date: exit_date }) => ({
    exit_date,
    cause: causeOf(type),
  }));
  return await withWarnings(context, await readPlain(context, id));
}
