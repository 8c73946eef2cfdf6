/** Approver of a leave request, determined when the request is created. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Possible approvers for an employee on a day. */
export interface ApproverCandidates {
  employee_id: string;
  manager_id: string | null;
  /** Deputy of the manager. Null unless the manager is on leave on that day and has a deputy. */
  deputy_id: string | null;
  head_id: string | null;
}

/** Approver, and for a deputy the manager they represent. */
export interface Approver {
  approver_id: string | null;
  on_behalf_of: string | null;
}

/**
 * Chooses the manager's deputy, else the manager, else the department head, else no specific approver. Employees never
 * decide on their own leave and are skipped.
 */
export function approverOf({ employee_id, manager_id, deputy_id, head_id }: ApproverCandidates): Approver {
  if (deputy_id && deputy_id !== employee_id) return { approver_id: deputy_id, on_behalf_of: manager_id };
  const approver_id = [manager_id, head_id].find((id) => id !== null && id !== employee_id) ?? null;
  return { approver_id, on_behalf_of: null };
}

/** Finds the approver of an employee's leave as of a day. */
export async function findApprover(db: Db, employee_id: string, day: string): Promise<Approver> {
  const [found] = await db.rows<ApproverCandidates>(sql`
    SELECT employees.id AS employee_id, employees.manager_id,
      CASE WHEN head.status <> 'left' THEN head.id END AS head_id,
      (SELECT deputies.deputy_id FROM deputies JOIN employees AS deputy ON deputy.id = deputies.deputy_id AND deputy.status <> 'left'
        WHERE deputies.employee_id = employees.manager_id AND ${day}::date BETWEEN deputies.from AND deputies.to
          AND EXISTS (SELECT FROM leave_days JOIN leave_applications ON leave_applications.id = leave_days.application_id
            WHERE leave_days.employee_id = employees.manager_id AND leave_days.day = ${day}::date AND leave_applications.status = 'approved')
        LIMIT 1) AS deputy_id
    FROM employees LEFT JOIN departments ON departments.id = employees.department_id
      LEFT JOIN employees AS head ON head.id = departments.head_id
    WHERE employees.id = ${employee_id}::uuid`);
  return found ? approverOf(found) : { approver_id: null, on_behalf_of: null };
}
