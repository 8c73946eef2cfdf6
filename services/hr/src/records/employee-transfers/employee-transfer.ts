/** Transfers: requested, decided, and in effect from their day. */
import { randomUUIDv7 } from 'node:crypto';
import { invalid } from '@suite/chassis/faults';
import { today } from '@suite/chassis/runtime';
import {
  decideRecord,
  type EmployeeRecord,
  lockApproved,
  lockPending,
  lockRecordEmployee,
  type RecordKind,
  removePending,
} from '../../employees/employee-records/employee-record.ts';
import type { Decision } from '../../employees/employee-records/employee-record.schema.ts';
import { date, dates } from '../../employees/employees/employee-columns.ts';
import type { LockedEmployee } from '../../employment/employment/employment.ts';
import { assertReportingLine } from '../../employment/employment/reporting-line.ts';
import type { EmploymentTerms } from '../../employment/employment/employment-terms.ts';
import { assertTakesPeople } from '../../employment/employment/workplace.ts';
import type { CommandContext } from '../../operations.ts';
import {
  assertChanges,
  type ScheduledEffect,
  type EffectContext,
  applyTermChange,
  type PreviousTerms,
  termsBefore,
} from '../term-changes/term-change.ts';
import { transferStates } from './employee-transfer.rules.ts';
import type { TransferChanges, TransferInput } from './employee-transfer.schema.ts';
import { readPlainTransfer } from './employee-transfer.view.ts';

const KIND: RecordKind = {
  table: 'employee_transfers',
  rows: (db) => db.employeeTransfer,
  states: transferStates,
};

interface TransferTarget {
  to_branch_id?: string | null | undefined;
  to_department_id?: string | null | undefined;
  to_manager_id?: string | null | undefined;
}
interface Row extends EmployeeRecord, TransferTarget {
  effective_date: string;
}

/** Returns the terms that a transfer changes. */
const termsOf = ({ to_branch_id, to_department_id, to_manager_id }: TransferTarget): Partial<EmploymentTerms> => ({
  ...(to_branch_id && { branch_id: to_branch_id }),
  ...(to_department_id && { department_id: to_department_id }),
  ...(to_manager_id && { manager_id: to_manager_id }),
});

/**
 * Checks that a transfer is possible. Chosen: a designation of the previous department remains until a promotion or a
 * change of terms. The two often have different days.
 * @returns the terms on its day without the transfer
 */
async function assertTransfer(
  { db, caller }: Pick<CommandContext, 'db' | 'caller'>,
  employee: LockedEmployee,
  { effective_date, ...places }: TransferTarget & { effective_date: string },
  day: string,
): Promise<PreviousTerms> {
  const terms = termsOf(places);
  if (Object.keys(terms).length === 0) throw invalid('to_branch_id', 'Enter a branch, a department or a manager.');
  const before = await termsBefore(db, employee, effective_date, day);
  await assertTakesPeople(db, terms, 'to_');
  await assertReportingLine({ db, caller }, employee.id, terms.manager_id, effective_date, 'to_manager_id');
  assertChanges(terms, before, 'The employee already works there. Choose another place.');
  return before;
}

const previousWorkplaceOf = ({ branch_id, department_id, manager_id }: PreviousTerms) => ({
  from_branch_id: branch_id!,
  from_department_id: department_id!,
  from_manager_id: manager_id ?? null,
});

/** Creates a pending transfer. @throws OwnRecord, EmploymentEnded, ManagerCircle, a 422 fault */
export async function createTransfer(context: CommandContext, body: TransferInput) {
  const { db, caller } = context;
  const employee = await lockRecordEmployee(context, 'employee_transfer', body.employee_id);
  const before = await assertTransfer(context, employee, body, today(caller.timezone));
  const id = randomUUIDv7();
  const { effective_date, reason = null, to_branch_id = null, to_department_id = null, to_manager_id = null } = body;
  const to = { to_branch_id, to_department_id, to_manager_id };
  await db.employeeTransfer.create({
    data: {
      id,
      employee_id: employee.id,
      ...to,
      ...previousWorkplaceOf(before),
      effective_date: date(effective_date),
      reason,
    },
  });
  return await readPlainTransfer(context, id);
}

/** Updates a pending transfer. @throws the faults of `createTransfer`, Stale, InvalidTransition */
export async function changeTransfer(
  context: CommandContext,
  id: string,
  { version: _, effective_date, ...rest }: TransferChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const { record, employee } = await lockPending<Row>(context, KIND, id, expect);
  const will = { ...record, ...rest, effective_date: effective_date ?? record.effective_date };
  const before = await assertTransfer(context, employee, will, today(caller.timezone));
  const data = { ...rest, ...dates({ effective_date }), ...previousWorkplaceOf(before) };
  await db.employeeTransfer.updateMany({ where: { id }, data });
  return await readPlainTransfer(context, id);
}

/** Deletes a pending transfer. @throws OwnRecord, InvalidTransition */
export const removeTransfer = (context: CommandContext, id: string) => removePending(context, KIND, id);

/** Puts an approved transfer into effect. @param employee locked @throws EmploymentEnded, ManagerCircle, a 422 fault */
async function transfer(context: EffectContext, record: Row, employee: LockedEmployee, day: string) {
  const { db } = context;
  const { id, effective_date } = record;
  const terms = termsOf(record);
  const before = await termsBefore(db, employee, effective_date, day);
  await assertTakesPeople(db, terms, 'to_');
  await assertReportingLine({ db, caller: null }, employee.id, terms.manager_id, effective_date, 'to_manager_id');
  await applyTermChange(context, employee, { id, cause: 'transfer', effective_date, day }, { terms });
  await transferStates.move(db.employeeTransfer, id, 'take_effect', previousWorkplaceOf(before));
}

/**
 * Decides on a transfer. A transfer of a past day takes effect immediately. @throws OwnRecord, InvalidTransition,
 * Stale, and as `createTransfer`
 */
export async function decideTransfer(
  context: CommandContext,
  id: string,
  decision: Decision,
  expect: number | undefined,
) {
  const day = today(context.caller.timezone);
  await decideRecord<Row>(
    context,
    KIND,
    { ...decision, id, expect },
    {
      async approve(record, employee) {
        await assertTransfer(context, employee, record, day);
        if (record.effective_date <= day) await transfer(context, record, employee, day);
      },
    },
  );
  return await readPlainTransfer(context, id);
}

/** Puts transfers into effect on their day, or lets them lapse. */
export const transferEffects: ScheduledEffect = {
  table: KIND.table,
  async takeEffect(context, id, day) {
    const opened = await lockApproved<Row>(context.db, KIND.table, id);
    if (opened) await transfer(context, opened.record, opened.employee, day);
  },
  lapse: (db, id, remark) => transferStates.move(db.employeeTransfer, id, 'lapse', { remark }),
};
