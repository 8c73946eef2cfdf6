/** Invariants of leave, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';

/** Leave lots with their remaining days. */
const LOTS = `
  SELECT lot.workspace_id, lot.id, lot.employee_id, lot.leave_type_id, lot.days, lot.valid_to, lot.days + coalesce(sum(line.days), 0) AS left_days
  FROM leave_ledger AS lot LEFT JOIN leave_ledger AS line ON line.workspace_id = lot.workspace_id AND line.lot_id = lot.id
  WHERE lot.lot_id IS NULL AND lot.application_id IS NULL AND lot.days > 0 AND lot.kind <> 'encash'
  GROUP BY lot.workspace_id, lot.id, lot.employee_id, lot.leave_type_id, lot.days, lot.valid_to`;

export const leaveChecks: AuditCheck[] = [
  {
    name: 'a lot has a remainder between zero and its granted days',
    sql: `SELECT * FROM (${LOTS}) AS lots WHERE left_days < 0 OR left_days > days`,
  },
  {
    name: 'a leave line uses, restores or expires a lot of the same account',
    sql: `
      SELECT line.workspace_id, line.id, line.lot_id FROM leave_ledger AS line
        JOIN leave_ledger AS lot ON lot.workspace_id = line.workspace_id AND lot.id = line.lot_id
      WHERE (line.employment_id, line.leave_type_id) <> (lot.employment_id, lot.leave_type_id)
        OR lot.lot_id IS NOT NULL OR lot.days < 0`,
  },
  {
    name: 'leave days taken match the approved leave requests',
    sql: `
      WITH taken AS (
        SELECT workspace_id, application_id, day, -sum(days) AS days FROM leave_ledger
        WHERE application_id IS NOT NULL GROUP BY 1, 2, 3 HAVING sum(days) <> 0),
      approved AS (
        SELECT asked.workspace_id, asked.id AS application_id, leave_days.day, leave_days.days FROM leave_applications AS asked
          JOIN leave_days ON leave_days.workspace_id = asked.workspace_id AND leave_days.application_id = asked.id
        WHERE asked.status = 'approved')
      SELECT workspace_id, application_id, day, taken.days AS taken, approved.days AS approved
      FROM taken FULL JOIN approved USING (workspace_id, application_id, day)
      WHERE taken.days IS DISTINCT FROM approved.days`,
  },
  {
    name: 'pending and approved leave requests have the days that they count',
    sql: `
      SELECT asked.workspace_id, asked.id, asked.days, sum(leave_days.days) AS counted FROM leave_applications AS asked
        LEFT JOIN leave_days ON leave_days.workspace_id = asked.workspace_id AND leave_days.application_id = asked.id
      WHERE asked.status IN ('pending', 'first_approved', 'approved')
      GROUP BY asked.workspace_id, asked.id, asked.days HAVING asked.days IS DISTINCT FROM sum(leave_days.days)`,
  },
  {
    name: 'remaining days of expired leave lapse unless a leave request needs them',
    after_calm: true,
    // Allows three days: some time zones are behind, and the job may need to catch up.
    sql: `
      SELECT lots.* FROM (${LOTS}) AS lots JOIN employees ON employees.workspace_id = lots.workspace_id AND employees.id = lots.employee_id
      WHERE left_days > 0 AND valid_to < current_date - 3 AND employees.status <> 'left'
        AND NOT EXISTS (SELECT FROM leave_applications AS asked WHERE asked.workspace_id = lots.workspace_id
          AND asked.employee_id = lots.employee_id AND asked.leave_type_id = lots.leave_type_id
          AND asked.status IN ('pending', 'first_approved'))`,
  },
];
