/** Employment terms over time. */
import { sql } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import { openDecryption } from '@suite/field-encryption';
import { z } from 'zod';
import { salaryCipherLocation } from '../employment/salary-cipher-location.ts';
import type { Db } from '../../operations.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';

interface HistoryContext {
  db: Db;
  caller: Caller;
  keys: Keys;
}

/** Returns a function that decrypts the salaries that the caller can see. */
const decryptSalaries =
  ({ db, keys }: HistoryContext): Expansion =>
  async (rows) => {
    const ids = rows.filter(({ field }) => field === 'salary').map(({ id }) => id);
    const encrypted = await db.rows<{ id: string; value_sealed: string }>(sql`
      SELECT id, value_sealed FROM employee_history WHERE id = ANY(${ids}::uuid[]) AND value_sealed IS NOT NULL`);
    const cipher = encrypted.length > 0 ? await openDecryption(db, keys.master) : undefined;
    const open = new Map(
      encrypted.map((row) => [row.id, JSON.parse(cipher!.open(salaryCipherLocation(row.id), row.value_sealed))]),
    );
    for (const row of rows) row['salary'] = open.get(row['id'] as string) ?? null;
  };

const Person = z.object({ id: Id, user_id: Id.nullable() });

const BEFORE = sql`
  SELECT earlier.value FROM employee_history AS earlier
  WHERE earlier.employee_id = employee_history.employee_id AND earlier.field = employee_history.field
    AND (earlier.effective_from, earlier.seq) < (employee_history.effective_from, employee_history.seq)
  ORDER BY earlier.effective_from DESC, earlier.seq DESC LIMIT 1`;

/**
 * Lists an employee's changes, one page. Omits salaries without the permission. @throws NotFound if the caller cannot
 * see the employee
 */
export async function listChanges(context: HistoryContext, employee_id: string, request: ListRequest) {
  const { db, caller } = context;
  const { user_id } = await readOne(db, Person, employee_id, { table: 'employees' });
  const isOpen = user_id === caller.user_id || caller.permissions.includes('employee.salary');
  const condition = isOpen ? sql`TRUE` : sql`employee_history.field <> 'salary'`;
  return await paginate(db, request, {
    table: 'employee_history',
    where: sql`employee_history.employee_id = ${employee_id}::uuid AND ${condition}`,
    compute: {
      before: BEFORE,
      user_id: sql`SELECT employees.user_id FROM employees WHERE employees.id = employee_history.employee_id`,
      updated_at: sql`employee_history.created_at`,
    },
    expand: isOpen ? { salary: decryptSalaries(context) } : {},
  });
}

interface HistoryResponse {
  value: object;
  shown: readonly object[];
  caller: Caller;
  request: { id: string };
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Records accesses to other employees' salaries in the access log. Employees can always see their own. */
export async function auditChanges({ value, shown, caller, request, write }: HistoryResponse): Promise<void> {
  const rows = (value as { rows: { employee_id: string; user_id: string | null }[] }).rows;
  const of = rows.find((row, at) => row.user_id !== caller.user_id && (shown[at] as { salary?: unknown }).salary);
  const accesses = of ? [{ employee_id: of.employee_id, fields: ['salary'] }] : [];
  await recordAccess(write, { caller, request_id: request.id }, accesses);
}
