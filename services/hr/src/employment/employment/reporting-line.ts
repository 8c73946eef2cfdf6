/** Reporting lines. No employee reports to themselves on any day, directly or indirectly. */
import { sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { assertMayLead } from './record-scope.ts';

export const ManagerCircle = fault(
  422,
  'manager_circle',
  'An employee cannot report to themselves, directly or indirectly. Choose another manager.',
);

/**
 * Checks that a manager is employed and does not report to the employee. Covers each day from `since` until the next
 * change of manager. Concurrent changes wait for each other. The caller must already have the permissions that the
 * change would give them.
 * @param context.caller null for a decided change that takes effect on its day
 * @param employee_id omitted for a new employee, who has no team yet
 * @param field name of the manager field in the body
 * @throws ManagerCircle, Forbidden, a 422 for an unknown employee
 */
export async function assertReportingLine(
  { db, caller }: { db: Db; caller: Caller | null },
  employee_id: string | undefined,
  manager_id: string | null | undefined,
  since: string,
  field = 'manager_id',
): Promise<void> {
  if (!manager_id) return;
  await serializeOn(db, 'managers');
  const [manager] = await db.rows(sql`
    SELECT id FROM employees WHERE id = ${manager_id}::uuid AND status <> 'left' FOR KEY SHARE`);
  if (!manager) throw invalid(field, 'User not found.');
  if (!employee_id) return;
  if (manager_id === employee_id) throw ManagerCircle({ field });
  if (caller) await assertMayLead({ db, caller }, employee_id, { manager_id, field });
  const [above] = await db.rows(sql`
    WITH RECURSIVE held AS MATERIALIZED (
      SELECT employee_id, value::uuid AS manager_id, effective_from AS since,
        lead(effective_from, 1, 'infinity') OVER (PARTITION BY employee_id ORDER BY effective_from) AS until
      FROM (
        SELECT DISTINCT ON (employee_id, effective_from) employee_id, value, effective_from FROM employee_history
        WHERE field = 'manager_id' ORDER BY employee_id, effective_from, seq DESC) AS latest),
    above AS (
      SELECT ${manager_id}::uuid AS id, ${since}::date AS since, coalesce((
        SELECT min(effective_from) FROM employee_history
        WHERE employee_id = ${employee_id}::uuid AND field = 'manager_id' AND effective_from > ${since}::date), 'infinity') AS until
      UNION
      SELECT held.manager_id, greatest(held.since, above.since), least(held.until, above.until)
      FROM above JOIN held ON held.employee_id = above.id AND held.since < above.until AND held.until > above.since
      WHERE held.manager_id IS NOT NULL)
    SELECT id FROM above WHERE id = ${employee_id}::uuid LIMIT 1`);
  if (above) throw ManagerCircle({ field });
}
