/** Changes of sensitive data, requested by an employee and confirmed by another user. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { Forbidden, NotFound } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { openEncryption } from '@suite/field-encryption';
import { encryptedColumns, convertUniqueViolation } from '../employees/employee-columns.ts';
import { READ_RIGHTS } from '../employees/employee-encrypted-fields.ts';
import { type BankAccount, bankWith, storedBank } from '../../employment/employee-users/bank-account.rules.ts';
import type { EmployeeChanges } from '../employees/employee-input.schema.ts';
import { assertNotLeft, assertOther, lockEmployee } from '../../employment/employment/employment.ts';
import type { CommandContext } from '../../operations.ts';
import { CONFIRMED_FIELDS, type ConfirmedField, type RequestDecision } from './request.schema.ts';
import { requestStates } from './request.rules.ts';
import { requestCipherLocation } from './request.view.ts';

/** Values that an employee requests. */
export type RequestedChanges = { [Field in ConfirmedField]?: NonNullable<EmployeeChanges[Field]> | undefined };

const textOf = (changes: RequestedChanges, field: ConfirmedField): string | undefined => {
  if (field !== 'bank') return changes[field];
  if (!changes.bank) return undefined;
  return JSON.stringify(storedBank(changes.bank));
};

const requestedBank = (text: string) => {
  const bank = JSON.parse(text) as BankAccount;
  return bankWith(bank, bank.account);
};

/**
 * Stores change requests. A new request for a field replaces the pending one.
 * @param employee_id locked
 * @throws IbanInvalid
 */
export async function storeChangeRequests(
  { db, keys }: Pick<CommandContext, 'db' | 'keys'>,
  employee_id: string,
  changes: RequestedChanges,
): Promise<void> {
  const values = CONFIRMED_FIELDS.flatMap((field) => {
    const text = textOf(changes, field);
    return text === undefined ? [] : [{ field, text }];
  });
  if (values.length === 0) return;
  const cipher = await openEncryption(db, keys.master);
  for (const { field, text } of values) {
    const id = randomUUIDv7();
    await db.changeRequest.deleteMany({ where: { employee_id, field, status: 'pending' } });
    await db.changeRequest.create({
      data: { id, employee_id, field, value_sealed: cipher.seal(requestCipherLocation(id), text) },
    });
  }
}

/**
 * Confirms or rejects a change request. @returns the employee's ID
 * @throws NotFound, Forbidden, OwnRecord, EmploymentEnded, IdentityTaken, InvalidTransition
 */
export async function decideRequest(
  { db, caller, emit, keys }: CommandContext,
  id: string,
  { action, reason }: RequestDecision,
): Promise<void> {
  const { employee_id } = (await db.changeRequest.findFirst({ where: { id } })) ?? {};
  if (!employee_id) throw NotFound();
  const employee = await lockEmployee(db, employee_id);
  const [request] = await db.rows<{ field: ConfirmedField; value_sealed: string | null }>(sql`
    SELECT field, value_sealed FROM change_requests WHERE id = ${id}::uuid FOR UPDATE`);
  if (!request) throw NotFound();
  const { field, value_sealed } = request;
  const permission = READ_RIGHTS[field];
  if (!caller.permissions.includes(permission)) throw Forbidden({ permission, field });
  assertOther(employee, caller);
  if (action === 'confirm') assertNotLeft(employee);
  const decided = { decided_by: caller.user_id, decided_at: clock.now(), reason: reason ?? null, value_sealed: null };
  if (!(await requestStates.move(db.changeRequest, id, action, decided, caller)) || action === 'reject') return;
  const cipher = await openEncryption(db, keys.master);
  const text = cipher.open(requestCipherLocation(id), value_sealed!);
  const value = { [field]: field === 'bank' ? requestedBank(text) : text };
  const columns = encryptedColumns(cipher, employee_id, value);
  await convertUniqueViolation(db.employee.updateMany({ where: { id: employee_id }, data: columns }));
  emit(EmployeeUpdated, { employee_id, user_id: employee.user_id ?? '', fields: [field], effective_from: '' });
}
