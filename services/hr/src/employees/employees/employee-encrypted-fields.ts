/** Sensitive values of employees: access, decryption and masking. */
import { raw, sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import type { Expansion } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { type CipherLocation, readSealed } from '@suite/field-encryption';
import { type BankAccount, bankWith } from '../../employment/employee-users/bank-account.rules.ts';
import { salaryPlace } from '../../employment/employment/salary-place.ts';
import { type HeldValue, salariesOn } from '../../employment/employment/terms.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import type { Db } from '../../operations.ts';
import { SEALED } from './employee.schema.ts';

/** Field with an encrypted value. */
export type SealedField = (typeof SEALED)[number];

/** Permission required to read a field of other employees, or to write it. */
export const SEALED_RIGHTS: Readonly<Record<SealedField, string>> = {
  salary: 'employee.salary',
  bank: 'employee.bank',
  national_id: 'employee.identity',
  tax_id: 'employee.identity',
};

/** Returns the location of an encrypted value in the employee row. */
export const employeeCipherLocation = (
  id: string,
  field: Exclude<SealedField, 'salary'> | 'ytd_opening',
): CipherLocation => ({
  table: 'employees',
  column: `${field}_sealed`,
  id,
});

/** Rejects a request to reveal values that the caller cannot see. @throws Forbidden */
export function assertMayReveal(caller: Caller, revealed: ReadonlySet<string>): void {
  const missing = SEALED.find((field) => revealed.has(field) && !caller.permissions.includes(SEALED_RIGHTS[field]));
  if (missing) throw Forbidden({ permission: SEALED_RIGHTS[missing] });
}

const SHOWN = 4;
/** Returns the end of a value, at most half of the characters. */
const endOf = (value: string): string => value.slice(value.length - Math.min(SHOWN, Math.floor(value.length / 2)));
const masked = (value: string, isRevealed: boolean) => ({ last_4: endOf(value), ...(isRevealed && { value }) });

type Shown = (text: string, isRevealed: boolean) => unknown;
const SHOWS: Readonly<Record<SealedField, Shown>> = {
  salary: (text) => JSON.parse(text) as object,
  bank(text, isRevealed) {
    const bank = JSON.parse(text) as BankAccount;
    return bankWith(bank, masked(bank.account, isRevealed));
  },
  national_id: masked,
  tax_id: masked,
};

/** Reads the encrypted values of a field from the employees, or the salaries on a day. */
const heldBy = (db: Db, field: SealedField, ids: readonly string[], day: string): Promise<HeldValue[]> =>
  field === 'salary'
    ? salariesOn(db, ids, day)
    : db.rows<HeldValue>(sql`
        SELECT id AS employee_id, id AS row_id, ${raw(`${field}_sealed`)} AS sealed FROM employees
        WHERE id = ANY(${ids}::uuid[]) AND ${raw(`${field}_sealed`)} IS NOT NULL`);

interface Row {
  id: string;
  user_id: string | null;
}

/**
 * Decrypts fields for a page of employees, with one query for each field. Only employees whose values the caller may
 * see are included.
 * @param how.revealed fields that are shown in full
 * @param how.day day of the salary
 */
export function sealedFields(
  db: Db,
  { caller, keys }: { caller: Caller; keys: Keys },
  { revealed, day }: { revealed: ReadonlySet<string>; day: string },
): Record<SealedField, Expansion> {
  const fill =
    (field: SealedField): Expansion =>
    async (rows) => {
      const isOpen = caller.permissions.includes(SEALED_RIGHTS[field]);
      const open = (rows as unknown as Row[]).filter(({ user_id }) => isOpen || user_id === caller.user_id);
      if (open.length === 0) return;
      const ids = open.map(({ id }) => id);
      const held = new Map((await heldBy(db, field, ids, day)).map((value) => [value.employee_id, value]));
      const seals = held.size > 0 ? await readSealed(db, keys.master) : undefined;
      for (const row of open) {
        const value = held.get(row.id);
        const place = (id: string) => (field === 'salary' ? salaryPlace(id) : employeeCipherLocation(id, field));
        const shown = value && SHOWS[field](seals!.open(place(value.row_id), value.sealed), revealed.has(field));
        Object.assign(row, { [field]: shown ?? null });
      }
    };
  return { salary: fill('salary'), bank: fill('bank'), national_id: fill('national_id'), tax_id: fill('tax_id') };
}

/** Query result with employees, ready to be sent. */
interface Answer {
  value: object;
  shown: readonly object[];
  query: object;
  caller: Caller;
  request: { id: string };
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Checks if a response field is sensitive. A salary is; the end of an account number is not. */
const tells = (field: SealedField, shown: unknown): boolean =>
  field === 'salary' ? Boolean(shown) : JSON.stringify(shown ?? null).includes('"value":');

/**
 * Records accesses to other employees' salaries and revealed values in the access log. Employees can always see their
 * own.
 */
export async function auditEmployees({ value, shown, caller, request, write }: Answer): Promise<void> {
  const rows = ('rows' in value ? value.rows : [value]) as Row[];
  const accesses = rows.map(({ id, user_id }, at) => {
    const answer = shown[at] as Partial<Record<SealedField, unknown>>;
    const fields = user_id === caller.user_id ? [] : SEALED.filter((field) => tells(field, answer[field]));
    return { employee_id: id, fields };
  });
  await recordAccess(write, { caller, request_id: request.id }, accesses);
}

interface Written extends Row {
  joining_date: unknown;
}

/**
 * Adds the encrypted values that the caller may see to an employee whom a command has written, and records the access.
 * The salary is valid today, or on the joining date if that is later.
 * Chosen: a dry run omits these values, because its entry in the access log would be rolled back.
 */
export async function withSealed<E extends Written>(
  { db, request, query, ...reader }: { db: Db; caller: Caller; keys: Keys; request: { id: string }; query: object },
  employee: E,
): Promise<E> {
  if ('dry_run' in query && query.dry_run) return employee;
  const row = { ...employee };
  const day = [today(reader.caller.timezone), String(employee.joining_date)].toSorted().at(-1)!;
  for (const fill of Object.values(sealedFields(db, reader, { revealed: new Set(), day })))
    await fill([row as never], '');
  await auditEmployees({ value: row, shown: [row], query, caller: reader.caller, request, write: (work) => work(db) });
  return row;
}
