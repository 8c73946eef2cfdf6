/** Sensitive values of employees: access, decryption and masking. */
import { raw, sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import type { Expansion } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { type CipherLocation, openDecryption } from '@suite/field-encryption';
import { type BankAccount, bankWith } from '../../employment/employee-users/bank-account.rules.ts';
import { salaryCipherLocation } from '../../employment/employment/salary-cipher-location.ts';
import { type EncryptedValue, salariesOn } from '../../employment/employment/employment-terms.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import type { Db } from '../../operations.ts';
import { ENCRYPTED } from './employee.schema.ts';

/** Field with an encrypted value. */
export type EncryptedField = (typeof ENCRYPTED)[number];

/** Permission required to read a field of other employees, or to write it. */
export const READ_RIGHTS: Readonly<Record<EncryptedField, string>> = {
  salary: 'employee.salary',
  bank: 'employee.bank',
  national_id: 'employee.identity',
  tax_id: 'employee.identity',
};

/** Returns the location of an encrypted value in the employee row. */
export const employeeCipherLocation = (
  id: string,
  field: Exclude<EncryptedField, 'salary'> | 'ytd_opening',
): CipherLocation => ({ table: 'employees', column: `${field}_sealed`, id });

/** Rejects a request to reveal values that the caller cannot see. @throws Forbidden */
export function assertMayReveal(caller: Caller, revealed: ReadonlySet<string>): void {
  const missing = ENCRYPTED.find((field) => revealed.has(field) && !caller.permissions.includes(READ_RIGHTS[field]));
  if (missing) throw Forbidden({ permission: READ_RIGHTS[missing] });
}

const SHOWN = 4;
/** Returns the end of a value, at most half of the characters. */
const endOf = (value: string): string => value.slice(value.length - Math.min(SHOWN, Math.floor(value.length / 2)));
const mask = (value: string, isRevealed: boolean) => ({ last_4: endOf(value), ...(isRevealed && { value }) });

type ValueDisplay = (text: string, isRevealed: boolean) => unknown;
const DISPLAYS: Readonly<Record<EncryptedField, ValueDisplay>> = {
  salary: (text) => JSON.parse(text) as object,
  bank(text, isRevealed) {
    const bank = JSON.parse(text) as BankAccount;
    return bankWith(bank, mask(bank.account, isRevealed));
  },
  national_id: mask,
  tax_id: mask,
};

/** Reads the encrypted values of a field from the employees, or the salaries on a day. */
const readValues = (db: Db, field: EncryptedField, ids: readonly string[], day: string): Promise<EncryptedValue[]> =>
  field === 'salary'
    ? salariesOn(db, ids, day)
    : db.rows<EncryptedValue>(sql`
        SELECT id AS employee_id, id AS row_id, ${raw(`${field}_sealed`)} AS sealed FROM employees
        WHERE id = ANY(${ids}::uuid[]) AND ${raw(`${field}_sealed`)} IS NOT NULL`);

interface EmployeeIds {
  id: string;
  user_id: string | null;
}

/**
 * Decrypts fields for a page of employees, with one query for each field. Only employees whose values the caller may
 * see are included.
 * @param how.revealed fields that are shown in full
 * @param how.day day of the salary
 */
export function encryptedFields(
  db: Db,
  { caller, keys }: { caller: Caller; keys: Keys },
  { revealed, day }: { revealed: ReadonlySet<string>; day: string },
): Record<EncryptedField, Expansion> {
  const fill =
    (field: EncryptedField): Expansion =>
    async (rows) => {
      const isOpen = caller.permissions.includes(READ_RIGHTS[field]);
      const open = (rows as unknown as EmployeeIds[]).filter(({ user_id }) => isOpen || user_id === caller.user_id);
      if (open.length === 0) return;
      const ids = open.map(({ id }) => id);
      const encrypted = new Map((await readValues(db, field, ids, day)).map((value) => [value.employee_id, value]));
      const seals = encrypted.size > 0 ? await openDecryption(db, keys.master) : undefined;
      for (const row of open) {
        const value = encrypted.get(row.id);
        const locationOf = (id: string) =>
          field === 'salary' ? salaryCipherLocation(id) : employeeCipherLocation(id, field);
        const shown =
          value && DISPLAYS[field](seals!.open(locationOf(value.row_id), value.sealed), revealed.has(field));
        Object.assign(row, { [field]: shown ?? null });
      }
    };
  return { salary: fill('salary'), bank: fill('bank'), national_id: fill('national_id'), tax_id: fill('tax_id') };
}

/** Query result with employees, ready to be sent. */
interface EmployeeResponse {
  value: object;
  shown: readonly object[];
  query: object;
  caller: Caller;
  request: { id: string };
  write<T>(context: (db: Db) => Promise<T>): Promise<T>;
}

/** Checks if a response field is sensitive. A salary is. The end of an account number is not. */
const isSensitive = (field: EncryptedField, shown: unknown): boolean =>
  field === 'salary' ? Boolean(shown) : JSON.stringify(shown ?? null).includes('"value":');

/**
 * Records accesses to other employees' salaries and revealed values in the access log. Employees can always see their
 * own.
 */
export async function auditEmployees({ value, shown, caller, request, write }: EmployeeResponse): Promise<void> {
  const rows = ('rows' in value ? value.rows : [value]) as EmployeeIds[];
  const accesses = rows.map(({ id, user_id }, at) => {
    const fieldsOf = shown[at] as Partial<Record<EncryptedField, unknown>>;
    const fields = user_id === caller.user_id ? [] : ENCRYPTED.filter((field) => isSensitive(field, fieldsOf[field]));
    return { employee_id: id, fields };
  });
  await recordAccess(write, { caller, request_id: request.id }, accesses);
}

interface SavedEmployee extends EmployeeIds {
  joining_date: unknown;
}

/**
 * Adds the encrypted values that the caller may see to an employee whom a command has written, and records the access.
 * The salary is valid today, or on the joining date if that is later.
 * Chosen: a dry run omits these values, because its entry in the access log would be rolled back.
 */
export async function addEncrypted<E extends SavedEmployee>(
  { db, request, query, ...context }: { db: Db; caller: Caller; keys: Keys; request: { id: string }; query: object },
  employee: E,
): Promise<E> {
  if ('dry_run' in query && query.dry_run) return employee;
  const row = { ...employee };
  const day = [today(context.caller.timezone), String(employee.joining_date)].toSorted().at(-1)!;
  for (const fill of Object.values(encryptedFields(db, context, { revealed: new Set(), day })))
    await fill([row as never], '');
  await auditEmployees({ value: row, shown: [row], query, caller: context.caller, request, write: (run) => run(db) });
  return row;
}
