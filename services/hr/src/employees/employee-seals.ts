/** The sensitive values of employees: who may see them, how they are opened, and how much of them is shown. */
import { type Caller, type Expansion, Forbidden, type Keys, raw, sql } from '@suite/chassis';
import { type Place, readSealed } from '@suite/sealed';
import { salaryPlace } from '../employment/salary-place.ts';
import { type HeldValue, salariesOn } from '../employment/terms.ts';
import { noteAccess } from '../sensitive-accesses/sensitive-access.ts';
import type { Db } from '../operations.ts';
import { SEALED } from './employee.schema.ts';

/** A field of which the value is sealed. */
export type SealedField = (typeof SEALED)[number];

/** The permission that each takes of somebody who reads of others, or writes. */
export const SEALED_RIGHTS: Readonly<Record<SealedField, string>> = {
  salary: 'employee.salary',
  bank: 'employee.bank',
  national_id: 'employee.identity',
  tax_id: 'employee.identity',
};

/** The place of a value that lies with the employee. */
export const placeOf = (id: string, field: Exclude<SealedField, 'salary'> | 'ytd_opening'): Place => ({
  table: 'employees',
  column: `${field}_sealed`,
  id,
});

/** Refuses to reveal what the caller may not see of others. @throws Forbidden */
export function assertMayReveal(caller: Caller, revealed: ReadonlySet<string>): void {
  const missing = SEALED.find((field) => revealed.has(field) && !caller.permissions.includes(SEALED_RIGHTS[field]));
  if (missing) throw Forbidden({ permission: SEALED_RIGHTS[missing] });
}

const SHOWN = 4;
/** The end of a value, and never more than half of it. */
const endOf = (value: string): string => value.slice(value.length - Math.min(SHOWN, Math.floor(value.length / 2)));
const masked = (value: string, isRevealed: boolean) => ({ last_4: endOf(value), ...(isRevealed && { value }) });

/** A bank account as it is sealed. */
export interface BankAccount {
  name: string;
  holder: string | null;
  account: string;
  code: string | null;
}

type Shown = (text: string, isRevealed: boolean) => unknown;
const SHOWS: Readonly<Record<SealedField, Shown>> = {
  salary: (text) => JSON.parse(text) as object,
  bank(text, isRevealed) {
    const { account, ...bank } = JSON.parse(text) as BankAccount;
    return { ...bank, account: masked(account, isRevealed) };
  },
  national_id: masked,
  tax_id: masked,
};

/** The sealed values of a field: of the rows themselves, or a salary as it is on a day. */
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
 * Opens sealed fields for a page of employees, each with one query: of those of whom the caller may see them, and of no others.
 * @param how.revealed the fields that are shown in full
 * @param how.day the day whose salary is shown
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
        const place = (id: string) => (field === 'salary' ? salaryPlace(id) : placeOf(id, field));
        const shown = value && SHOWS[field](seals!.open(place(value.row_id), value.sealed), revealed.has(field));
        Object.assign(row, { [field]: shown ?? null });
      }
    };
  return { salary: fill('salary'), bank: fill('bank'), national_id: fill('national_id'), tax_id: fill('tax_id') };
}

/** A query's answer about employees, ready to leave. */
interface Answer {
  value: object;
  shown: readonly object[];
  query: object;
  caller: Caller;
  request: { id: string };
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Whether a field of an answer tells something sensitive: a salary does, the end of an account does not. */
const tells = (field: SealedField, shown: unknown): boolean =>
  field === 'salary' ? Boolean(shown) : JSON.stringify(shown ?? null).includes('"value":');

/** Writes down of whom the caller was shown a salary, or a value in full; of himself everybody may see it. */
export async function witnessEmployees({ value, shown, caller, request, write }: Answer): Promise<void> {
  const rows = ('rows' in value ? value.rows : [value]) as Row[];
  const accesses = rows.map(({ id, user_id }, at) => {
    const answer = shown[at] as Partial<Record<SealedField, unknown>>;
    const fields = user_id === caller.user_id ? [] : SEALED.filter((field) => tells(field, answer[field]));
    return { employee_id: id, fields };
  });
  await noteAccess(write, { caller, request_id: request.id }, accesses);
}
