/** Salary of a promotion, which is encrypted and only visible with access to salaries. */
import { sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import type { Expansion } from '@suite/chassis/lists';
import { openEncryption, type CipherLocation, openDecryption, type FieldCipher } from '@suite/field-encryption';
import type { CommandContext, Db } from '../../operations.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';

const salaryLocationOf = (id: string): CipherLocation => ({ table: 'promotions', column: 'salary_sealed', id });
const PERMISSION = 'employee.salary';

interface EncryptedSalary {
  cipher: FieldCipher;
  text: string;
}

/** Rejects a salary from a caller without access to salaries. @throws Forbidden */
export function assertMaySeeSalary(caller: Caller, salary: unknown): void {
  if (salary && !caller.permissions.includes(PERMISSION)) throw Forbidden({ permission: PERMISSION, field: 'salary' });
}

/** Encrypts the salary of a promotion: null to remove it, undefined to leave it unchanged. */
export const encryptSalary = (id: string, salary: EncryptedSalary | null | undefined) =>
  salary && salary.cipher.seal(salaryLocationOf(id), salary.text);

/** Decrypts the salary of a promotion, for encryption in the employee's history. */
export async function decryptSalary(
  { db, keys }: Pick<CommandContext, 'db' | 'keys'>,
  { id, salary_sealed }: { id: string; salary_sealed: string | null },
) {
  if (salary_sealed === null) return undefined;
  const cipher = await openEncryption(db, keys.master);
  return { cipher, text: cipher.open(salaryLocationOf(id), salary_sealed) };
}

interface Row {
  id: string;
  user_id: string | null;
}

/** Decrypts the salaries on a page of promotions that the caller may see. */
export const salariesOfPage =
  ({ db, caller, keys }: { db: Db; caller: Caller; keys: Keys }): Expansion =>
  async (rows) => {
    const may = caller.permissions.includes(PERMISSION);
    const open = (rows as unknown as Row[]).filter(({ user_id }) => may || user_id === caller.user_id);
    const encrypted = await db.rows<{ id: string; salary_sealed: string }>(sql`
      SELECT id, salary_sealed FROM promotions
      WHERE id = ANY(${open.map(({ id }) => id)}::uuid[]) AND salary_sealed IS NOT NULL`);
    const cipher = encrypted.length > 0 ? await openDecryption(db, keys.master) : undefined;
    const shown = new Map(
      encrypted.map((row) => [row.id, JSON.parse(cipher!.open(salaryLocationOf(row.id), row.salary_sealed))]),
    );
    for (const row of open) Object.assign(row, { salary: shown.get(row.id) ?? null });
  };

interface PromotionResponse {
  value: object;
  shown: readonly object[];
  caller: Caller;
  request: { id: string };
  write<T>(recordContext: (db: Db) => Promise<T>): Promise<T>;
}

/** Records accesses to other employees' salaries in the access log. Employees can always see their own. */
export async function auditPromotions({ value, shown, caller, request, write }: PromotionResponse): Promise<void> {
  const rows = ('rows' in value ? value.rows : [value]) as { employee_id: string; user_id: string | null }[];
  const seen = rows.filter(
    ({ user_id }, at) => user_id !== caller.user_id && (shown[at] as { salary?: unknown }).salary,
  );
  const people = [...new Set(seen.map(({ employee_id }) => employee_id))];
  await recordAccess(
    write,
    { caller, request_id: request.id },
    people.map((employee_id) => ({ employee_id, fields: ['salary'] })),
  );
}

/**
 * Adds the salary to a promotion that a command has written, if the caller may see it, and records the access.
 * Chosen: a dry run omits the salary, because its entry in the access log would be rolled back.
 */
export async function withSalary<P extends Row>(
  context: { db: Db; caller: Caller; keys: Keys; request: { id: string }; query: object },
  promotion: P,
): Promise<P> {
  if ('dry_run' in context.query && context.query.dry_run) return promotion;
  const row = { ...promotion };
  await salariesOfPage(context)([row as never], 'salary');
  await auditPromotions({ ...context, value: row, shown: [row], write: (recordContext) => recordContext(context.db) });
  return row;
}
