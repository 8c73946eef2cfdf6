/** Assigns and removes deputies. An employee has at most one per day. A later assignment replaces an earlier one. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { leaveToday } from '../../employment/leave-ledger/accounts.ts';
import type { Db } from '../../operations.ts';
import { lockCurrentEmployee } from '../../employment/employee-users/current-employee.ts';
import type { Deputy, DeputyInput } from './deputy.schema.ts';

/** Returns the deputies of an employee from a given day, in date order. */
const deputiesOf = (db: Db, employee_id: string, day: string): Promise<Deputy[]> =>
  db.rows<Deputy>(sql`
    SELECT deputies.id, deputies.employee_id, deputies.deputy_id, employees.user_id, employees.name,
      deputies.from::text AS "from", deputies.to::text AS "to"
    FROM deputies JOIN employees ON employees.id = deputies.deputy_id
    WHERE deputies.employee_id = ${employee_id}::uuid AND deputies.to >= ${day}::date ORDER BY deputies.from`);

/** Removes deputies from some days. Assignments on the days around remain. */
async function clearDays(db: Db, employee_id: string, from: string, to: string): Promise<void> {
  const cut = await db.rows<{ deputy_id: string; from: string; to: string }>(sql`
    DELETE FROM deputies WHERE employee_id = ${employee_id}::uuid AND "from" <= ${to}::date AND "to" >= ${from}::date
    RETURNING deputy_id, "from"::text AS "from", "to"::text AS "to"`);
  for (const one of cut) {
    if (one.from < from)
      await db.rows(sql`
        INSERT INTO deputies (id, employee_id, deputy_id, "from", "to")
        VALUES (${randomUUIDv7()}::uuid, ${employee_id}::uuid, ${one.deputy_id}::uuid, ${one.from}::date, ${from}::date - 1)`);
    if (one.to > to)
      await db.rows(sql`
        INSERT INTO deputies (id, employee_id, deputy_id, "from", "to")
        VALUES (${randomUUIDv7()}::uuid, ${employee_id}::uuid, ${one.deputy_id}::uuid, ${to}::date + 1, ${one.to}::date)`);
  }
}

/** Assigns or removes the caller's deputy for some days. @throws NotAnEmployee, a 422 that names the field */
export async function nameDeputy(db: Db, caller: Caller, { user_id, from, to }: DeputyInput) {
  const { id } = await lockCurrentEmployee(db, caller);
  const today = await leaveToday(db);
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (to < today) throw invalid('to', 'These days are in the past. Choose later days.');
  if (user_id === caller.user_id) throw invalid('user_id', 'You cannot be your own deputy. Select another user.');
  await clearDays(db, id, from, to);
  if (user_id) {
    const [deputy] = await db.rows<{ id: string }>(sql`
      SELECT id FROM employees WHERE user_id = ${user_id}::uuid AND status <> 'left' FOR KEY SHARE`);
    if (!deputy) throw invalid('user_id', 'User not found.');
    await db.rows(sql`
      INSERT INTO deputies (id, employee_id, deputy_id, "from", "to")
      VALUES (${randomUUIDv7()}::uuid, ${id}::uuid, ${deputy.id}::uuid, ${from}::date, ${to}::date)`);
  }
  return { deputies: await deputiesOf(db, id, today) };
}
