/** Status changes of an employee as rows of their history, with the reasons given. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { LockedEmployee } from './employment.ts';

/** Records the status that an employee has from a given day. @param employee locked */
export async function writeStatus(
  db: Db,
  { id, employment_id }: Pick<LockedEmployee, 'id' | 'employment_id'>,
  { status, reason, day }: { status: string; reason: string | null; day: string },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO employee_history (id, employee_id, employment_id, field, effective_from, seq, value, cause, reason)
    SELECT gen_random_uuid(), ${id}::uuid, ${employment_id}::uuid, 'status', ${day}::date,
      1 + coalesce((SELECT max(seq) FROM employee_history
        WHERE employee_id = ${id}::uuid AND field = 'status' AND effective_from = ${day}::date), 0),
      ${status}, 'manual', ${reason}`);
}
