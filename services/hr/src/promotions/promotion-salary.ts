/** The salary that comes with a promotion: sealed, and shown to whoever may see it. */
import { type Caller, type Expansion, Forbidden, type Keys, sql } from '@suite/chassis';
import { openSealed, type Place, readSealed, type Sealed } from '@suite/sealed';
import type { CommandContext, Db } from '../operations.ts';
import { noteAccess } from '../sensitive-accesses/sensitive-access.ts';

const placeOf = (id: string): Place => ({ table: 'promotions', column: 'salary_sealed', id });
const PERMISSION = 'employee.salary';

interface SalaryText {
  sealed: Sealed;
  text: string;
}

/** Refuses a salary of whoever may not see it. @throws Forbidden */
export function assertMaySeeSalary(caller: Caller, salary: unknown): void {
  if (salary && !caller.permissions.includes(PERMISSION)) throw Forbidden({ permission: PERMISSION, field: 'salary' });
}

/** Seals the salary of a promotion; null for none, undefined where nothing is said of it. */
export const sealSalary = (id: string, salary: SalaryText | null | undefined) =>
  salary && salary.sealed.seal(placeOf(id), salary.text);

/** Opens the salary of a promotion, to be sealed once more in the history of the person. */
export async function openSalary(
  { db, keys }: Pick<CommandContext, 'db' | 'keys'>,
  { id, salary_sealed }: { id: string; salary_sealed: string | null },
) {
  if (salary_sealed === null) return undefined;
  const sealed = await openSealed(db, keys.master);
  return { sealed, text: sealed.open(placeOf(id), salary_sealed) };
}

interface Row {
  id: string;
  user_id: string | null;
}

/** Opens the salaries of a page of promotions: of those of which the caller may see them. */
export const salariesIn =
  ({ db, caller, keys }: { db: Db; caller: Caller; keys: Keys }): Expansion =>
  async (rows) => {
    const may = caller.permissions.includes(PERMISSION);
    const open = (rows as unknown as Row[]).filter(({ user_id }) => may || user_id === caller.user_id);
    const held = await db.rows<{ id: string; salary_sealed: string }>(sql`
      SELECT id, salary_sealed FROM promotions
      WHERE id = ANY(${open.map(({ id }) => id)}::uuid[]) AND salary_sealed IS NOT NULL`);
    const sealed = held.length > 0 ? await readSealed(db, keys.master) : undefined;
    const shown = new Map(held.map((row) => [row.id, JSON.parse(sealed!.open(placeOf(row.id), row.salary_sealed))]));
    for (const row of open) Object.assign(row, { salary: shown.get(row.id) ?? null });
  };

interface Answer {
  value: object;
  shown: readonly object[];
  caller: Caller;
  request: { id: string };
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Writes down of whom the caller was shown a salary; of himself everybody may see it. */
export async function witnessPromotions({ value, shown, caller, request, write }: Answer): Promise<void> {
  const rows = ('rows' in value ? value.rows : [value]) as { employee_id: string; user_id: string | null }[];
  const seen = rows.filter(
    ({ user_id }, at) => user_id !== caller.user_id && (shown[at] as { salary?: unknown }).salary,
  );
  const people = [...new Set(seen.map(({ employee_id }) => employee_id))];
  await noteAccess(
    write,
    { caller, request_id: request.id },
    people.map((employee_id) => ({ employee_id, fields: ['salary'] })),
  );
}
