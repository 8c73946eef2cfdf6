/** Records about a person, as commands enter, change, decide on and delete them: never the person himself. */
import { assertSeen, type Caller, clock, NotFound, raw, remove, sql } from '@suite/chassis';
import { assertNotLeft, assertOther, type LockedEmployee, lockEmployee } from '../employment/employment.ts';
import { assertInReach } from '../employment/reach.ts';
import type { Db } from '../operations.ts';
import type { Decision } from './employee-record.schema.ts';

interface Work {
  db: Db;
  caller: Caller;
}

/** A row of a kind of record. */
export interface EmployeeRecord {
  id: string;
  employee_id: string;
  status: string;
  version: number;
}

/** A kind of record that is changed and deleted in its first state. */
export interface ChangeableKind {
  table: string;
  rows(db: Db): object;
  states: { assertFits(action: 'update' | 'delete', row: object, caller: Caller | null): void };
}

/** A kind of record on which somebody decides. */
export interface RecordKind extends ChangeableKind {
  states: ChangeableKind['states'] & {
    move(rows: object, id: string, verb: Decision['action'], patch?: object, caller?: Caller | null): Promise<boolean>;
  };
}

/**
 * Locks the person whom a new record is about.
 * @throws OwnRecord, EmploymentEnded, a 422 for somebody whom the caller does not work with
 */
export async function openPerson(work: Work, noun: string, employee_id: string): Promise<LockedEmployee> {
  await assertInReach(work, noun, employee_id);
  const employee = await lockEmployee(work.db, employee_id);
  assertOther(employee, work.caller);
  assertNotLeft(employee);
  return employee;
}

/** Locks a record with the person whom it is about: the person first, as everybody does. @throws NotFound, Stale, OwnRecord */
export async function openRecord<R extends { employee_id: string; version: number }>(
  { db, caller }: Work,
  table: string,
  id: string,
  expect: number | undefined,
): Promise<{ record: R; employee: LockedEmployee }> {
  const employee = await lockPersonOf(db, table, id);
  assertOther(employee, caller);
  const [record] = await db.rows<R>(sql`SELECT * FROM ${raw(table)} WHERE id = ${id}::uuid`);
  if (!record) throw NotFound();
  assertSeen(record, expect);
  return { record, employee };
}

/** Locks the person whom a record is about. @throws NotFound */
async function lockPersonOf(db: Db, table: string, id: string): Promise<LockedEmployee> {
  const [row] = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM ${raw(table)} WHERE id = ${id}::uuid`);
  if (!row) throw NotFound();
  return await lockEmployee(db, row.employee_id);
}

/** Locks an approved record, with the person; nothing where it is in effect, or was taken back, by now. */
export async function openApproved<R extends EmployeeRecord>(
  db: Db,
  table: string,
  id: string,
): Promise<{ record: R; employee: LockedEmployee } | undefined> {
  const employee = await lockPersonOf(db, table, id);
  const [record] = await db.rows<R>(sql`
    SELECT * FROM ${raw(table)} WHERE id = ${id}::uuid AND status = 'approved'`);
  return record && { record, employee };
}

/** Opens a record that is to be changed. @throws NotFound, Stale, OwnRecord, InvalidTransition once it is decided */
export async function openPending<R extends EmployeeRecord>(
  work: Work,
  { table, states }: ChangeableKind,
  id: string,
  expect: number | undefined,
): Promise<{ record: R; employee: LockedEmployee }> {
  const opened = await openRecord<R>(work, table, id, expect);
  states.assertFits('update', opened.record, work.caller);
  return opened;
}

/** Deletes a record that is not decided. @throws NotFound, OwnRecord, InvalidTransition */
export async function removePending(work: Work, { table, rows, states }: ChangeableKind, id: string) {
  const { record } = await openRecord<EmployeeRecord>(work, table, id, undefined);
  states.assertFits('delete', record, work.caller);
  return await remove(rows(work.db), id);
}

type Effect<R> = (record: R, employee: LockedEmployee) => Promise<unknown>;

/**
 * Decides on a record, once: of two who decide at the same time the second one finds what the first has done.
 * @param effects what a decision does beside; `record` is as it was before
 * @throws NotFound, Stale, OwnRecord, InvalidTransition
 */
export async function decide<R extends EmployeeRecord>(
  work: Work,
  { table, rows, states }: RecordKind,
  { id, action, remark, expect }: Omit<Decision, 'version'> & { id: string; expect: number | undefined },
  effects: Partial<Record<Decision['action'], Effect<R>>>,
): Promise<void> {
  const { db, caller } = work;
  const { record, employee } = await openRecord<R>(work, table, id, expect);
  // A change of a past day has taken effect with its approval.
  if (action === 'approve' && record.status === 'effective') return;
  const decision = { decided_by: caller.user_id, decided_at: clock.now(), remark: remark ?? null };
  if (await states.move(rows(db), id, action, decision, caller)) await effects[action]?.(record, employee);
}
