/** Commands for employee records: create, update, decide and delete. Employees cannot use them on their own records. */
import { assertVersion, raw, remove, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import {
  assertNotLeft,
  assertOther,
  type LockedEmployee,
  lockEmployee,
} from '../../employment/employment/employment.ts';
import { assertInReach } from '../../employment/employment/record-scope.ts';
import type { Db } from '../../operations.ts';
import type { Decision } from './employee-record.schema.ts';

interface ApprovalContext {
  db: Db;
  caller: Caller;
}

/** Row of one record kind. */
export interface EmployeeRecord {
  id: string;
  employee_id: string;
  status: string;
  version: number;
}

/** Record kind that can be updated and deleted while pending. */
export interface ChangeableKind {
  table: string;
  rows(db: Db): object;
  states: { assertFits(action: 'update' | 'delete', row: object, caller: Caller | null): void };
}

/** Kind of record that requires a decision. */
export interface RecordKind extends ChangeableKind {
  states: ChangeableKind['states'] & {
    move(rows: object, id: string, verb: Decision['action'], patch?: object, caller?: Caller | null): Promise<boolean>;
  };
}

/**
 * Locks the employee that a new record is about.
 * @throws OwnRecord, EmploymentEnded, a 422 for an employee outside the caller's record scope
 */
export async function lockRecordEmployee(
  context: ApprovalContext,
  noun: string,
  employee_id: string,
): Promise<LockedEmployee> {
  await assertInReach(context, noun, employee_id);
  const employee = await lockEmployee(context.db, employee_id);
  assertOther(employee, context.caller);
  assertNotLeft(employee);
  return employee;
}

/** Locks a record and its employee. All commands lock the employee first. @throws NotFound, Stale, OwnRecord */
export async function lockRecord<R extends { employee_id: string; version: number }>(
  { db, caller }: ApprovalContext,
  table: string,
  id: string,
  expect: number | undefined,
): Promise<{ record: R; employee: LockedEmployee }> {
  const employee = await lockPersonOf(db, table, id);
  assertOther(employee, caller);
  const [record] = await db.rows<R>(sql`SELECT * FROM ${raw(table)} WHERE id = ${id}::uuid`);
  if (!record) throw NotFound();
  assertVersion(record, expect);
  return { record, employee };
}

/** Locks the employee of a record. @throws NotFound */
async function lockPersonOf(db: Db, table: string, id: string): Promise<LockedEmployee> {
  const [row] = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM ${raw(table)} WHERE id = ${id}::uuid`);
  if (!row) throw NotFound();
  return await lockEmployee(db, row.employee_id);
}

/** Locks an approved record and its employee. Returns undefined if the record is already effective or withdrawn. */
export async function lockApproved<R extends EmployeeRecord>(
  db: Db,
  table: string,
  id: string,
): Promise<{ record: R; employee: LockedEmployee } | undefined> {
  const employee = await lockPersonOf(db, table, id);
  const [record] = await db.rows<R>(sql`
    SELECT * FROM ${raw(table)} WHERE id = ${id}::uuid AND status = 'approved'`);
  return record && { record, employee };
}

/** Locks a pending record for an update. @throws NotFound, Stale, OwnRecord, InvalidTransition once it is decided */
export async function lockPending<R extends EmployeeRecord>(
  context: ApprovalContext,
  { table, states }: ChangeableKind,
  id: string,
  expect: number | undefined,
): Promise<{ record: R; employee: LockedEmployee }> {
  const opened = await lockRecord<R>(context, table, id, expect);
  states.assertFits('update', opened.record, context.caller);
  return opened;
}

/** Deletes a pending record. @throws NotFound, OwnRecord, InvalidTransition */
export async function removePending(context: ApprovalContext, { table, rows, states }: ChangeableKind, id: string) {
  const { record } = await lockRecord<EmployeeRecord>(context, table, id, undefined);
  states.assertFits('delete', record, context.caller);
  return await remove(rows(context.db), id);
}

type RecordEffect<R> = (record: R, employee: LockedEmployee) => Promise<unknown>;

/**
 * Decides on a record once. The second of two concurrent decisions sees the result of the first.
 * @param effects further effects of a decision; `record` is the record before the decision
 * @throws NotFound, Stale, OwnRecord, InvalidTransition
 */
export async function decideRecord<R extends EmployeeRecord>(
  context: ApprovalContext,
  { table, rows, states }: RecordKind,
  { id, action, remark, expect }: Omit<Decision, 'version'> & { id: string; expect: number | undefined },
  effects: Partial<Record<Decision['action'], RecordEffect<R>>>,
): Promise<void> {
  const { db, caller } = context;
  const { record, employee } = await lockRecord<R>(context, table, id, expect);
  // A change dated in the past took effect with its approval.
  if (action === 'approve' && record.status === 'effective') return;
  const decision = { decided_by: caller.user_id, decided_at: clock.now(), remark: remark ?? null };
  if (await states.move(rows(db), id, action, decision, caller)) await effects[action]?.(record, employee);
}
